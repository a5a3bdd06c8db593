package phishlist

import (
	"context"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

// Name returns the name that [Options] gave the list.
func (l *List) Name() string { return l.name }

// Status tells what the list holds of an asset, by its host as [classify.Host] finds
// it: ALLOWED if an allowlist covers it, BLOCKED if it is blocked, and UNKNOWN if
// there is nothing to say, as about an asset without a host. There is never an error.
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
