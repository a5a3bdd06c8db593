package classify

import (
	"strings"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify/internal/suffix"
)

// tryPage takes domains and IP addresses, with or without port, path and query.
// An IPv4 address must be written as four decimal parts: browsers take a bare
// number for one, but people do not.
func tryPage(in *input) outcome {
	l, reason := in.bareLink()
	if reason != "" {
		return pass(reason)
	}
	if l.host.kind == hostOddIPv4 {
		return pass(ReasonInvalidHost)
	}
	if l.host.kind == hostDomain {
		if reason := checkDomain(l.host.text); reason != "" {
			return pass(reason)
		}
	}
	return accept(asset.TypePage, l.withoutScheme(in.text))
}

// The longest label, and the longest domain name without the root's dot, that
// there can be (RFC 1035, section 2.3.4).
const (
	maxLabel  = 63
	maxDomain = 253
)

// checkDomain returns why a domain, in ASCII and lower case, cannot be
// registered under an ICANN public suffix, or "" when it can. Underscores are
// let pass: host names have none, but domain names do.
func checkDomain(domain string) Reason {
	if len(domain) > maxDomain {
		return ReasonInvalidHost
	}
	for label := range strings.SplitSeq(domain, ".") {
		if !hasLength(label, 1, maxLabel) || !isASCIIName(label, "-_") {
			return ReasonInvalidHost
		}
	}
	switch publicSuffix, ok := suffix.Find(domain); {
	case !ok:
		return ReasonUnknownSuffix
	case publicSuffix == domain:
		return ReasonBareSuffix
	}
	return ""
}
