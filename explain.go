package apguard

import (
	"context"
	"errors"
	"slices"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/dispute"
)

// MaxExplained is the maximum number of organizations and of disputes in an [Explanation].
const MaxExplained = 100

// Explanation says why an asset has its status.
type Explanation struct {
	// Asset is the asset. Its ID is 0 and its status UNKNOWN if only an external list
	// knows it.
	Asset asset.Asset
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

// Explain returns why the asset that content names has its status. It is for operators:
// it shows which organizations allow the asset and who disputes it. Organizations must
// not see this about each other.
//
// Explain reads the parts one after the other, so a concurrent change may appear in only
// some of them. In a transaction with snapshot isolation, the parts are consistent; see
// [Guard.With].
//
// The error is [asset.ErrNotFound] if neither the service nor an external list knows the
// asset, or if the content is not recognized. In the first case, it also matches the
// errors of external lists that did not answer.
func (g *Guard) Explain(ctx context.Context, content string) (Explanation, error) {
	identity, err := identify(content)
	if err != nil {
		return Explanation{}, err
	}
	verdicts, failed := g.ExternalLists.Verdicts(ctx, identity)
	e := Explanation{ListsFailed: failed}
	e.Asset, err = g.Assets.Get(ctx, identity)
	switch {
	case err == nil:
	case !errors.Is(err, asset.ErrNotFound):
		return Explanation{}, err
	case !slices.ContainsFunc(verdicts, known):
		return Explanation{}, errors.Join(err, failed.Err())
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
	if e.Asset.Status == asset.StatusBlocked {
		if e.Exceptions, err = g.Exceptions(ctx, identity); err != nil {
			return Explanation{}, err
		}
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
