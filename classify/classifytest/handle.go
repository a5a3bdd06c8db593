package classifytest

import (
	"strings"

	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

// Handle draws handles on their own, with or without an @. They are TWITTER or
// INSTAGRAM.
func Handle() *rapid.Generator[Case] {
	return rapid.Custom(func(t *rapid.T) Case {
		var of classify.Result
		switch rapid.IntRange(0, 2).Draw(t, "length") {
		case 0:
			of = result(asset.TypeTwitter, "x.com/"+drawName(t, "_", 1, 15))
		case 1:
			of = result(asset.TypeInstagram, "instagram.com/"+drawName(t, "_", 16, 30))
		default:
			name := drawText(t, letters+digits+"_", 1, 10)
			of = result(asset.TypeInstagram, "instagram.com/"+name+"."+drawName(t, "_", 1, 10))
		}
		text := drawCase(t, drawOne(t, bareNames(of)...))
		return Case{Content: drawOne(t, outerSpaces...) + text + drawOne(t, outerSpaces...), Result: of}
	})
}

// bareNames returns the ways of writing an identifier as a handle on its own.
func bareNames(of classify.Result) []string {
	_, name, _ := strings.Cut(of.Canonical, "/")
	switch {
	case of.Type == asset.TypeTwitter:
	case of.Type == asset.TypeInstagram && (len(name) > 15 || strings.Contains(name, ".")):
	default:
		return nil
	}
	if isOnlyHandle(name) {
		return []string{"@" + name, name}
	}
	return []string{"@" + name}
}

// isOnlyHandle reports whether the name without an @ is a handle for certain, in
// whatever letter case: it is no number and no domain, and does not begin as the
// addresses and secret keys do that are as short as a handle.
func isOnlyHandle(name string) bool {
	switch {
	case strings.Trim(name, digits) == "", strings.ContainsAny(name, ".1"):
		return false
	case strings.HasPrefix(name, "0x"), strings.HasPrefix(name, "rrr"):
		return false
	case len(name) > 15 && strings.HasPrefix(name, "s"):
		return false
	}
	return true
}
