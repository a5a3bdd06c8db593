package dispute

import (
	"cmp"
	"slices"
	"time"

	"github.com/apguard/apguard/asset"
)

// Filter chooses disputes. Each field that is not its zero value must hold; the
// zero Filter matches every dispute.
type Filter struct {
	// States asks for one of them. Empty means any.
	States []State
	// Identity matches the disputes of one asset.
	Identity asset.Identity
	// Email is compared as [EmailKey] has it. Blank means any.
	Email string
	// Created is the period in which the dispute was created.
	Created asset.Period
}

// Validate returns an [*asset.InputError] when the filter is wrong in itself.
func (f Filter) Validate() error {
	var issues asset.Issues
	issues.Check(!slices.ContainsFunc(f.States, invalidState), "state", "must be OPEN, UNDER_REVIEW, ACCEPTED, REJECTED or WITHDRAWN")
	issues.Check(f.Identity == asset.Identity{} || f.Identity.Type.Valid(), "content", "must be of an asset type")
	issues.CheckText("content", f.Identity.Canonical)
	issues.CheckText("email", f.Email)
	issues.Check(!f.Created.Backwards(), "startDate", "must not be after endDate")
	return issues.Err()
}

func invalidState(s State) bool { return !s.Valid() }

// Match reports whether the filter chooses dispute d of the asset with the given
// identity, by the address with the given [EmailKey]. Every store answers as this
// function does.
func (f Filter) Match(d Dispute, identity asset.Identity, emailKey string) bool {
	wanted := EmailKey(f.Email)
	return (len(f.States) == 0 || slices.Contains(f.States, d.State)) &&
		(f.Identity == asset.Identity{} || f.Identity == identity) &&
		(wanted == "" || wanted == emailKey) &&
		f.Created.Contains(d.CreatedAt)
}

// Cursor is a place in a listing: right after the dispute that was created at that
// time and has that ID, in the direction in which one reads. The zero value is the
// start. It is comparable.
type Cursor struct {
	At time.Time
	ID int64
}

// Cursor returns the place in a listing right after d.
func (d Dispute) Cursor() Cursor {
	return Cursor{At: d.CreatedAt, ID: d.ID}
}

// Listing is a page of disputes that is asked for.
type Listing struct {
	Filter Filter
	// Cursor is where the page begins.
	Cursor Cursor
	// OldestFirst turns the order round, which is newest first otherwise.
	OldestFirst bool
	// Limit is the largest number of disputes, from 1.
	Limit int
}

// Match reports whether dispute d belongs to the listing, but for its limit: the
// filter chooses it, as [Filter.Match] has it, and it comes after the cursor. Every
// store answers as this function does.
func (l Listing) Match(d Dispute, identity asset.Identity, emailKey string) bool {
	return l.ahead(d.Cursor()) && l.Filter.Match(d, identity, emailKey)
}

func (l Listing) ahead(place Cursor) bool {
	return l.Cursor == (Cursor{}) || l.comparePlaces(l.Cursor, place) < 0
}

// Compare is below 0 when a comes before b: by the time of creation, then by ID. It
// is 0 for a dispute and itself alone.
func (l Listing) Compare(a, b Dispute) int {
	return l.comparePlaces(a.Cursor(), b.Cursor())
}

func (l Listing) comparePlaces(a, b Cursor) int {
	if !l.OldestFirst {
		a, b = b, a
	}
	return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID))
}
