package apguard

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
)

// MaxExplained is the maximum number of organizations and of disputes in an [Explanation].
const MaxExplained = 100

// recentChanges is the number of changes, newest first, among which Explain looks for the
// one that was recorded last. This is not the newest one if the clock was set back.
const recentChanges = 100

// Explanation says why an asset has its status.
type Explanation struct {
	// Asset is the asset. Its ID is 0 and its status UNKNOWN if only an external list
	// knows it.
	Asset asset.Asset
	// Change is the change that set the status. It is nil if the status never changed, or
	// if the changelog does not show it: the clock was set back before the change, and it
	// was then pruned or comes after 100 others; or the status changed during the call.
	Change *asset.Change
	// Dissent has the verdicts of the external lists that contradict the status, in the
	// order of [Options]. Verdicts that are UNKNOWN are omitted.
	Dissent []dispute.ListVerdict
	// ListErr says why external lists did not answer. It is nil if all did.
	ListErr error
	// AllowedBy has the organizations that have the asset on their allowlist, ordered
	// by ID: the first page, of at most [MaxExplained]. [allowlist.Service.AllowedBy]
	// continues it.
	AllowedBy allowlist.AllowedByPage
	// Disputes are the disputes of the asset in any state, newest first: the first page,
	// of at most [MaxExplained]. [dispute.QueueService.List] continues it.
	Disputes dispute.Page
}

// Explain returns why the asset that content names has its status. It is for operators: it
// shows which organizations allow the asset and who disputes it, which other organizations
// must not see.
//
// Explain reads the parts one after the other, so that concurrent changes may appear in
// some of them only. The parts are consistent if the Guard is on a transaction with
// snapshot isolation; see [Guard.With].
//
// The error is [asset.ErrNotFound] if neither the service nor an external list knows the
// asset, or if no rule recognizes the content. It then also matches the errors of external
// lists that did not answer.
func (g *Guard) Explain(ctx context.Context, content string) (Explanation, error) {
	identity, err := identify(content)
	if err != nil {
		return Explanation{}, err
	}
	verdicts, listErr := g.Disputes.CheckLists(ctx, identity)
	e := Explanation{ListErr: listErr}
	e.Asset, err = g.Assets.Get(ctx, identity)
	switch {
	case err == nil:
	case !errors.Is(err, asset.ErrNotFound):
		return Explanation{}, err
	case !slices.ContainsFunc(verdicts, known):
		return Explanation{}, errors.Join(err, listErr)
	default:
		e.Asset = asset.Asset{Identity: identity, Status: asset.StatusUnknown}
	}
	e.Dissent = dissent(verdicts, e.Asset.Status)
	if e.Asset.ID == 0 {
		return e, nil
	}
	if e.Change, err = g.changeTo(ctx, e.Asset.Status, identity); err != nil {
		return Explanation{}, err
	}
	e.AllowedBy, err = g.Allowlist.AllowedBy(ctx, allowlist.AllowedByRequest{AssetID: e.Asset.ID, Limit: MaxExplained})
	if err != nil {
		return Explanation{}, err
	}
	e.Disputes, err = g.DisputeQueue.List(ctx, dispute.ListRequest{
		Filter: dispute.Filter{Identity: identity},
		Limit:  MaxExplained,
	})
	if err != nil {
		return Explanation{}, err
	}
	return e, nil
}

// known reports whether a list knows the asset.
func known(verdict dispute.ListVerdict) bool {
	return verdict.Status != asset.StatusUnknown
}

// dissent returns the verdicts that contradict the status.
func dissent(verdicts []dispute.ListVerdict, status asset.Status) []dispute.ListVerdict {
	var others []dispute.ListVerdict
	for _, verdict := range verdicts {
		if known(verdict) && verdict.Status != status {
			others = append(others, verdict)
		}
	}
	return others
}

// changeTo returns the change that set the status of the asset: the one that was recorded
// last. It returns nil if that one set another status.
func (g *Guard) changeTo(ctx context.Context, status asset.Status, identity asset.Identity) (*asset.Change, error) {
	page, err := g.Assets.ListChanges(ctx, asset.ListChangesRequest{
		Filter: asset.ChangeFilter{Identity: identity},
		Limit:  recentChanges,
	})
	if err != nil || len(page.Changes) == 0 {
		return nil, err
	}
	last := slices.MaxFunc(page.Changes, func(a, b asset.Change) int { return cmp.Compare(a.ID, b.ID) })
	if last.To != status {
		return nil, nil //nolint:nilnil // nil means that no change explains the status
	}
	return &last, nil
}
