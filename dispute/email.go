package dispute

import (
	"strings"
	"unicode"
)

// The limits of RFC 5321, section 4.5.3.1, and RFC 1035, section 2.3.4.
const (
	maxLocalPart = 64
	maxDomain    = 253
	maxLabel     = 63
)

// EmailKey returns the form under which two e-mail addresses are the same one:
// without outer white space and without letter case.
func EmailKey(email string) string {
	return strings.ToLower(strings.TrimSpace(email))
}

// validEmail judges an address by its syntax alone: a dot-atom (RFC 5322,
// section 3.2.3), "@", and the labels of a domain, in any script.
func validEmail(email string) bool {
	at := strings.LastIndexByte(email, '@')
	if at < 0 {
		return false
	}
	local, domain := email[:at], email[at+1:]
	return len(local) <= maxLocalPart && every(local, isAtom) &&
		len(domain) <= maxDomain && every(domain, isLabel)
}

// every reports whether each part of dotted is right.
func every(dotted string, right func(string) bool) bool {
	for part := range strings.SplitSeq(dotted, ".") {
		if !right(part) {
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
