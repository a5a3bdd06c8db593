package asset

import (
	"cmp"
	"slices"
	"time"

	"github.com/apguard/apguard/step"
)

// ListDecision is the status that a list holds on an asset.
type ListDecision struct {
	// ListID is the ID of the list; see package lists.
	ListID int64
	// Status is BLOCKED or ALLOWED.
	Status Status
	// Reason says why. It fits the status.
	Reason Reason
	// Since is when the list began to hold the status. It stays while the list does. It is in UTC and
	// has whole milliseconds, and is after all entries of allowlists that were there, even if the
	// clock was set back.
	Since time.Time
	// ExpiresAt is when the decision ends, or zero for never. It is in UTC and has whole milliseconds.
	ExpiresAt time.Time
}

// DecideList returns what is held once a list holds a status. The decision has no Since yet. DecideList
// returns false if the list holds the same with the same reason and end, so that nothing is to be written.
func (h Held) DecideList(decision ListDecision, at time.Time) (Held, bool) {
	decision.ExpiresAt = step.TruncateTime(decision.ExpiresAt)
	i := h.list(decision.ListID)
	switch {
	case i >= 0 && h.Lists[i].Status == decision.Status:
		if h.Lists[i].Reason == decision.Reason && h.Lists[i].ExpiresAt.Equal(decision.ExpiresAt) {
			return h, false
		}
		decision.Since = h.Lists[i].Since
	case h.LastEntry.IsZero():
		decision.Since = step.TruncateTime(at)
	default:
		decision.Since = later(step.TruncateTime(at), h.LastEntry.Add(time.Millisecond))
	}
	h.Lists = slices.Clone(h.Lists)
	if i < 0 {
		h.Lists = append(h.Lists, decision)
	} else {
		h.Lists[i] = decision
	}
	return h, true
}

// WithdrawList returns what is held once a list holds nothing. It returns false if the list held nothing.
func (h Held) WithdrawList(listID int64) (Held, bool) {
	i := h.list(listID)
	if i < 0 {
		return h, false
	}
	h.Lists = slices.Delete(slices.Clone(h.Lists), i, i+1)
	return h, true
}

// list returns the index of the decision of the list, or -1.
func (h Held) list(id int64) int {
	return slices.IndexFunc(h.Lists, func(d ListDecision) bool { return d.ListID == id })
}

// firstList returns the decision that began first of those that hold the status and began after a time,
// and whether there is one.
func firstList(lists []ListDecision, status Status, after time.Time) (first ListDecision, found bool) {
	for _, one := range lists {
		if one.Status != status || !after.IsZero() && !one.Since.After(after) {
			continue
		}
		if order := cmp.Or(one.Since.Compare(first.Since), cmp.Compare(one.ListID, first.ListID)); !found || order < 0 {
			first, found = one, true
		}
	}
	return first, found
}

// mergeLists returns the decisions of lists on two assets that become one. Of two of one list, the one
// that blocks stays, or else the earlier one.
func mergeLists(a, b []ListDecision) []ListDecision {
	both := slices.Concat(a, b)
	slices.SortFunc(both, func(a, b ListDecision) int {
		return cmp.Or(cmp.Compare(a.ListID, b.ListID), -cmp.Compare(mergeRank(a.Status), mergeRank(b.Status)), a.Since.Compare(b.Since))
	})
	return slices.CompactFunc(both, func(a, b ListDecision) bool { return a.ListID == b.ListID })
}
