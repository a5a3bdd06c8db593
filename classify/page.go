package classify

import (
	"strings"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/suffix"
)

// tryPage accepts domains and IP addresses, with or without port, path and query. An
// IPv4 address must have four decimal parts, because a bare number is not meant as a
// host.
func tryPage(in *input) outcome {
	l, reason := in.bareLink()
	if reason != "" {
		return pass(reason)
	}
	switch reason := checkPageHost(l.host); {
	case reason == ReasonUnknownSuffix && isEthereumName(in.text):
		return pass(ReasonEthereumName)
	case reason != "":
		return pass(reason)
	}
	return accept(asset.TypePage, l.withoutScheme(in.text))
}

// checkPageHost returns why a host is not that of a PAGE, or "".
func checkPageHost(h host) Reason {
	switch h.kind {
	case hostDomain:
		return checkDomain(h.text)
	case hostLooseIPv4, hostUnusable:
		return ReasonInvalidHost
	default:
		return ""
	}
}

// The maximum lengths of a label and of a domain name without the root's dot (RFC
// 1035, section 2.3.4).
const (
	maxLabel  = 63
	maxDomain = 253
)

// checkDomain returns why a domain in lower-case ASCII cannot be registered under an
// ICANN public suffix, or "". It permits underscores, which domain names may contain,
// unlike host names.
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
