package classify

import (
	"strings"

	"github.com/apguard/apguard/asset"
)

// Host returns the host of an asset: that of a URL or PAGE, and that of a MEDIUM
// name with a host of its own, such as name.medium.com. It reports false for every
// other identity: for one of another type, for an identifier that is a path on its
// platform's host, such as medium.com/@name, and for one that [Classify] never
// returns.
//
// The host is in its canonical form: a domain in ASCII and lower case without a
// trailing dot, an IPv4 address of four decimal parts, or an IPv6 address in the
// brackets that it has in a link. User information and a port are no part of it.
func Host(identity asset.Identity) (string, bool) {
	link, ok := linkOf(identity)
	if !ok {
		return "", false
	}
	// A canonical form is classified as itself, so anything else is none.
	result, err := Classify(identity.Canonical)
	if err != nil || result.Identity != identity {
		return "", false
	}
	authority, _ := cutAuthority(link)
	host, _ := cutPort(authority)
	return host, true
}

// linkOf returns the canonical form without its scheme, if it is a link with a host
// that belongs to the asset.
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
