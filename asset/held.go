package asset

import (
	"cmp"
	"slices"
	"time"

	"github.com/apguard/apguard/step"
)

// Held is an asset with what is held on it, as a step of a store finds it: the decision of the
// operators, the entries of organizations in their allowlists, and the decisions of lists. The
// status of an asset is a function of these alone:
//
//   - If the operators hold a decision, the latest of it and the entries decides. Of the same
//     time, the entry does.
//   - If they hold none, an entry makes the asset ALLOWED, unless a list that began to block it after
//     the last entry still does.
//   - Without either, the asset is BLOCKED if a list blocks it, and ALLOWED if one allows it.
//   - Otherwise it is UNKNOWN.
//
// A store locks the asset, applies what its step does to the Held, and writes that and the change
// of [Held.Settle]. It compares no statuses.
type Held struct {
	// Known has the status and the basis that are stored. A new asset is UNKNOWN, without a basis.
	Known
	// ChangedAt is the time of the last change of the asset, or zero.
	ChangedAt time.Time
	// Operators is the decision of the operators, or nil.
	Operators *Decision
	// LastEntry is the largest AddedAt of the entries of the asset that have not ended at the time of the
	// step. It is zero if there is none.
	LastEntry time.Time
	// Lists are the decisions of lists, at most one of each, in any order.
	Lists []ListDecision
}

// NewHeld returns the Held of an asset that does not exist. It is UNKNOWN, and nothing is held on it.
func NewHeld(identity Identity) Held {
	return Held{Known: Known{Asset: Asset{Identity: identity, Status: StatusUnknown}}}
}

// Counts returns the source that gives the asset its status, and the decision of the list if it is one.
// Of several lists, it is the one that began first.
func (h Held) Counts() (Source, ListDecision) {
	entry := !h.LastEntry.IsZero()
	switch {
	case h.Operators != nil && (!entry || h.LastEntry.Before(h.Operators.Since)):
		return SourceOperator, ListDecision{}
	case h.Operators != nil:
		return SourceOrganization, ListDecision{}
	case entry:
		if list, found := firstList(h.Lists, StatusBlocked, h.LastEntry); found {
			return SourceList, list
		}
		return SourceOrganization, ListDecision{}
	}
	for _, status := range [...]Status{StatusBlocked, StatusAllowed} {
		if list, found := firstList(h.Lists, status, time.Time{}); found {
			return SourceList, list
		}
	}
	return "", ListDecision{}
}

// decided returns the status that the decisions give to the asset, and its basis.
func (h Held) decided() (Status, Basis) {
	switch source, list := h.Counts(); source {
	case SourceOperator:
		return h.Operators.Status, Basis{By: source, Reason: h.Operators.Reason, Note: h.Operators.Note, Since: h.Operators.Since}
	case SourceOrganization:
		if h.By == source {
			return StatusAllowed, h.Basis
		}
		return StatusAllowed, Basis{By: source, Since: h.LastEntry}
	case SourceList:
		return list.Status, Basis{By: source, ListID: list.ListID, Reason: list.Reason, Since: list.Since}
	default:
		return StatusUnknown, Basis{}
	}
}

// entryCounts reports whether the last entry gives the asset its status.
func (h Held) entryCounts() bool {
	source, _ := h.Counts()
	return source == SourceOrganization
}

// Decide returns what is held once the operators have decided. The decision has no Since and no Replaced
// yet. If they hold the status already, its reason and its note stay unless the decision has others. Its
// end and its review do not: without them, the decision has none.
// Decide returns false if nothing is to be written then. Settle may still have a change to make: an
// entry may have ended in the meantime.
func (h Held) Decide(decision Decision, at time.Time) (Held, bool) {
	before := h.Operators
	decision.ExpiresAt, decision.ReviewAt = step.TruncateTime(decision.ExpiresAt), step.TruncateTime(decision.ReviewAt)
	if before != nil && before.Status == decision.Status {
		decision.Reason, decision.Note = cmp.Or(decision.Reason, before.Reason), cmp.Or(decision.Note, before.Note)
		if decision.repeats(*before) && !h.entryCounts() {
			return h, false
		}
	}
	decision.Reason = decision.Reason.For(decision.Status)
	decision.Since = h.next(at)
	if before != nil {
		decision.Replaced = before.withoutReplaced()
	}
	h.Operators = &decision
	return h, true
}

// next returns the Since of a decision that the operators take now.
func (h Held) next(at time.Time) time.Time {
	since := step.TruncateTime(at)
	if !h.LastEntry.IsZero() {
		since = later(since, h.LastEntry.Add(time.Millisecond))
	}
	if h.Operators != nil {
		since = later(since, h.Operators.Since.Add(time.Millisecond))
	}
	return since
}

// Withdraw returns what is held once the operators hold nothing.
func (h Held) Withdraw() Held {
	h.Operators = nil
	return h
}

// Revert returns what is held once the decision with that Since is undone: the one that it replaced stands
// again, unless it has ended. If another one has replaced it since, that one stays and no longer leads back
// to it. Revert returns false if there is no such decision.
func (h Held) Revert(since, at time.Time) (Held, bool) {
	switch now := h.Operators; {
	case since.IsZero() || now == nil:
		return h, false
	case now.Since.Equal(since):
		h.Operators = now.Replaced
		if h.Operators != nil && h.Operators.Ended(at) {
			h.Operators = nil
		}
		return h, true
	case now.Replaced != nil && now.Replaced.Since.Equal(since):
		h.Operators = now.withoutReplaced()
		return h, true
	default:
		return h, false
	}
}

// Add returns what is held once an organization has added the asset, and the AddedAt of the entry.
// That is not before the decision of the operators, and those of lists that block the asset.
func (h Held) Add(at time.Time) (Held, time.Time) {
	at = step.TruncateTime(at)
	if h.Operators != nil {
		at = later(at, h.Operators.Since)
	}
	for _, list := range h.Lists {
		if list.Status == StatusBlocked {
			at = later(at, list.Since)
		}
	}
	h.LastEntry = later(at, h.LastEntry)
	return h, at
}

// Settle gives the asset the status and the basis that the decisions give it. It returns the change to
// record, without its ID, and whether there is one: if both stay, there is none. The change is never
// before the last one of the asset.
func (h Held) Settle(at time.Time, origin Origin) (Held, Change, bool) {
	to, basis := h.decided()
	if to == h.Status && basis.equal(h.Basis) {
		return h, Change{}, false
	}
	change := Change{
		AssetID: h.ID,
		Type:    h.Type,
		Content: h.Canonical,
		From:    h.Status,
		To:      to,
		At:      later(step.TruncateTime(at), h.ChangedAt),
		Origin:  origin,
		Basis:   basis,
	}
	h.Status, h.Basis, h.ChangedAt = to, basis, change.At
	return h, change, true
}

// Merge returns what is held on the asset once other is the same one, whose entries it has already.
// The decisions give it [MergedStatus]: of two, the one that blocks stays, or else the one that allows,
// or else the later one. Only where the operators hold something, lists that block do not count, as
// always. If the two had different statuses, Settle makes a change of it, because the changes of both
// now end with either.
func (h Held) Merge(other Held) Held {
	status := MergedStatus(h.Status, other.Status)
	if h.Status == status {
		h.Status = other.Status
	}
	h.ChangedAt = later(h.ChangedAt, other.ChangedAt)
	if h.Operators == nil || other.Operators != nil && other.Operators.outweighs(*h.Operators) {
		h.Operators = other.Operators
	}
	h.Lists = mergeLists(h.Lists, other.Lists)
	switch decided, _ := h.decided(); {
	case status == StatusBlocked && h.entryCounts():
		h = h.withSince(h.LastEntry.Add(time.Millisecond))
	case status == StatusAllowed && !h.LastEntry.IsZero() && decided != StatusAllowed:
		h = h.withSince(h.LastEntry) // the entry counts
	}
	return h
}

// withSince returns what is held once what stands against the entries began at another time: the decision
// of the operators, or else those of lists that block.
func (h Held) withSince(since time.Time) Held {
	if h.Operators != nil {
		h.Operators = h.Operators.at(since)
		return h
	}
	h.Lists = slices.Clone(h.Lists)
	for i, list := range h.Lists {
		if list.Status == StatusBlocked {
			h.Lists[i].Since = since
		}
	}
	return h
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
