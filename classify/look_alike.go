package classify

import (
	"strings"
	"unicode/utf8"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/unicode17"
)

// LookAlike returns the domain in ASCII that the host of an identity looks like. For
// https://xn--80ak6aa92e.com, which browsers may show in Cyrillic letters, it returns apple.com.
//
// The domain has the labels from the end of the host up to the first one with a letter that looks
// like no ASCII letter, digit or hyphen. LookAlike reports false if these labels are in ASCII
// already, or are not a domain or an IPv4 address that [Classify] accepts. So a name in Cyrillic
// with any such letter looks like nothing, and neither does a host in ASCII, even if it has rn for
// m or 0 for o. What letters look like is taken from UTS #39, in the version of Unicode that
// package classify has everywhere.
//
// A look-alike is for people to see. It decides no check, because many words look like others.
func LookAlike(identity asset.Identity) (domain string, ok bool) {
	host, _, _ := SplitHost(identity)
	if len(host) > maxIDN {
		return "", false // decoding is quadratic
	}
	labels := strings.Split(host, ".")
	first := len(labels)
	found := false
	for ; first > 0; first-- {
		label, ok := labelInASCII(labels[first-1])
		if !ok {
			break
		}
		found = found || label != labels[first-1]
		labels[first-1] = label
	}
	if !found {
		return "", false
	}
	domain = strings.Join(labels[first:], ".")
	result, err := Classify(domain)
	if err != nil || result.Canonical != domain {
		return "", false
	}
	return domain, true
}

// labelInASCII returns the ASCII label that a label of a host looks like.
func labelInASCII(label string) (string, bool) {
	if !strings.HasPrefix(label, punycodePrefix) {
		return label, true
	}
	decoded, ok := unicode17.DecodeLabel(label)
	if !ok {
		return "", false
	}
	var b strings.Builder
	for _, r := range decoded {
		text, ok := string(r), r < utf8.RuneSelf
		if !ok {
			text, ok = unicode17.LooksLike(r)
		}
		if !ok {
			return "", false
		}
		b.WriteString(text)
	}
	return b.String(), true
}
