package classify

import (
	"strings"

	"github.com/apguard/apguard/asset"
)

// tryHandle accepts bare handles, with or without an @. The length decides between the
// two platforms, unless the handle contains a dot. Without an @, a handle needs a letter
// or an underscore, and is neither a reserved domain name nor a dotted name that may be a
// domain.
func tryHandle(in *input) outcome {
	name, at := strings.CutPrefix(in.text, "@")
	switch {
	case !at && isDigits(strings.ReplaceAll(name, ".", "")):
		return pass(ReasonUnrecognized)
	case !at && isReservedDomain(strings.ToLower(name)):
		return reject(ReasonReservedDomain)
	case isTwitterHandle(name):
		canonical, ok := twitterCanonical(name)
		if !ok {
			return reject(ReasonReservedWord)
		}
		return accept(asset.TypeTwitter, canonical)
	case isInstagramName(name) && (at || !mayBeDomain(strings.ToLower(name))):
		canonical, ok := instagramCanonical(name)
		if !ok {
			return reject(ReasonReservedWord)
		}
		return accept(asset.TypeInstagram, canonical)
	case at:
		return pass(ReasonInvalidHandle)
	}
	return pass(ReasonUnrecognized)
}

// mayBeDomain reports whether a lower-case handle may be meant as a domain or an IP address. The
// top-level domains of the DNS and of most name services consist of letters (RFC 1123, section
// 2.1), apart from those in punycode, which no handle contains. A number is the end of an IP
// address, or 888 of Unstoppable Domains.
func mayBeDomain(name string) bool {
	last := strings.LastIndexByte(name, '.')
	if last < 0 {
		return false
	}
	return endsInNumber(name) || !strings.ContainsFunc(name[last+1:], func(r rune) bool { return r < 'a' || 'z' < r })
}

// isReservedDomain reports whether the lower-case name is a top-level domain that
// means a domain rather than a handle. The domains of brands, such as google, do not.
func isReservedDomain(name string) bool {
	switch name {
	case "arpa", "com", "edu", "gov", "int", "mil", "net", "org": // RFC 920 and RFC 1591
		return true
	}
	return isSpecialUse(name)
}

// isSpecialUse reports whether the lower-case name is a top-level domain that is not in the public
// DNS (RFC 6761 and others).
func isSpecialUse(name string) bool {
	switch name {
	case "alt", "example", "internal", "invalid", "local", "localhost", "onion", "test":
		return true
	}
	return false
}
