package sqlstore

import (
	"strings"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

// site returns what an asset has in common with the assets that cover it: the last two labels
// of its host, or the whole of an address. Some platform identifiers differ in it from what
// they cover: x.com/name covers https://twitter.com/name/likes.
//
// Hashes of it are stored, so it must never change. Therefore it does not depend on the Public
// Suffix List: the sites of all hosts below co.uk are the same.
func site(identity asset.Identity) string {
	if identity.Type == asset.TypeAddress {
		return identity.Canonical
	}
	host, _, _ := classify.SplitHost(identity)
	if last := strings.LastIndexByte(host, '.'); last > 0 {
		return host[strings.LastIndexByte(host[:last], '.')+1:]
	}
	return host
}
