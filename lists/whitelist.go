package lists

import (
	"strings"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

// whitelist returns the hosts that are ALLOWED with everything on and below them. It also notes
// the URLs.
func (l *writer) whitelist(source Source) (hostSet, error) {
	allowed := make(hostSet)
	err := read(source, asset.Filter{}, []asset.Status{asset.StatusAllowed}, func(one asset.Listed) error {
		if host, _, reason := allowedHost(one.Identity); reason == "" {
			allowed.add(host)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = read(source, asset.Filter{}, []asset.Status{asset.StatusBlocked}, func(one asset.Listed) error {
		if one.Type != asset.TypeEmail {
			allowed.removeAbove(one.Identity)
		}
		return l.noteURL(one)
	})
	return allowed, err
}

// removeAbove removes the host of an asset and the domains above it.
func (s hostSet) removeAbove(identity asset.Identity) {
	host, _, _ := classify.SplitHost(identity)
	for more := len(s) > 0 && host != ""; more; {
		s.remove(host)
		_, host, more = strings.Cut(host, ".")
	}
}

// allowedHost returns the host of an ALLOWED asset that a whitelist may have, or why it may not.
func allowedHost(one asset.Identity) (host string, kind hostKind, reason string) {
	host, kind, reason = hostOf(one)
	if reason == "" {
		reason = notAllowed(one.Type, host, kind)
	}
	return host, kind, reason
}

// find returns the host of an ALLOWED asset in a whitelist, or why the whitelist lacks it.
func (s hostSet) find(one asset.Identity) (host string, kind hostKind, reason string) {
	host, kind, reason = allowedHost(one)
	if reason == "" && !s.has(host) {
		reason = aboveBlock
	}
	return host, kind, reason
}

// notAllowed returns why a whitelist may not have the host of an asset, or the empty text.
func notAllowed(of asset.Type, host string, kind hostKind) (reason string) {
	switch {
	case of == asset.TypeURL:
		return allowedURL
	case kind == deepDomain:
		return manyLabels
	case classify.IsPlatformHost(host):
		return platform
	}
	return ""
}
