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
	host, _, rest := SplitHost(identity)
	switch identity.Type {
	case asset.TypeURL, asset.TypePage:
	case asset.TypeMedium:
		if rest != "" {
			return "", false
		}
	default:
		return "", false
	}
	// A canonical form is its own canonical form.
	result, err := Classify(identity.Canonical)
	if err != nil || result.Identity != identity {
		return "", false
	}
	return host, true
}

// SplitHost splits a canonical form into its host, its port, and the path with the query
// and the route. All of them are empty for an ADDRESS. The scheme of a URL and the local
// part of an e-mail address are left out.
//
// SplitHost does not check the canonical form. For one that [Classify] never returns, the
// parts are without meaning.
func SplitHost(identity asset.Identity) (host, port, rest string) {
	text := identity.Canonical
	switch identity.Type {
	case asset.TypeAddress:
		return "", "", ""
	case asset.TypeEmail:
		return text[strings.LastIndexByte(text, '@')+1:], "", ""
	case asset.TypeURL:
		if _, link, found := strings.Cut(text, "://"); found {
			text = link
		}
	default:
	}
	authority, rest := cutAuthority(text)
	host, port = cutPort(authority)
	return host, strings.TrimPrefix(port, ":"), rest
}

// Site returns what an asset has in common with the assets that cover it: the last two labels
// of its host, or the account of an address. Covers of links to a platform may differ in it:
// https://x.com/a covers https://twitter.com/a. So may the IPv4 address of an IPv6 address.
//
// Stores keep hashes of it, so it must never change. Therefore it does not depend on the Public
// Suffix List: the sites of all hosts below co.uk are the same.
func Site(identity asset.Identity) string {
	if identity.Type == asset.TypeAddress {
		if account, ok := accountOf(identity); ok {
			return account.Canonical
		}
		return identity.Canonical
	}
	host, _, _ := SplitHost(identity)
	if last := strings.LastIndexByte(host, '.'); last > 0 {
		return host[strings.LastIndexByte(host[:last], '.')+1:]
	}
	return host
}
