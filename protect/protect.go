// Package protect finds protected assets: those that nobody is to block by accident, because that would concern
// many people. Blocking one takes a confirmation; see [asset.ErrProtected].
//
// A [Rule] knows hosts: public suffixes, the hosts of platforms and other popular ones, and the names that the
// owner of a server adds. A [Service] also protects what organizations have on their allowlists.
//
// A host is protected as a whole: its PAGE and its URLs without a port, path or query, with the domains above it.
// What is below it, such as a path or another subdomain, can be blocked as ever.
package protect

import (
	"strings"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

// Rule says which hosts are protected. The zero value protects public suffixes, platforms and popular hosts.
type Rule struct {
	// Names reports whether a host, a domain in canonical form, is protected because it is one of the names of the
	// owner of the server, or above one. [Names] returns such a function. Nil means that there are none. It must
	// be safe for concurrent use.
	Names func(host string) bool
}

// Why returns why an asset is protected. It reports false for one that is not, and for all that are no host.
func (r Rule) Why(identity asset.Identity) (asset.Protection, bool) {
	host, is := asset.WholeHost(identity)
	if !is {
		return asset.Protection{}, false
	}
	site := strings.TrimPrefix(host, "www.")
	reason := asset.ProtectionReason("")
	switch _, suffix := asset.PublicSuffix(identity); {
	case suffix:
		reason = asset.ProtectedSuffix
	case r.Names != nil && (r.Names(host) || r.Names(site)):
		reason = asset.ProtectedName
	case classify.IsPlatformHost(host):
		reason = asset.ProtectedPlatform
	case isPopular(site):
		reason = asset.ProtectedPopular
	}
	return asset.Protection{Reason: reason, By: host}, reason != ""
}

// Names returns a function for the Names of a [Rule]: it protects the hosts and every domain above them. The hosts
// are domains in canonical form.
func Names(hosts []string) func(host string) bool {
	names := make(map[string]struct{}, len(hosts))
	for _, host := range hosts {
		for more := true; more; _, host, more = strings.Cut(host, ".") {
			names[host] = struct{}{}
		}
	}
	return func(host string) bool {
		_, named := names[host]
		return named
	}
}
