package asset

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/apguard/apguard/idempotency"
)

// SetStatusRequest is the request of [Service.SetStatus].
type SetStatusRequest struct {
	Identity Identity
	Status   Status
	// Origin says why the status changes. An empty Cause means [CauseManual].
	Origin Origin
	// ConfirmSuffix confirms that a public suffix is to be BLOCKED; see [PublicSuffix].
	ConfirmSuffix bool
	// IfStatus, unless empty, is the status that the caller saw. If the asset has another one,
	// nothing is stored. An asset that does not exist is UNKNOWN.
	IfStatus Status
	// Idempotency is the key with which the request can be sent again; see package
	// idempotency. It belongs to Origin.Actor. The zero key is none.
	Idempotency idempotency.Key
}

// Validate returns an [*InputError] if a field is missing or invalid. The error matches
// [ErrPublicSuffix] if the request blocks a public suffix without confirming it.
func (req SetStatusRequest) Validate() error {
	var issues Issues
	issues.Check(req.Identity == (Identity{}) || req.Identity.Type.Valid(), "type", "must be an asset type")
	issues.Check(req.Identity.Canonical != "", "content", "is required")
	issues.CheckText("content", req.Identity.Canonical)
	issues.Check(req.Status.Valid(), "status", "must be UNKNOWN, ALLOWED or BLOCKED")
	issues.Check(req.IfStatus == "" || req.IfStatus.Valid(), "ifStatus", "must be UNKNOWN, ALLOWED or BLOCKED")
	req.Origin.check(&issues)
	issues.CheckIdempotency(req.Idempotency)
	return JoinInput(issues.Err(), CheckPublicSuffix(req.Identity, req.Status, req.ConfirmSuffix))
}

// fields returns the fields of the request for a fingerprint.
func (req SetStatusRequest) fields() []string {
	return []string{
		string(req.Identity.Type), req.Identity.Canonical, string(req.Status), string(req.IfStatus),
		string(req.Origin.Cause), req.Origin.Reference, strconv.FormatBool(req.ConfirmSuffix),
	}
}

// Updated is the result of [Service.SetStatus].
type Updated struct {
	// Asset is the asset with its new status.
	Asset
	// Replayed reports whether the request was executed before, with the same key. The asset
	// is as it was then.
	Replayed bool
}

// SetStatus sets the status of an asset and returns the updated asset. If the asset does
// not exist, it is first registered as UNKNOWN. It records a [Change] only if the status
// differs from the previous one.
//
// The error is an [*InputError] if the request is invalid. It matches [ErrPublicSuffix] if the
// request blocks a public suffix without confirming it. It is [ErrChanged] if the asset does not
// have the status IfStatus. With a key, it can be [idempotency.ErrReused] or
// [idempotency.ErrInProgress].
func (s *Service) SetStatus(ctx context.Context, req SetStatusRequest) (Updated, error) {
	if err := req.Validate(); err != nil {
		return Updated{}, err
	}
	req.Origin.Cause = cmp.Or(req.Origin.Cause, CauseManual)
	at := s.clock()
	before, err := s.store.SetAssetStatuses(ctx, SetStatusesCommand{
		Items:    []StatusItem{{Identity: req.Identity, Status: req.Status}},
		Origin:   req.Origin,
		At:       at,
		IfStatus: req.IfStatus,
		Claim:    req.Idempotency.Claim("asset.setStatus", 0, req.Origin.Actor, at, req.fields),
	})
	updated := Asset{Identity: req.Identity, Status: req.Status}
	var replay *idempotency.ReplayError
	switch {
	case errors.As(err, &replay):
		updated.ID, err = strconv.ParseInt(string(replay.Answer), 10, 64)
		if err != nil {
			return Updated{}, fmt.Errorf("%w: %w", idempotency.ErrMalformedRecord, err)
		}
	case err != nil:
		return Updated{}, err
	default:
		updated.ID = before[0].ID
	}
	return Updated{Asset: updated, Replayed: replay != nil}, nil
}
