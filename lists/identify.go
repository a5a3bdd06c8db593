package lists

import (
	"errors"
	"html"
	"net/netip"
	"strings"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

// gateway is the address of IPFS content, on which its identifier follows.
const gateway = "https://ipfs.io/ipfs/"

// restore returns the text of an entry as it was before it was defanged, if that is asked for.
func (l *reader) restore(text string) string {
	if l.opts.Refang {
		return classify.Refang(text)
	}
	return text
}

// identify returns the identity of a content. Unless the list names the type of the asset, a word is
// no account, and a link has a domain name or an IP address.
func (l *reader) identify(content string, typed bool) (asset.Identity, error) {
	if hasEntity(content) {
		return asset.Identity{}, ErrEntity
	}
	result, err := classify.Classify(content)
	if err != nil {
		if link, ok := contentLink(content); ok && !isSecretError(err) {
			return link, nil
		}
		return asset.Identity{}, err
	}
	switch {
	case typed:
	case !l.opts.Accounts && isBareHandle(content, result.Identity):
		return asset.Identity{}, ErrBareHandle
	case !hasPlainHost(result.Identity):
		return asset.Identity{}, ErrNotHost
	}
	return result.Identity, nil
}

// contentLink returns the link to an IPFS content whose identifier is the text.
func contentLink(text string) (asset.Identity, bool) {
	text = strings.TrimSpace(text)
	if !classify.IsContentID(text) {
		return asset.Identity{}, false
	}
	result, err := classify.Classify(gateway + text)
	return result.Identity, err == nil
}

// isBareHandle reports whether a content names an account only by a word. Canonical forms of
// accounts are links with a path, which the content is not.
func isBareHandle(content string, identity asset.Identity) bool {
	return strings.Contains(identity.Canonical, "/") && !strings.ContainsAny(content, "@/\\:?")
}

// hasPlainHost reports whether the host of a link, if it is one, is an IP address or a domain name as
// registries and DNS resolvers of names have them.
func hasPlainHost(identity asset.Identity) bool {
	if identity.Type != asset.TypePage && identity.Type != asset.TypeURL {
		return true
	}
	host, _, _ := classify.SplitHost(identity)
	return isIPHost(host) || isDomain(host)
}

func isIPHost(host string) bool {
	_, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil
}

// hasEntity reports whether a text has a character reference of HTML, which feeds that are made for
// pages leave in links.
func hasEntity(text string) bool {
	for {
		start := strings.IndexByte(text, '&')
		if start < 0 {
			return false
		}
		text = text[start:]
		end := 1
		for end < len(text) && (text[end] == '#' || !isNotAlphanumeric(rune(text[end]))) {
			end++
		}
		if end < len(text) && text[end] == ';' && html.UnescapeString(text[:end+1]) != text[:end+1] {
			return true
		}
		text = text[end:]
	}
}

// host yields the entry for a host.
func (l *reader) host(text string) error {
	identity, err := hostIdentity(l.restore(text))
	if err != nil {
		return l.refuse(l.lines.number, text, err)
	}
	return l.found(l.lines.number, identity, l.opts.Status)
}

// hostIdentity returns the asset of a host: the PAGE, or the identifier of a platform whose
// own host it is. A number is a host only as the four decimal parts of an IPv4 address.
func hostIdentity(text string) (asset.Identity, error) {
	if hasEntity(text) {
		return asset.Identity{}, ErrEntity
	}
	if strings.ContainsAny(text, "/\\?#@%") {
		return asset.Identity{}, ErrNotHost
	}
	link, err := classify.Classify("https://" + text)
	if err != nil {
		return asset.Identity{}, ErrNotHost
	}
	host := strings.TrimPrefix(link.Canonical, "https://")
	if ip, err := netip.ParseAddr(host); err == nil && ip.Is4() && strings.TrimSuffix(text, ".") != host {
		return asset.Identity{}, ErrNotHost
	}
	result, err := classify.Classify(host)
	if err != nil || result.Canonical != host {
		return asset.Identity{}, ErrNotHost
	}
	if bare, ok := classify.Host(result.Identity); !ok || bare != host || result.Type == asset.TypeURL {
		return asset.Identity{}, ErrNotHost
	}
	return result.Identity, nil
}

// domainIdentity returns the asset of a domain that is written with its subdomains, as .example.com or
// *.example.com. With a dot at its end, too, it is a part of an address in a filter list.
func domainIdentity(text string) (asset.Identity, error) {
	domain, found := strings.CutPrefix(text, "*.")
	if !found {
		domain = strings.TrimPrefix(text, ".")
	}
	identity, err := hostIdentity(domain)
	if err == nil && (isIPHost(identity.Canonical) || strings.HasSuffix(domain, ".")) {
		return asset.Identity{}, ErrNotHost
	}
	return identity, err
}

// isWithSubdomains reports whether a text begins as a domain that is written with its subdomains.
func isWithSubdomains(text string) bool {
	return strings.HasPrefix(text, ".") || strings.HasPrefix(text, "*.")
}

func isSecretError(err error) bool {
	var refusal *classify.Error
	return errors.As(err, &refusal) && refusal.Reason == classify.ReasonSecret
}
