package sqlstore

import (
	"strings"

	"github.com/apguard/apguard/asset"
)

// site returns what an asset has in common with the assets that cover it: the last two labels
// of its host, or the whole of an address. The exceptions are platform identifiers, for links
// to another host of the platform, as x.com/name covers https://twitter.com/name/likes.
//
// Hashes of it are stored, so it must never change. Therefore it does not depend on the Public
// Suffix List: the sites of all hosts below co.uk are the same.
func site(identity asset.Identity) string {
	host := host(identity)
	if last := strings.LastIndexByte(host, '.'); last > 0 {
		return host[strings.LastIndexByte(host[:last], '.')+1:]
	}
	return host
}

// host returns the host in a canonical form without its port, or the whole form if it has none.
func host(identity asset.Identity) string {
	text := identity.Canonical
	switch identity.Type {
	case asset.TypeAddress:
		return text
	case asset.TypeEmail:
		return text[strings.LastIndexByte(text, '@')+1:]
	case asset.TypeURL:
		if _, link, found := strings.Cut(text, "://"); found {
			text = link
		}
	default:
	}
	text = text[:authorityLen(text)]
	if end := strings.IndexByte(text, ']'); end >= 0 {
		return text[:end+1]
	}
	text, _, _ = strings.Cut(text, ":")
	return text
}

// authorityLen returns the length of a canonical form without its path, query and route.
func authorityLen(text string) int {
	for i := range len(text) {
		if c := text[i]; c == '/' || c == '?' || c == '#' {
			return i
		}
	}
	return len(text)
}
