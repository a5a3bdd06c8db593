package dispute

import (
	"context"
	"time"

	"github.com/apguard/apguard/asset"
)

// GetRequest is the request of [Service.Get].
type GetRequest struct {
	DisputeID int64
	// OrganizationID and Actor are the caller and the caller's user, or 0 if unknown.
	OrganizationID int64
	Actor          int64
}

// CreatorView is what the creator of a dispute may know about it. It has no note and names no
// operator.
type CreatorView struct {
	ID int64
	// Asset is the asset with its present status.
	Asset asset.Asset
	State State
	// Reason is the reason of the decision. It is empty unless the dispute is ACCEPTED or REJECTED,
	// and after an erasure.
	Reason string
	// CreatedAt is in UTC and has whole milliseconds, and so has ClosedAt. ClosedAt is the time at
	// which the dispute was closed. It is zero if the dispute is not closed.
	CreatedAt time.Time
	ClosedAt  time.Time
}

// Get returns the dispute if the caller created it, as [Dispute.VisibleTo] says. Otherwise the
// error is [ErrNotFound], as for a dispute that does not exist.
func (s *Service) Get(ctx context.Context, req GetRequest) (CreatorView, error) {
	found, err := s.store.DisputeWithAsset(ctx, req.DisputeID)
	switch {
	case err != nil:
		return CreatorView{}, err
	case !found.VisibleTo(req.OrganizationID, req.Actor):
		return CreatorView{}, ErrNotFound
	default:
		return found.creatorView(), nil
	}
}

// VisibleTo reports whether a caller of the organization and the user created the dispute. Either
// is 0 if it is unknown, which matches nothing. If the caller and the dispute have organizations,
// only these count: an organization must not see the disputes that its user created for another
// one.
func (d Dispute) VisibleTo(organizationID, user int64) bool {
	if d.OrganizationID != 0 && organizationID != 0 {
		return d.OrganizationID == organizationID
	}
	return d.CreatedBy != 0 && d.CreatedBy == user
}

// WithAsset is a dispute with its asset as it is now.
type WithAsset struct {
	Dispute
	Asset asset.Asset
}

func (d WithAsset) creatorView() CreatorView {
	view := CreatorView{ID: d.ID, Asset: d.Asset, State: d.State, CreatedAt: d.CreatedAt}
	last, ok := d.LastTransition()
	if !ok || !d.State.Closed() {
		return view
	}
	view.ClosedAt = last.CreatedAt
	if d.State != StateWithdrawn {
		view.Reason = last.Text
	}
	return view
}
