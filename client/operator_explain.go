package client

import (
	"context"
	"errors"
	"net/url"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
)

// Explanation says why a check answers as it does about a content, and what else operators know of its asset. What it
// says of an asset is about Asset if that exists, and otherwise about Match.
type Explanation struct {
	// Asset is the asset that the content names, or the link that a browser opens for it. Its ID is 0 and its status
	// UNKNOWN if it does not exist.
	Asset asset.Asset
	// Match is the asset that decides in place of Asset, such as its domain, or nil if there is none.
	Match *check.Match
	// Decisions are what is held on the asset. The one that counts is first, unless it is an entry of an organization
	// that AllowedBy lacks, and then the latest.
	Decisions []HeldDecision
	// Change is the change that set the status, or nil if no change explains it.
	Change *AssetChange
	// Dissent has each verdict of an external list that contradicts the status, and ListsFailed the external lists that
	// did not answer.
	Dissent     []check.ListVerdict
	ListsFailed check.ListFailures
	// Exceptions are the assets below a BLOCKED asset that stay ALLOWED.
	Exceptions Exceptions
	// AllowedBy has the first organizations by ID that have the asset on their allowlist. MoreAllowedBy reports whether
	// there are more.
	AllowedBy     []AllowingOrganization
	MoreAllowedBy bool
	// Disputes has the newest disputes of the asset in any state. MoreDisputes reports whether there are more, which
	// [Operator.Disputes] lists.
	Disputes     []Dispute
	MoreDisputes bool
}

// HeldDecision is a decision on an asset in an [Explanation].
type HeldDecision struct {
	Source DecisionSource `json:"source"`
	Decision
	// Counts reports whether the decision gives the asset its status. No other one does.
	Counts bool `json:"counts"`
}

// DecisionSource is who decided.
type DecisionSource struct {
	Kind asset.Source `json:"kind"`
	// Organization is the organization that has the asset on its allowlist, and List the name of the list. Each is zero
	// for another kind.
	Organization NamedOrganization `json:"organization"`
	List         string            `json:"list"`
}

// AllowingOrganization is an organization that has an asset on its allowlist.
type AllowingOrganization struct {
	NamedOrganization
	AddedAt time.Time `json:"addedAt"`
}

type explanationAnswer struct {
	Asset       assetBody      `json:"asset"`
	Match       *matchBody     `json:"match"`
	Decisions   []HeldDecision `json:"decisions"`
	Change      *AssetChange   `json:"change"`
	Dissent     []listOpinion  `json:"dissent"`
	ListsFailed []string       `json:"listsFailed"`
	exceptionsBody
	AllowedBy struct {
		Organizations []AllowingOrganization `json:"organizations"`
		More          bool                   `json:"more"`
	} `json:"allowedBy"`
	Disputes disputesPage `json:"disputes"`
}

func (a *explanationAnswer) validate() error {
	for _, held := range a.Decisions {
		if err := validateDecision(&held.Decision); err != nil || held.Source.Kind == "" {
			return errors.Join(err, responseError("a decision is incomplete"))
		}
	}
	if a.Change != nil {
		if err := validateChange(*a.Change); err != nil {
			return err
		}
	}
	return errors.Join(
		a.Asset.validate(), a.Match.validate(), validateAll(a.Dissent, listOpinion.validate), a.exceptionsBody.validate(), a.Disputes.validate(),
	)
}

func (a *explanationAnswer) value() Explanation {
	return Explanation{
		Asset:         a.Asset.value(),
		Match:         a.Match.value(),
		Decisions:     a.Decisions,
		Change:        a.Change,
		Dissent:       mapped(a.Dissent, listOpinion.value),
		ListsFailed:   mapped(a.ListsFailed, listFailure),
		Exceptions:    a.exceptionsBody.value(),
		AllowedBy:     a.AllowedBy.Organizations,
		MoreAllowedBy: a.AllowedBy.More,
		Disputes:      a.Disputes.Disputes,
		MoreDisputes:  a.Disputes.NextCursor != "",
	}
}

// Explain returns why a check of the content answers as it does. The error matches [ErrNotFound] for a content that a
// check refuses.
func (o *Operator) Explain(ctx context.Context, content string) (Explanation, error) {
	query := make(url.Values)
	setText(query, "content", content)
	answer, err := getPage[explanationAnswer](ctx, o.sender, "/asset/explain", query)
	if err != nil {
		return Explanation{}, err
	}
	return answer.value(), nil
}
