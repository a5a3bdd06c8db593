package allowlist

import (
	"context"
	"errors"
	"fmt"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/idempotency"
)

// RemoveRequest is the request of [Service.Remove]. It has either AssetIDs or Contents, from 1 to
// [MaxItems].
type RemoveRequest struct {
	OrganizationID int64
	// Actor is the user who asks, or 0 if unknown. It is recorded with the changes
	// of status.
	Actor int64
	// AssetIDs are the assets.
	AssetIDs []int64
	// Contents are the assets in any spelling.
	Contents []string
	// Idempotency is the key with which the request can be sent again; see package
	// idempotency. It belongs to OrganizationID and Actor. The zero key is none.
	Idempotency idempotency.Key
}

// Validate returns an [*asset.InputError] that names every invalid field. If there are
// too many assets, the error matches [ErrTooMany], and Validate checks nothing else. It never
// checks Contents, because an invalid one refuses only its asset, not the request.
func (req RemoveRequest) Validate() error {
	var issues asset.Issues
	field, n := "ids", len(req.AssetIDs)
	if n == 0 && req.Contents != nil {
		field, n = "contents", len(req.Contents)
	}
	if max(n, len(req.Contents)) > MaxItems {
		issues.AddCause(field, ErrTooMany)
		return issues.Err()
	}
	issues.Check(n > 0, field, fmt.Sprintf("must hold 1 to %d elements", MaxItems))
	issues.Check(len(req.AssetIDs) == 0 || len(req.Contents) == 0, "contents", "must not be given with ids")
	issues.CheckID("organizationId", req.OrganizationID)
	issues.CheckUser("actor", req.Actor)
	for i, id := range req.AssetIDs {
		if !asset.ValidID(id) {
			issues.CheckID(fmt.Sprintf("ids[%d]", i), id)
		}
	}
	issues.CheckIdempotency(req.Idempotency)
	return issues.Err()
}

// Removed is the result of [Service.Remove].
type Removed struct {
	// Results has one result for each asset of the request, in their order.
	Results []RemoveResult
	// Replayed reports whether the request was executed before, with the same key. The
	// results are those of the first time.
	Replayed bool
}

// RemoveResult is what [Service.Remove] did with one asset.
type RemoveResult struct {
	// Content is the content exactly as it was submitted, or empty if the request has IDs.
	Content string
	// AssetID is the ID of the request. If the request has contents, it is the ID of the asset,
	// or 0 if the asset was not removed.
	AssetID int64
	// Err is nil if the asset was removed, else [ErrNotListed] or, for a content, the error of
	// [classify.Classify].
	Err error
}

// Remove removes assets from the organization's allowlist. Of items with the same asset, only
// the first one can succeed. The removals are one atomic step.
//
// The entries of other organizations and the decision of the operators then give the asset its
// status; see [asset.Held].
//
// If the request is a retry of one that succeeded with the same key, Remove removes nothing and
// returns the results of the first one.
//
// If Remove returns an error, nothing is removed. The error is an [*asset.InputError],
// [idempotency.ErrReused] or [idempotency.ErrInProgress], or it comes from the store or the
// context. For more than [MaxItems] assets, it matches [ErrTooMany].
func (s *Service) Remove(ctx context.Context, req RemoveRequest) (Removed, error) {
	if err := req.Validate(); err != nil {
		return Removed{}, err
	}
	cmd, err := s.removeCommand(ctx, req)
	if err != nil {
		return Removed{}, err
	}
	removed, err := s.store.RemoveFromAllowlist(ctx, cmd)
	var replay *idempotency.ReplayError
	if errors.As(err, &replay) {
		outcomes, err := recordedOutcomes(replay.Answer, cmd.Places)
		return Removed{Results: req.results(outcomes), Replayed: true}, err
	}
	if err != nil {
		return Removed{}, err
	}
	return Removed{Results: req.results(cmd.Outcomes(removed))}, nil
}

// removeCommand returns the command of a valid request.
func (s *Service) removeCommand(ctx context.Context, req RemoveRequest) (RemoveCommand, error) {
	at := s.clock()
	cmd := RemoveCommand{
		OrganizationID: req.OrganizationID,
		At:             at,
		Origin:         removalOrigin(req.OrganizationID, req.Actor),
		Claim:          req.Idempotency.Claim("allowlist.remove", req.OrganizationID, req.Actor, at, req.fields),
	}
	if req.Contents == nil {
		cmd.setAssets(req.AssetIDs, make([]error, len(req.AssetIDs)))
		return cmd, nil
	}
	ids, reasons, err := s.find(ctx, req.Contents)
	cmd.setAssets(ids, reasons)
	return cmd, err
}

// removalOrigin returns the origin of the changes when entries of the organization go.
func removalOrigin(organizationID, actor int64) asset.Origin {
	return asset.Origin{
		Cause:     asset.CauseAllowlistRemoval,
		Actor:     actor,
		Reference: organizationReference(organizationID),
	}
}

// results returns the results for the outcomes of the assets.
func (req RemoveRequest) results(outcomes []Outcome) []RemoveResult {
	results := make([]RemoveResult, len(outcomes))
	for i, outcome := range outcomes {
		results[i] = RemoveResult{AssetID: outcome.AssetID, Err: outcome.Err}
		if req.Contents != nil {
			results[i].Content = req.Contents[i]
		} else {
			results[i].AssetID = req.AssetIDs[i]
		}
	}
	return results
}
