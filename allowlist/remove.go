package allowlist

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/apguard/apguard/asset"
)

// RemoveRequest is the request of [Service.Remove].
type RemoveRequest struct {
	OrganizationID int64
	// Actor is the user who asks, or 0 if unknown. It is recorded with the changes
	// of status.
	Actor int64
	// AssetIDs are the assets, from 1 to [MaxItems].
	AssetIDs []int64
}

// Validate returns an [*asset.InputError] that names every invalid field. If there are
// too many assets, the error matches [ErrTooMany], and Validate checks nothing else.
func (req RemoveRequest) Validate() error {
	var issues asset.Issues
	if len(req.AssetIDs) > MaxItems {
		issues.AddCause("ids", ErrTooMany)
		return issues.Err()
	}
	issues.Check(len(req.AssetIDs) > 0, "ids", fmt.Sprintf("must hold 1 to %d elements", MaxItems))
	issues.CheckID("organizationId", req.OrganizationID)
	issues.CheckUser("actor", req.Actor)
	for i, id := range req.AssetIDs {
		if !asset.ValidID(id) {
			issues.CheckID(fmt.Sprintf("ids[%d]", i), id)
		}
	}
	return issues.Err()
}

// RemoveResult is what [Service.Remove] did with one asset.
type RemoveResult struct {
	AssetID int64
	// Err is nil if the asset was removed, else [ErrNotListed].
	Err error
}

// Remove removes assets from the organization's allowlist. It returns one result for each
// ID, in their order. Of duplicate IDs, only the first one can succeed. The removals
// are one atomic step.
//
// An asset that no allowlist contains any longer gets back the status that it had before
// an allowlist made it ALLOWED, unless something else has changed its status since; see
// [Removal.RestoresStatus].
//
// If Remove returns an error, nothing is removed. The error is an [*asset.InputError], or it
// comes from the store or the context. For more than [MaxItems] assets, it matches
// [ErrTooMany].
func (s *Service) Remove(ctx context.Context, req RemoveRequest) ([]RemoveResult, error) {
	if err := req.Validate(); err != nil {
		return nil, err
	}
	removed, err := s.store.RemoveFromAllowlist(ctx, s.removeCommand(req))
	if err != nil {
		return nil, err
	}
	return req.results(removed), nil
}

// removeCommand returns the command of a valid request.
func (s *Service) removeCommand(req RemoveRequest) RemoveCommand {
	ids := slices.Clone(req.AssetIDs)
	slices.Sort(ids)
	return RemoveCommand{
		OrganizationID: req.OrganizationID,
		AssetIDs:       slices.Compact(ids),
		At:             s.clock(),
		Origin:         removalOrigin(req.OrganizationID, req.Actor),
	}
}

// removalOrigin returns the origin of the changes when entries of the organization go.
func removalOrigin(organizationID, actor int64) asset.Origin {
	return asset.Origin{
		Cause:     asset.CauseAllowlistRemoval,
		Actor:     actor,
		Reference: organizationReference(organizationID),
	}
}

// results returns the results after the assets with the IDs were removed.
func (req RemoveRequest) results(removed []int64) []RemoveResult {
	left := make(map[int64]bool, len(removed))
	for _, id := range removed {
		left[id] = true
	}
	results := make([]RemoveResult, len(req.AssetIDs))
	for i, id := range req.AssetIDs {
		results[i].AssetID = id
		if !left[id] {
			results[i].Err = ErrNotListed
		}
		delete(left, id)
	}
	return results
}

// RemoveCommand is what [Store.RemoveFromAllowlist] executes.
type RemoveCommand struct {
	OrganizationID int64
	// AssetIDs are ascending and without duplicates.
	AssetIDs []int64
	At       time.Time
	Origin   asset.Origin
}

// Removal is the removal of an entry, with the stored data of its asset that decides about
// the status.
type Removal struct {
	// Listed reports whether the allowlist of another organization contains the asset.
	Listed bool
	// Confirmed reports whether a decision has confirmed the ALLOWED asset since its last
	// change; see [asset.Store].
	Confirmed bool
	// LastChange is the last change of the asset, or zero. Only its From, To and Origin.Cause
	// are needed.
	LastChange asset.Change
}

// RestoresStatus reports whether the asset gets the status LastChange.From. It does if the
// removed entry was the last one of the asset, an allowlist made the last change, to ALLOWED,
// and nothing has confirmed that since. An entry of an asset that was ALLOWED already makes no
// change and confirms nothing, so the first of several organizations that list an asset makes
// the last change, and the last one that leaves undoes it.
func (r Removal) RestoresStatus() bool {
	last := r.LastChange
	return !r.Listed && !r.Confirmed && last.Origin.Cause == asset.CauseAllowlist && last.To == asset.StatusAllowed
}
