package apguard

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/protect"
	"github.com/apguard/apguard/report"
)

// MaxPreviewed is the maximum number of assets above and below the asset of a [Preview].
const MaxPreviewed = 10

// PreviewRequest is the request of [Guard.Preview].
type PreviewRequest struct {
	Identity asset.Identity
	// Status is the status that the operators may set.
	Status asset.Status
}

// Preview says what a status of an asset would do before it is set.
type Preview struct {
	// Asset is the asset as it is. Its ID is 0 and its status UNKNOWN if it does not exist.
	Asset asset.Asset
	// After is the asset with the status that it would have, and why.
	After asset.Known
	// Verdict is what a check of the asset would answer then. The ID of its Match is 0 for an asset that
	// does not exist.
	Verdict check.Verdict
	// Protection says why the asset is protected, or nil if it is not. Blocking it then takes a confirmation.
	Protection *asset.Protection
	// Wide says why nobody should allow the asset by accident, if the status is ALLOWED. It is nil for most assets; see
	// [protect.Service.Wide].
	Wide *protect.Wide
	// Above has the first assets that cover the asset and are ALLOWED or BLOCKED, the most specific one
	// first, at most [MaxPreviewed]. AboveCount is the number of all of them.
	Above      []check.Match
	AboveCount int
	// Below has the first assets that the asset covers, of any status, in the order of their IDs, at most
	// [MaxPreviewed]. BelowCount counts all of them among the first 10,000 assets of the site; see [classify.Site].
	Below      []asset.Asset
	BelowCount Count
	// Exceptions are those below that would stay ALLOWED, if the status is BLOCKED; see [Guard.Exceptions].
	Exceptions Exceptions
	// AllowedBy counts the organizations that have the asset on their allowlist, up to [MaxExplained].
	AllowedBy Count
	// OpenDisputes counts the disputes of the asset that wait for a decision, up to [MaxExplained].
	OpenDisputes Count
	// OpenReports counts the reports with a proposal for the asset that are not closed, up to [MaxExplained] of
	// each status, among the newest 5,000 of each.
	OpenReports Count
}

// Count is a number of records.
type Count struct {
	Number int
	// More reports whether there may be more.
	More bool
}

// Preview returns what a status would do if the operators set it now, and stores nothing. It is for
// operators: it counts organizations, disputes and reports. It asks the external lists, as a check does.
// Its parts have the limits that [Preview] names, and are read one after the other, as those of
// [Guard.Explain] are.
//
// The error is an [*asset.InputError] if the request is invalid. An asset that does not exist can be previewed.
func (g *Guard) Preview(ctx context.Context, req PreviewRequest) (Preview, error) {
	if err := (asset.SetStatusRequest{Identity: req.Identity, Status: req.Status}).Validate(); err != nil {
		return Preview{}, err
	}
	at := g.options.Clock()
	protections, err := g.protector.Protections(ctx, []asset.Identity{req.Identity}, at)
	if err != nil {
		return Preview{}, err
	}
	var p Preview
	if protection, protected := protections[req.Identity]; protected {
		p.Protection = &protection
	}
	if req.Status == asset.StatusAllowed {
		wide, err := g.protector.Wide(ctx, []asset.Identity{req.Identity})
		if err != nil {
			return Preview{}, err
		}
		if one, is := wide[req.Identity]; is {
			p.Wide = &one
		}
	}
	if err := g.previewStatus(ctx, &p, req, at); err != nil {
		return Preview{}, err
	}
	if err := g.previewBelow(ctx, &p, req); err != nil {
		return Preview{}, err
	}
	return p, g.previewRecords(ctx, &p)
}

// previewStatus sets the asset, its status and verdict, and what is above it.
func (g *Guard) previewStatus(ctx context.Context, p *Preview, req PreviewRequest, at time.Time) error {
	held, err := g.store.Held(ctx, req.Identity, at)
	switch {
	case errors.Is(err, asset.ErrNotFound):
		held = asset.NewHeld(req.Identity)
	case err != nil:
		return err
	}
	p.Asset = held.Asset
	held, _ = held.Decide(asset.Decision{Status: req.Status}, at)
	held, _, _ = held.Settle(at, asset.Origin{})
	p.After = held.Known

	covers := classify.Covering(req.Identity)
	present, err := g.present(ctx, covers)
	if err != nil {
		return err
	}
	for i, known := range present {
		switch {
		case known.Identity == req.Identity:
			present[i] = p.After
		case known.Status != asset.StatusUnknown:
			if p.AboveCount++; p.AboveCount <= MaxPreviewed {
				p.Above = append(p.Above, check.Match{Kind: covers[i].Kind, Known: known})
			}
		}
	}
	p.Verdict, err = check.Options{ExternalLists: g.ExternalLists}.Verdict(ctx, req.Identity.Canonical, covers,
		func(lists []check.ListVerdict) check.Verdict { return check.Decide(covers, among(present), lists) })
	return err
}

// previewBelow sets what is below the asset.
func (g *Guard) previewBelow(ctx context.Context, p *Preview, req PreviewRequest) error {
	near, more, err := g.near(ctx, req.Identity)
	if err != nil {
		return err
	}
	below := covered(req.Identity, near)
	p.Below = slices.Clone(below[:min(len(below), MaxPreviewed)])
	p.BelowCount = Count{len(below), more}
	if req.Status == asset.StatusBlocked {
		p.Exceptions, err = g.exceptions(ctx, slices.DeleteFunc(below, notAllowed), more)
	}
	return err
}

// previewRecords counts the records that concern the asset. One that does not exist has none.
func (g *Guard) previewRecords(ctx context.Context, p *Preview) error {
	if p.Asset.ID == 0 {
		return nil
	}
	allowedBy, err := g.Allowlist.AllowedBy(ctx, allowlist.AllowedByRequest{AssetID: p.Asset.ID, Limit: MaxExplained})
	if err != nil {
		return err
	}
	p.AllowedBy = Count{len(allowedBy.Organizations), allowedBy.NextCursor != 0}
	disputes, err := g.DisputeQueue.List(ctx, dispute.ListRequest{
		Filter: dispute.Filter{Identity: p.Asset.Identity, States: []dispute.State{dispute.StateOpen, dispute.StateUnderReview}},
		Limit:  MaxExplained,
	})
	if err != nil {
		return err
	}
	p.OpenDisputes = Count{len(disputes.Disputes), disputes.NextCursor != dispute.Cursor{}}
	for _, status := range []report.Status{report.StatusTodo, report.StatusInProgress} {
		reports, err := g.Reports.List(ctx, report.ListRequest{
			Scope:  report.AnyOrganization(),
			Filter: report.Filter{Status: status, Identity: p.Asset.Identity},
			Limit:  MaxExplained,
		})
		if err != nil {
			return err
		}
		p.OpenReports.Number += len(reports.Reports)
		p.OpenReports.More = p.OpenReports.More || reports.NextCursor != 0
	}
	return nil
}
