package classify

import (
	"strings"

	"github.com/apguard/apguard/asset"
)

// maxLocalPart is the longest local part there can be (RFC 5321, section
// 4.5.3.1.1).
const maxLocalPart = 64

// tryEmail takes e-mail addresses: a dot-atom of RFC 5322, an @, and a domain
// that can be registered. Quoted local parts, comments and names beside the
// address are not taken. No mail provider in wide use distinguishes the letter
// case of local parts, so neither does the canonical form.
func tryEmail(in *input) outcome {
	local, domain, ok := strings.Cut(in.text, "@")
	if !ok || len(local) > maxLocalPart || !isDotAtom(local) || strings.ContainsAny(domain, `/\?#:`) || isDefanged(domain) {
		return pass(ReasonUnrecognized)
	}
	ascii, reason := emailDomain(domain)
	switch {
	case reason == "":
		return accept(asset.TypeEmail, strings.ToLower(local)+"@"+ascii)
	case strings.ContainsAny(local, "/?#"):
		// It is rather a link with an @ in its path, and that has a reason of its own.
		return pass(ReasonUnrecognized)
	}
	return pass(reason)
}

// emailDomain returns the canonical form of the domain of an e-mail address, or why
// it is none.
func emailDomain(domain string) (string, Reason) {
	ascii, ok := domainToASCII(domain)
	if !ok || strings.Contains(ascii, "_") {
		return "", ReasonInvalidHost
	}
	ascii = strings.TrimSuffix(ascii, ".")
	return ascii, checkDomain(ascii)
}

// isDotAtom reports whether the text is a dot-atom (RFC 5322, section 3.2.3).
func isDotAtom(text string) bool {
	for atom := range strings.SplitSeq(text, ".") {
		if atom == "" || !isASCIIName(atom, "!#$%&'*+-/=?^_`{|}~") {
			return false
		}
	}
	return true
}
