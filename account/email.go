package account

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// EmailKey returns the form in which e-mail addresses are compared: in lower case, without
// surrounding white space. A character outside of ASCII never equals one of ASCII: the long s
// and the Kelvin sign are not the letters that Unicode folds them to.
func EmailKey(email string) string {
	return strings.Map(lower, strings.TrimSpace(email))
}

func lower(r rune) rune {
	if l := unicode.ToLower(r); r < utf8.RuneSelf || l >= utf8.RuneSelf {
		return l
	}
	return r
}

// The limits of RFC 5321, section 4.5.3.1, and RFC 1035, section 2.3.4.
const (
	maxLocalPart = 64
	maxDomain    = 253
	maxLabel     = 63
)

// ValidEmail reports whether email has the syntax of an address: a dot-atom (RFC 5322,
// section 3.2.3), "@", and the labels of a domain, in any script.
func ValidEmail(email string) bool {
	at := strings.LastIndexByte(email, '@')
	if at < 0 {
		return false
	}
	local, domain := email[:at], email[at+1:]
	return len(local) <= maxLocalPart && everyPart(local, isAtom) &&
		len(domain) <= maxDomain && everyPart(domain, isLabel)
}

// everyPart reports whether every part between the dots is valid.
func everyPart(dotted string, valid func(string) bool) bool {
	for part := range strings.SplitSeq(dotted, ".") {
		if !valid(part) {
			return false
		}
	}
	return true
}

func isAtom(atom string) bool {
	return atom != "" && strings.IndexFunc(atom, func(r rune) bool {
		return !isASCIIAlphanumeric(r) && !strings.ContainsRune("!#$%&'*+-/=?^_`{|}~", r)
	}) < 0
}

func isLabel(label string) bool {
	return label != "" && len(label) <= maxLabel &&
		!strings.HasPrefix(label, "-") && !strings.HasSuffix(label, "-") &&
		strings.IndexFunc(label, func(r rune) bool {
			return r != '-' && !unicode.In(r, unicode.L, unicode.M, unicode.N)
		}) < 0
}

func isASCIIAlphanumeric(r rune) bool {
	return '0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z'
}
