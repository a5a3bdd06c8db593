package classifytest

import (
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

// Handle draws bare handles of TWITTER or INSTAGRAM, with or without an @.
func Handle() *rapid.Generator[Case] {
	return rapid.Custom(func(t *rapid.T) Case {
		var of classify.Result
		switch rapid.IntRange(0, 2).Draw(t, "length") {
		case 0:
			of = result(asset.TypeTwitter, "x.com/"+drawName(t, "_", 1, 15))
		case 1:
			start := drawText(t, strings.ReplaceAll(letters, "s", "")+digits+"_", 1, 1)
			of = result(asset.TypeInstagram, "instagram.com/"+start+drawName(t, "_", 15, 29))
		default:
			name := drawText(t, letters+digits+"_", 1, 10)
			of = result(asset.TypeInstagram, "instagram.com/"+name+"."+drawName(t, "_", 1, 10))
		}
		text := drawCase(t, drawOne(t, bareNames(of)...))
		return newCase(drawOne(t, outerSpaces...)+text+drawOne(t, outerSpaces...), of)
	})
}

// bareNames returns the notations of an identifier as a bare handle. It returns none if
// one may look like a secret key in some letter case.
func bareNames(of classify.Result) []string {
	_, name, _ := strings.Cut(of.Canonical, "/")
	switch {
	case of.Type == asset.TypeTwitter:
	case of.Type == asset.TypeInstagram && strings.Contains(name, "."):
	case of.Type == asset.TypeInstagram && len(name) > 15 && !strings.HasPrefix(name, "s"):
	default:
		return nil
	}
	if isOnlyHandle(name) {
		return []string{"@" + name, name}
	}
	return []string{"@" + name}
}

// reservedDomains are the names that are handles only with an @.
var reservedDomains = []string{
	"alt", "example", "internal", "invalid", "local", "localhost", "onion", "test",
	"arpa", "com", "edu", "gov", "int", "mil", "net", "org",
}

// isOnlyHandle reports whether the name without an @ is certainly a handle in every
// letter case: it is neither a number, a domain nor a reserved domain, and lacks the
// prefix of a short address.
func isOnlyHandle(name string) bool {
	switch {
	case strings.Trim(name, digits) == "", strings.ContainsAny(name, ".1"):
		return false
	case strings.HasPrefix(name, "0x"), strings.HasPrefix(name, "rrr"):
		return false
	case slices.Contains(reservedDomains, name):
		return false
	}
	return true
}
