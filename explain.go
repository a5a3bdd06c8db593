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

// recentChanges is among how many changes of an asset, newest first, Explain looks
// for the one that was recorded last. It is not the newest one where the clock was set
// back in between.
const recentChanges = 100

// Explanation is an account of why an asset has the status that it has.
type Explanation struct {
	// Asset is the asset as it is now. Its ID is 0 and its status UNKNOWN when the
	// service does not have it and an external list speaks of it.
	Asset asset.Asset
	// Change is the one that gave the asset its status, with its cause and actor. It
	// is nil for an asset whose status never changed, and where the changelog does not
	// tell: the clock was set back before the change, and it was then pruned or is
	// behind more than 100 others; or another change came during the call.
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

// Explain gives an account of why the asset that content names has the status that
// it has. It is for whoever runs the service, such as a review desk: it tells which
// organizations allow the asset and who disputes it, and no organization may learn
// that of another one.
//
// The parts are read one after the other. What happens meanwhile may be in one of
// them and not in another, unless the Guard is that of a transaction which sees the
// database at one moment; see [Guard.With].
//
// The error is [asset.ErrNotFound] for an asset of which neither the service nor an
// external list knows, also for content that no rule recognizes; it then matches
// what kept a list from answering too. Any other error is one of the storage or of
// the context.
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

// changeTo returns the change that gave an asset its status: the one that was recorded
// last. It returns nil if that gave another status.
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
		return nil, nil //nolint:nilnil // there need not be any
	}
	return &last, nil
}
