package webhook

import (
	"context"
	"time"

	"github.com/apguard/apguard/audit"
)

// RotationTime is how long the old secret of an endpoint signs messages too.
const RotationTime = 24 * time.Hour

// Rotate gives the endpoint a new secret and returns it. It cannot be read again. For a day,
// messages are signed with both secrets, so that the receiver can change its own in the meantime.
// The secret of an earlier rotation is valid no longer. Rotate returns [ErrNotFound] if there is
// no such endpoint.
func (s *Service) Rotate(ctx context.Context, id int64) (Secret, error) {
	fresh := GenerateSecret()
	_, err := s.administer(ctx, id, audit.ActionRotated, func(e Endpoint, now time.Time) Endpoint { return e.rotated(fresh, now) })
	if err != nil {
		return Secret{}, err
	}
	return fresh, nil
}

// rotated returns the endpoint with a new secret.
func (e Endpoint) rotated(fresh Secret, now time.Time) Endpoint {
	e.OldSecret, e.OldSecretUntil = e.Secret, now.Add(RotationTime)
	e.Secret = fresh
	return e
}

// Secrets returns the secrets that sign a message at that time, the newest first.
func (e Endpoint) Secrets(at time.Time) []Secret {
	if e.OldSecret.IsZero() || !at.Before(e.OldSecretUntil) {
		return []Secret{e.Secret}
	}
	return []Secret{e.Secret, e.OldSecret}
}
