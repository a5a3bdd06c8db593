package dispute

import (
	"slices"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
)

// Filter selects disputes. All fields that are set must match. The zero Filter matches
// every dispute.
type Filter struct {
	// States matches disputes in one of these states. Empty means any.
	States []State
	// Identity matches the disputes of one asset.
	Identity asset.Identity
	// Assignee matches the disputes of this user. 0 means any.
	Assignee int64
	// Email matches addresses with the same [account.EmailKey]. Blank means any.
	Email string
	// Created is the period in which the dispute was created.
	Created asset.Period
}

// Validate returns an [*asset.InputError] that lists every invalid field, or nil.
func (f Filter) Validate() error {
	var issues asset.Issues
	issues.Check(!slices.ContainsFunc(f.States, func(s State) bool { return !s.Valid() }),
		"states", "must be OPEN, UNDER_REVIEW, ACCEPTED, REJECTED or WITHDRAWN")
	issues.Check(f.Identity == asset.Identity{} || f.Identity.Type.Valid(), "content", "must be of an asset type")
	issues.CheckText("content", f.Identity.Canonical)
	issues.CheckText("email", f.Email)
	issues.CheckUser("assigneeId", f.Assignee)
	issues.Check(!f.Created.Backwards(), "startDate", "must not be after endDate")
	return issues.Err()
}

// Match reports whether the filter selects d. It takes the identity of the disputed asset.
// emailKey is the [account.EmailKey] of the dispute's address.
func (f Filter) Match(d Dispute, identity asset.Identity, emailKey string) bool {
	want := account.EmailKey(f.Email)
	return (len(f.States) == 0 || slices.Contains(f.States, d.State)) &&
		(f.Identity == asset.Identity{} || f.Identity == identity) &&
		(f.Assignee == 0 || f.Assignee == d.Assignee) &&
		(want == "" || want == emailKey) &&
		f.Created.Contains(d.CreatedAt)
}
