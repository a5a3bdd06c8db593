package classify

import (
	"strings"

	"github.com/apguard/apguard/asset"
)

// Host returns the host of a URL, of a PAGE, or of a MEDIUM name that has its own host,
// such as name.medium.com. For every other identity it reports false. Examples are
// medium.com/@name, which is a path on the platform's host, and identities that
// [Classify] never returns.
//
// The host is in canonical form: a domain in lower-case ASCII without a trailing dot, an
// IPv4 address of four decimal parts, or an IPv6 address in brackets. It includes no
// user information and no port.
func Host(identity asset.Identity) (string, bool) {
	link, ok := linkOf(identity)
	if !ok {
		return "", false
	}
	// A canonical form is its own canonical form.
	result, err := Classify(identity.Canonical)
	if err != nil || result.Identity != identity {
		return "", false
	}
	authority, _ := cutAuthority(link)
	host, _ := cutPort(authority)
	return host, true
}

// linkOf returns the canonical form without its scheme. It reports false if the asset
// has no host of its own.
func linkOf(identity asset.Identity) (string, bool) {
	switch identity.Type {
	case asset.TypeURL:
		_, link, ok := strings.Cut(identity.Canonical, "://")
		return link, ok
	case asset.TypePage:
		return identity.Canonical, true
	case asset.TypeMedium:
		return identity.Canonical, !strings.HasPrefix(identity.Canonical, "medium.com/")
	default:
		return "", false
	}
}
