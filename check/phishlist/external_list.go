package phishlist

import (
	"context"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/classify"
)

var (
	_ check.ExternalList = (*List)(nil)
	_ check.ExternalList = (*File)(nil)
)

// Name returns the name from [Options].
func (l *List) Name() string { return l.name }

// Status returns the status that the list gives an asset, judged by its host as
// [classify.Host] returns it: ALLOWED if an allowlist covers the host, BLOCKED if
// [List.Check] blocks it, and UNKNOWN otherwise. An asset without a host is UNKNOWN.
// The error is always nil.
func (l *List) Status(_ context.Context, identity asset.Identity) (asset.Status, error) {
	host, ok := classify.Host(identity)
	if !ok {
		return asset.StatusUnknown, nil
	}
	switch l.Check(host).Rule {
	case RuleAllowlist:
		return asset.StatusAllowed, nil
	case RuleBlocklist, RuleFuzzy:
		return asset.StatusBlocked, nil
	default:
		return asset.StatusUnknown, nil
	}
}
