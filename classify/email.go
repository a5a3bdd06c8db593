package classify

import (
	"strings"

	"github.com/apguard/apguard/asset"
)

// maxLocalPart is the maximum length of a local part (RFC 5321, section 4.5.3.1.1).
const maxLocalPart = 64

// tryEmail accepts e-mail addresses: a dot-atom (RFC 5322), an @, and a registrable
// domain. It accepts no quoted local parts, comments or display names. Common mail
// providers ignore the letter case of local parts, and so does the canonical form.
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
		// A link with an @ in its path has a reason of its own.
		return pass(ReasonUnrecognized)
	}
	return pass(reason)
}

// emailDomain returns the canonical form of the domain of an e-mail address, or the
// reason to refuse it.
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
