package lists

import (
	"net/netip"
	"regexp"
	"strings"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

// gateway begins the URL that stands for an IPFS content identifier. The cover of the content
// makes it count on every other gateway, too.
const gateway = "https://ipfs.io/ipfs/"

// entity matches the HTML entities that escape a URL (HTML, section 13.5), and all numeric ones.
var entity = regexp.MustCompile(`&(?i:amp|lt|gt|quot|apos|nbsp|#[0-9]+|#x[0-9a-f]+);`)

// identify returns the identity of a content.
func (l *reader) identify(content string) (asset.Identity, error) {
	if l.opts.Refang {
		content = refang(content)
	}
	content = strings.TrimSpace(content)
	if entity.MatchString(content) {
		return asset.Identity{}, ErrEntity
	}
	if classify.IsContentID(content) {
		content = gateway + content
	}
	result, err := classify.Classify(content)
	if err != nil {
		return asset.Identity{}, err
	}
	if !l.opts.Accounts && isBareHandle(content, result.Type) {
		return asset.Identity{}, ErrAccount
	}
	return result.Identity, nil
}

// isBareHandle reports whether a content of a type is the handle of an account without @.
func isBareHandle(content string, of asset.Type) bool {
	if of != asset.TypeTwitter && of != asset.TypeInstagram || strings.HasPrefix(content, "@") {
		return false
	}
	return classify.Explain(content).Rule == classify.RuleHandle
}

// identifyHost returns the asset of a host: the PAGE, or the identifier of a platform whose own
// host it is. A number is a host only as the four decimal parts of an IPv4 address.
func (l *reader) identifyHost(text string) (asset.Identity, error) {
	if l.opts.Refang {
		text = refang(text)
	}
	if entity.MatchString(text) {
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
	if err != nil || result.Canonical != host || result.Type == asset.TypeURL {
		return asset.Identity{}, ErrNotHost
	}
	if bare, ok := classify.Host(result.Identity); !ok || bare != host {
		return asset.Identity{}, ErrNotHost
	}
	return result.Identity, nil
}

// identifyHostOrContent is identifyHost for lists that also have IPFS content identifiers.
func (l *reader) identifyHostOrContent(text string) (asset.Identity, error) {
	if classify.IsContentID(text) {
		return l.identify(text)
	}
	return l.identifyHost(text)
}

// withoutWildcard removes what says that a domain includes its subdomains, as each PAGE does.
func withoutWildcard(text string) (domain string, had bool) {
	if domain, had = strings.CutPrefix(text, "*."); had {
		return domain, true
	}
	return strings.CutPrefix(text, ".")
}

// host yields the entry for a host.
func (l *reader) host(line int, text string, status asset.Status) error {
	identity, err := l.identifyHost(text)
	if err != nil {
		return l.refuse(line, text, err)
	}
	return l.found(line, identity, status)
}
