package lists

import (
	"slices"
	"strings"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

// WalletList is what the clients of MetaMask's phishing detection block and allow. Its elements are
// sorted and different.
//
// A client blocks a host with its subdomains, unless the host or a domain above it is allowed, and a path
// with everything below it. It ignores schemes, ports and queries.
type WalletList struct {
	// Allowed and Blocked are hosts, as in the format eth-phishing-detect.
	Allowed, Blocked []string
	// BlockedPaths are hosts with a path, such as example.com/a/b. If the host begins with "http", they
	// have a scheme before it. A path is blocked even on an allowed host.
	BlockedPaths []string
}

// ReadWalletList returns the list of the assets of a source. Like an export, it never says more than a
// check. The exceptions are those of hosts in every export, and that a path is blocked on all ports and
// with everything below it. It reads the source twice.
func ReadWalletList(source Source) (WalletList, error) {
	var list WalletList
	allowed := make(hostSet)
	err := read(source, asset.Filter{}, []asset.Status{asset.StatusAllowed}, func(one asset.Listed) error {
		if host, reason := allowedHost(one); reason == "" {
			allowed.add(host)
			list.Allowed = append(list.Allowed, host)
		}
		return nil
	})
	if err != nil {
		return WalletList{}, err
	}
	err = read(source, asset.Filter{}, []asset.Status{asset.StatusBlocked}, func(one asset.Listed) error {
		if one.Type != asset.TypeEmail {
			allowed.removeAbove(one.Identity)
		}
		if host, kind, reason := hostOf(one); reason == "" && kind != deepDomain {
			list.Blocked = append(list.Blocked, host)
		} else if path, ok := pathOf(one.Identity); ok {
			list.BlockedPaths = append(list.BlockedPaths, path)
		}
		return nil
	})
	if err != nil {
		return WalletList{}, err
	}
	list.Allowed = slices.DeleteFunc(list.Allowed, func(host string) bool { return !allowed.has(host) })
	for _, texts := range []*[]string{&list.Allowed, &list.Blocked, &list.BlockedPaths} {
		slices.Sort(*texts)
		*texts = slices.Clip(slices.Compact(*texts))
	}
	return list, nil
}

// WalletEntries returns the elements of a [WalletList] that depend on the status of an asset: the hosts
// that it names or is below of, the most specific first, and its path, or the empty text.
func WalletEntries(identity asset.Identity) (hosts []string, path string) {
	if identity.Type == asset.TypeEmail {
		return nil, ""
	}
	if whole, ok := pathOf(identity); ok {
		path = whole
	}
	host, _, _ := classify.SplitHost(identity)
	if isIPHost(host) {
		return []string{host}, path
	}
	for strings.Contains(host, ".") { // a list has no single label
		hosts = append(hosts, host)
		_, host, _ = strings.Cut(host, ".")
	}
	return hosts, path
}

// pathOf returns the host with the path of a link, as a client reads it. A link with a port, a query or a
// route is none. A client ignores empty segments and decodes all escapes, so a path that does not cover
// all of its spellings is none either.
func pathOf(identity asset.Identity) (string, bool) {
	if identity.Type != asset.TypeURL && identity.Type != asset.TypePage {
		return "", false
	}
	host, port, rest := classify.SplitHost(identity)
	path := strings.TrimRight(rest, "/")
	if strings.HasPrefix(host, "http") { // it would be read as a scheme
		host = "https://" + host
	}
	return host + path, port == "" && path != "" && !strings.ContainsAny(path, "?#") && classify.HasPlainPath(identity)
}
