package conformance_test

import (
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
)

// acts is what the rule of sequences is given: what is done about an asset on which nothing is held, in the order of
// time.
type acts struct {
	Acts []act `json:"acts"`
}

// act is one of DECIDE, WITHDRAW, UNDO, ADD, REMOVE, LIST, UNLIST and WAIT.
type act struct {
	Act          string       `json:"act"`
	At           time.Time    `json:"at"`
	Undoes       int          `json:"undoes,omitzero"`
	Organization int64        `json:"organization,omitzero"`
	List         int64        `json:"list,omitzero"`
	Status       asset.Status `json:"status,omitempty"`
	Reason       asset.Reason `json:"reason,omitempty"`
	ExpiresAt    time.Time    `json:"expiresAt,omitzero"`
}

// performed is the answer of the rule of sequences: the answer of the rule of decisions after each act.
type performed struct {
	Answers []settled `json:"answers"`
}

func perform(t require.TestingT, given acts) (answer performed) {
	h := asset.NewHeld(asset.Identity{})
	entries := make(map[int64]allowlist.Entry)
	decided := make([]time.Time, len(given.Acts)) // the times of the decisions by their numbers
	for i, a := range given.Acts {
		h, _ = h.Expire(a.At)
		h.LastEntry = lastEntry(entries, a.At)
		switch a.Act {
		case "DECIDE":
			var written bool
			if h, written = h.Decide(asset.Decision{Status: a.Status, Reason: a.Reason, ExpiresAt: a.ExpiresAt}, a.At); written {
				decided[i] = h.Operators.Since
			}
		case "WITHDRAW":
			h = h.Withdraw()
		case "UNDO":
			h, _ = h.Revert(decided[a.Undoes-1], a.At)
		case "ADD":
			var at time.Time
			h, at = h.Add(a.At)
			entries[a.Organization] = allowlist.Entry{AddedAt: at, ExpiresAt: a.ExpiresAt}
		case "REMOVE":
			delete(entries, a.Organization)
			h.LastEntry = lastEntry(entries, a.At)
		case "LIST":
			h, _ = h.DecideList(asset.ListDecision{
				ListID: a.List, Status: a.Status, Reason: a.Reason.For(a.Status), ExpiresAt: a.ExpiresAt,
			}, a.At)
		case "UNLIST":
			h, _ = h.WithdrawList(a.List)
		default:
			require.Equal(t, "WAIT", a.Act)
		}
		h, _, _ = h.Settle(a.At, asset.Origin{})
		answer.Answers = append(answer.Answers, settled{Status: h.Status, By: h.By, List: h.ListID, Reason: h.Reason, Since: h.Since})
	}
	return answer
}

// lastEntry returns the largest AddedAt of the entries that have not ended, or zero.
func lastEntry(entries map[int64]allowlist.Entry, at time.Time) (last time.Time) {
	for _, e := range entries {
		if !e.Ended(at) && e.AddedAt.After(last) {
			last = e.AddedAt
		}
	}
	return last
}
