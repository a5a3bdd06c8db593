package classify

import (
	"strings"

	"github.com/apguard/apguard/internal/suffix"
)

// HostScope says how much the status of a host decides about the hosts below it. The zero value
// is not a scope.
type HostScope string

// The scopes of hosts.
const (
	// ScopeAll means that the PAGE of the host covers all hosts below it.
	ScopeAll HostScope = "ALL"
	// ScopeSome means that it does not cover the deepest of them, because the host has many
	// labels.
	ScopeSome HostScope = "SOME"
	// ScopeNone means that the host has no PAGE, because its top-level domain is unknown.
	ScopeNone HostScope = "NONE"
	// ScopeSuffix means that others register their domains below the host: it is a public
	// suffix, or a single label, or it ends some public suffix, as amazonaws.com does.
	ScopeSuffix HostScope = "SUFFIX"
	// ScopeSpecialUse means that the host is in a special-use domain, such as onion or
	// localhost (RFC 6761), or in arpa.
	ScopeSpecialUse HostScope = "SPECIAL_USE"
)

// ScopeOf returns the scope of a domain in canonical form; see [Host]. An IP address has
// ScopeAll, because there are no hosts below it.
func ScopeOf(host string) HostScope {
	if strings.HasPrefix(host, "[") || endsInNumber(host) {
		return ScopeAll
	}
	last := host[strings.LastIndexByte(host, '.')+1:]
	switch {
	case last == "arpa" || isSpecialUse(last):
		return ScopeSpecialUse
	case suffix.Is(host) || suffix.HasBelow(host):
		return ScopeSuffix
	case checkDomain(host) != "":
		return ScopeNone
	}
	publicSuffix, _ := suffix.FindPrivate(host)
	if strings.Count(host[:len(host)-len(publicSuffix)], ".") > maxCoveringParents {
		return ScopeSome
	}
	return ScopeAll
}

// IsPlatformHost reports whether a domain in canonical form is a platform's own, so that links on
// it name what belongs to different people: github.com, but also name.medium.com.
func IsPlatformHost(host string) bool {
	_, site := cutSite(host)
	switch site {
	case "youtu.be", "youtube-nocookie.com", "githubusercontent.com":
		return true
	}
	_, ok := platformAt(site)
	return ok
}
