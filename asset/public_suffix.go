package asset

import (
	"errors"
	"strings"

	"github.com/apguard/apguard/internal/suffix"
)

// ErrPublicSuffix reports that a request blocks a public suffix without confirming it. The error
// is an [*InputError] with the field confirmSuffix.
var ErrPublicSuffix = errors.New("must be true to block a public suffix")

// PublicSuffix returns the public suffix that an asset is: a host under which others register
// their domains, such as https://com or github.io. It reports false for every other asset, including
// a page below such a host. It uses the whole Public Suffix List. A single label that the
// list lacks is a suffix too.
func PublicSuffix(identity Identity) (string, bool) {
	host := identity.Canonical
	switch identity.Type {
	case TypePage:
	case TypeURL:
		var isLink bool
		if _, host, isLink = strings.Cut(host, "://"); !isLink {
			return "", false
		}
	default:
		return "", false
	}
	if host == "" || strings.ContainsAny(host, "/?#:") || !suffix.Is(host) {
		return "", false
	}
	return host, true
}

// CheckPublicSuffix returns an error that matches [ErrPublicSuffix] if the status blocks a public
// suffix and this is not confirmed.
func CheckPublicSuffix(identity Identity, status Status, confirmed bool) error {
	if status != StatusBlocked || confirmed {
		return nil
	}
	var issues Issues
	if blocked, is := PublicSuffix(identity); is {
		issues = Issues{{Field: "confirmSuffix", Message: ErrPublicSuffix.Error() + ": " + blocked, Err: ErrPublicSuffix}}
	}
	return issues.Err()
}
