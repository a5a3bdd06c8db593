package apguard

import (
	"context"
	"fmt"
	"slices"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/dispute"
)

// MaxExplained is the maximum number of organizations and of disputes in an [Explanation].
const MaxExplained = 100

// Explanation says why a check answers as it does about a content, and what else operators know of
// its asset. What it says of an asset is about Asset if that exists, and otherwise about Match.
type Explanation struct {
	// Asset is the asset that the content names, or the link that a browser opens for it. Its ID is 0
	// and its status UNKNOWN if it does not exist.
	Asset asset.Asset
	// Match is the asset that decides in place of Asset, such as its domain, or nil if there is none.
	Match *check.Match
	// Decisions are what is held on the asset: the decision of the operators, the entries of the
	// organizations in AllowedBy, and the decisions of lists. The one that counts is first, unless it is an
	// entry that is not in AllowedBy, and then the latest.
	Decisions []HeldDecision
	// Change is the change that set the status. It is nil if the status never changed, or
	// if it changed during the call.
	Change *asset.Change
	// Dissent has each verdict of an external list that contradicts the status, in the
	// order of [Options]. UNKNOWN verdicts are omitted.
	Dissent []check.ListVerdict
	// ListsFailed has the external lists that did not answer.
	ListsFailed check.ListFailures
	// Exceptions are the assets below a BLOCKED asset that stay ALLOWED.
	Exceptions Exceptions
	// AllowedBy has the first organizations by ID that have the asset on their allowlist,
	// at most [MaxExplained]. [allowlist.Service.AllowedBy] returns the next page.
	AllowedBy allowlist.AllowedByPage
	// Disputes has the newest disputes of the asset in any state, at most [MaxExplained].
	// [dispute.QueueService.List] returns the next page.
	Disputes dispute.Page
}

// HeldDecision is a decision on an asset in an [Explanation].
type HeldDecision struct {
	Source asset.Source
	// OrganizationID is the organization that has the asset on its allowlist since then, and List the name
	// of the list. Each is zero for another source.
	OrganizationID int64
	List           string
	asset.Decision
	// Counts reports whether the decision gives the asset its status. No other one does.
	Counts bool
}

// subject returns the asset that the explanation is about, and whether it exists.
func (e Explanation) subject() (subject asset.Asset, exists bool) {
	if e.Asset.ID == 0 && e.Match != nil {
		return e.Match.Asset, true
	}
	return e.Asset, e.Asset.ID != 0
}

// Explain returns why a check of the content answers as it does. It is for operators:
// it shows which organizations allow the asset and who disputes it. Organizations must
// not see this about each other.
//
// Explain reads the parts one after the other, so a concurrent change may appear in only
// some of them. In a transaction with snapshot isolation, the parts are consistent; see
// [Guard.With].
//
// Explain answers for every content that [check.Service.Check] answers for, also with
// FailClosed of [Options] and if nothing is known about it. For others, the error is
// [asset.ErrNotFound].
func (g *Guard) Explain(ctx context.Context, content string) (Explanation, error) {
	covers, err := check.Covers(content)
	if err != nil {
		return Explanation{}, fmt.Errorf("%w: %w", asset.ErrNotFound, err)
	}
	var e Explanation
	if e.Asset, e.Match, err = g.decided(ctx, covers); err != nil {
		return Explanation{}, err
	}
	verdicts, failed := g.ExternalLists.Verdicts(ctx, check.Listed(covers))
	subject, exists := e.subject()
	e.Dissent, e.ListsFailed = dissent(verdicts, subject.Status), failed
	if !exists {
		return e, nil
	}
	if e.Change, err = g.changeTo(ctx, subject.Status, subject.Identity); err != nil {
		return Explanation{}, err
	}
	if subject.Status == asset.StatusBlocked {
		if e.Exceptions, err = g.Exceptions(ctx, subject.Identity); err != nil {
			return Explanation{}, err
		}
	}
	e.AllowedBy, err = g.Allowlist.AllowedBy(ctx, allowlist.AllowedByRequest{AssetID: subject.ID, Limit: MaxExplained})
	if err != nil {
		return Explanation{}, err
	}
	if e.Decisions, err = g.heldDecisions(ctx, subject.Identity, e.AllowedBy); err != nil {
		return Explanation{}, err
	}
	e.Disputes, err = g.DisputeQueue.List(ctx, dispute.ListRequest{
		Filter: dispute.Filter{Identity: subject.Identity},
		Limit:  MaxExplained,
	})
	if err != nil {
		return Explanation{}, err
	}
	return e, nil
}

// decided returns the asset of a content with the covers, and the one that decides in its place. It reads
// the store, because a mirror in place of [Guard].Checks may be behind.
func (g *Guard) decided(ctx context.Context, covers []classify.Cover) (asset.Asset, *check.Match, error) {
	present, err := g.present(ctx, covers)
	if err != nil {
		return asset.Asset{}, nil, err
	}
	match := check.Decide(covers, among(present), nil).Match
	if match != nil && match.Identity == covers[0].Identity {
		match = nil
	}
	return present[0].Asset, match, nil
}

// present returns the assets of the covers as [asset.Present] does.
func (g *Guard) present(ctx context.Context, covers []classify.Cover) ([]asset.Known, error) {
	identities := make([]asset.Identity, len(covers))
	for i, cover := range covers {
		identities[i] = cover.Identity
	}
	found, err := g.store.AssetsByIdentity(ctx, identities)
	return asset.Present(identities, found), err
}

// among returns the function that finds an asset among those that are present.
func among(present []asset.Known) func(asset.Identity) (asset.Known, bool) {
	return func(identity asset.Identity) (asset.Known, bool) {
		return present[slices.IndexFunc(present, func(one asset.Known) bool { return one.Identity == identity })], true
	}
}

// known reports whether a list knows the asset.
func known(verdict check.ListVerdict) bool {
	return verdict.Status != asset.StatusUnknown
}

// dissent returns the verdicts that contradict the status.
func dissent(verdicts []check.ListVerdict, status asset.Status) []check.ListVerdict {
	var others []check.ListVerdict
	for _, verdict := range verdicts {
		if known(verdict) && verdict.Status != status {
			others = append(others, verdict)
		}
	}
	return others
}

// changeTo returns the change that set the status of the asset, which is the newest one. It
// returns nil if that one set another status.
func (g *Guard) changeTo(ctx context.Context, status asset.Status, identity asset.Identity) (*asset.Change, error) {
	page, err := g.Assets.ListChanges(ctx, asset.ListChangesRequest{
		Filter: asset.ChangeFilter{Identity: identity},
		Limit:  1,
	})
	if err != nil || len(page.Changes) == 0 || page.Changes[0].To != status {
		return nil, err
	}
	return &page.Changes[0], nil
}

// heldDecisions returns the decisions on an asset, in the order of [Explanation].
func (g *Guard) heldDecisions(ctx context.Context, identity asset.Identity, by allowlist.AllowedByPage) ([]HeldDecision, error) {
	held, err := g.store.Held(ctx, identity, g.options.Clock())
	if err != nil {
		return nil, err
	}
	source, list := held.Counts()
	var decisions []HeldDecision
	counted := source != asset.SourceOrganization
	for _, one := range by.Organizations {
		counts := !counted && one.AddedAt.Equal(held.LastEntry)
		counted = counted || counts // of several entries of one time, the first one
		decisions = append(decisions, HeldDecision{
			Source:         asset.SourceOrganization,
			OrganizationID: one.OrganizationID,
			Decision:       asset.Decision{Status: asset.StatusAllowed, Since: one.AddedAt, ExpiresAt: one.ExpiresAt},
			Counts:         counts,
		})
	}
	if held.Operators != nil {
		decisions = append(decisions, HeldDecision{
			Source: asset.SourceOperator, Decision: *held.Operators, Counts: source == asset.SourceOperator,
		})
	}
	if len(held.Lists) > 0 {
		names, err := g.listNames(ctx)
		if err != nil {
			return nil, err
		}
		for _, one := range held.Lists {
			decisions = append(decisions, HeldDecision{
				Source:   asset.SourceList,
				List:     names[one.ListID],
				Decision: asset.Decision{Status: one.Status, Reason: one.Reason, Since: one.Since, ExpiresAt: one.ExpiresAt},
				Counts:   source == asset.SourceList && one == list,
			})
		}
	}
	slices.SortStableFunc(decisions, func(a, b HeldDecision) int {
		switch {
		case a.Counts:
			return -1
		case b.Counts:
			return 1
		default:
			return b.Since.Compare(a.Since)
		}
	})
	return decisions, nil
}

// listNames returns the names of all lists by ID.
func (g *Guard) listNames(ctx context.Context) (map[int64]string, error) {
	all, err := g.store.Lists(ctx)
	names := make(map[int64]string, len(all))
	for _, list := range all {
		names[list.ID] = list.Name
	}
	return names, err
}
