package allowlist

import (
	"context"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/step"
)

// Ended reports whether the entry has an end that is not after the given time. From its end
// on, an entry no longer counts for any call.
func (e Entry) Ended(at time.Time) bool {
	return !e.ExpiresAt.IsZero() && !at.Before(e.ExpiresAt)
}

// SetExpiryRequest is the request of [Service.SetExpiry].
type SetExpiryRequest struct {
	OrganizationID int64
	AssetID        int64
	// ExpiresAt is the new end of the entry, in the future, or zero for none.
	ExpiresAt time.Time
}

// Validate returns an [*asset.InputError] that names every invalid field. The end must be
// after the given time.
func (req SetExpiryRequest) Validate(now time.Time) error {
	var issues asset.Issues
	issues.CheckID("organizationId", req.OrganizationID)
	issues.CheckID("assetId", req.AssetID)
	issues.Check(validExpiry(req.ExpiresAt, now), "expiresAt", "must be in the future, up to year 9999")
	return issues.Err()
}

// SetExpiry changes or removes the end of an entry. The error is an [*asset.InputError] if
// the request is invalid, or [ErrNotListed] if there is no such entry or it has ended. To
// end an entry at once, use [Service.Remove].
func (s *Service) SetExpiry(ctx context.Context, req SetExpiryRequest) error {
	now := s.clock()
	if err := req.Validate(now); err != nil {
		return err
	}
	return s.store.SetEntryExpiry(ctx, req, now)
}

// Expire removes the entries that have ended, and undoes their effect on the status of
// their assets as [Service.Remove] does. The changes have the time of the call and no actor.
// It returns the number of removed entries, even if it fails.
//
// An entry that has ended no longer counts for any call, but the status of its asset stays
// until Expire runs. Guard.Run of package apguard calls it regularly.
//
// Expire works in atomic steps of at most [MaxItems] entries, so that other calls do not wait
// long. It may run concurrently with all other calls, including Expire.
func (s *Service) Expire(ctx context.Context) (removed int64, err error) {
	cmd := ExpireCommand{At: s.clock(), Limit: MaxItems}
	return step.Repeat(func() (int, bool, error) {
		n, err := s.store.ExpireEntries(ctx, cmd)
		return n, n > 0, err
	})
}

// ExpireCommand is one step of [Service.Expire].
type ExpireCommand struct {
	// At is the time of the call. Entries whose end is not after it are removed.
	At time.Time
	// Limit is the largest number of entries to remove. It is positive.
	Limit int
}

// Removal returns the command that removes entries of the organization.
func (cmd ExpireCommand) Removal(organizationID int64, assetIDs []int64) RemoveCommand {
	return RemoveCommand{
		OrganizationID: organizationID,
		AssetIDs:       assetIDs,
		At:             cmd.At,
		Origin:         removalOrigin(organizationID, 0),
	}
}
