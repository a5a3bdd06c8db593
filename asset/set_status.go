package asset

import (
	"cmp"
	"context"
)

// SetStatusRequest is the request of [Service.SetStatus].
type SetStatusRequest struct {
	Identity Identity
	Status   Status
	// Origin says why the status changes. An empty Cause means [CauseManual].
	Origin Origin
	// ConfirmSuffix confirms that a public suffix is to be BLOCKED; see [PublicSuffix].
	ConfirmSuffix bool
}

// Validate returns an [*InputError] if a field is missing or invalid. The error matches
// [ErrPublicSuffix] if the request blocks a public suffix without confirming it.
func (req SetStatusRequest) Validate() error {
	var issues Issues
	issues.Check(req.Identity == (Identity{}) || req.Identity.Type.Valid(), "type", "must be an asset type")
	issues.Check(req.Identity.Canonical != "", "content", "is required")
	issues.CheckText("content", req.Identity.Canonical)
	issues.Check(req.Status.Valid(), "status", "must be UNKNOWN, ALLOWED or BLOCKED")
	req.Origin.check(&issues)
	return JoinInput(issues.Err(), CheckPublicSuffix(req.Identity, req.Status, req.ConfirmSuffix))
}

// SetStatus sets the status of an asset and returns the updated asset. If the asset does
// not exist, it is first registered as UNKNOWN. It records a [Change] only if the status
// differs from the previous one.
//
// The error is an [*InputError] if the request is invalid. It matches [ErrPublicSuffix] if the
// request blocks a public suffix without confirming it.
func (s *Service) SetStatus(ctx context.Context, req SetStatusRequest) (Asset, error) {
	if err := req.Validate(); err != nil {
		return Asset{}, err
	}
	req.Origin.Cause = cmp.Or(req.Origin.Cause, CauseManual)
	before, err := s.store.SetAssetStatuses(ctx, SetStatusesCommand{
		Items:  []StatusItem{{Identity: req.Identity, Status: req.Status}},
		Origin: req.Origin,
		At:     s.clock(),
	})
	if err != nil {
		return Asset{}, err
	}
	changed := before[0]
	changed.Status = req.Status
	return changed, nil
}
