package conformance_test

import (
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
)

// held is what the rule of decisions is given: what sources hold on an asset, and the time of the question.
type held struct {
	At        time.Time      `json:"at"`
	Operators *decision      `json:"operators,omitempty"`
	Entries   []entry        `json:"entries,omitempty"`
	Lists     []listDecision `json:"lists,omitempty"`
}

type decision struct {
	Status    asset.Status `json:"status"`
	Reason    asset.Reason `json:"reason,omitempty"`
	Since     time.Time    `json:"since"`
	ExpiresAt time.Time    `json:"expiresAt,omitzero"`
}

// entry is that of an organization in its allowlist.
type entry struct {
	AddedAt   time.Time `json:"addedAt"`
	ExpiresAt time.Time `json:"expiresAt,omitzero"`
}

type listDecision struct {
	List int64 `json:"list"`
	decision
}

// settled is the answer of the rule of decisions: the status, and what gives it.
type settled struct {
	Status asset.Status `json:"status"`
	By     asset.Source `json:"by,omitempty"`
	List   int64        `json:"list,omitempty"`
	Reason asset.Reason `json:"reason,omitempty"`
	Since  time.Time    `json:"since,omitzero"`
}

func settle(_ require.TestingT, given held) settled {
	h := asset.NewHeld(asset.Identity{})
	if d := given.Operators; d != nil {
		h.Operators = &asset.Decision{Status: d.Status, Reason: d.Reason, Since: d.Since, ExpiresAt: d.ExpiresAt}
	}
	for _, d := range given.Lists {
		h.Lists = append(h.Lists, asset.ListDecision{ListID: d.List, Status: d.Status, Reason: d.Reason, Since: d.Since, ExpiresAt: d.ExpiresAt})
	}
	for _, e := range given.Entries {
		ended := allowlist.Entry{ExpiresAt: e.ExpiresAt}.Ended(given.At)
		if !ended && e.AddedAt.After(h.LastEntry) {
			h.LastEntry = e.AddedAt
		}
	}
	h, _ = h.Expire(given.At)
	h, _, _ = h.Settle(given.At, asset.Origin{})
	return settled{Status: h.Status, By: h.By, List: h.ListID, Reason: h.Reason, Since: h.Since}
}
