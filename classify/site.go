package classify

import (
	"strings"

	"github.com/apguard/apguard/asset"
)

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
