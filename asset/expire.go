package asset

import (
	"context"
	"slices"
	"time"

	"github.com/apguard/apguard/step"
)

// Ended reports whether the decision has an end that is not after the given time.
func (d Decision) Ended(at time.Time) bool { return ended(d.ExpiresAt, at) }

// Ended is like that of [Decision].
func (d ListDecision) Ended(at time.Time) bool { return ended(d.ExpiresAt, at) }

func ended(expiresAt, at time.Time) bool { return !expiresAt.IsZero() && !at.Before(expiresAt) }

// checkFuture adds an issue for a time, unless it is zero, that is not after the present one.
func checkFuture(issues *Issues, field string, t, now time.Time) {
	valid := t.IsZero() || ValidTime(t) && step.TruncateTime(t).After(now)
	issues.Check(valid, field, "must be in the future, up to year 9999")
}

// Expire returns what is held once the decisions that have ended are gone, and how many those are. A
// decision of the operators takes the one that it replaced with it.
func (h Held) Expire(at time.Time) (Held, int) {
	expired := len(h.Lists)
	h.Lists = slices.DeleteFunc(slices.Clone(h.Lists), func(d ListDecision) bool { return d.Ended(at) })
	expired -= len(h.Lists)
	if h.Operators != nil && h.Operators.Ended(at) {
		h.Operators = nil
		expired++
	}
	return h, expired
}

// ExpireDecisions removes the decisions that have ended, of operators and of lists. What else is held on
// their assets then gives them their status; see [Held]. If that changes a status, it records a [Change]
// with the time of the call and [CauseExpiry]. It returns the number of removed decisions, even if it fails.
//
// A decision that has ended counts until ExpireDecisions runs. Guard.Run of package apguard calls it regularly.
//
// ExpireDecisions works in atomic steps for at most [MaxItems] decisions, so that other calls do not wait long.
// It may run concurrently with all other calls, including ExpireDecisions.
func (s *Service) ExpireDecisions(ctx context.Context) (removed int64, err error) {
	cmd := ExpireCommand{At: s.clock(), Limit: MaxItems}
	return step.Repeat(func() (int, bool, error) {
		n, err := s.store.ExpireDecisions(ctx, cmd)
		return n, n > 0, err
	})
}

// ExpireCommand is one step of [Service.ExpireDecisions].
type ExpireCommand struct {
	// At is the time of the call. Decisions whose end is not after it are removed.
	At time.Time
	// Limit is the largest number of decisions to look for. It is positive.
	Limit int
}

// Origin returns the origin of the changes.
func (cmd ExpireCommand) Origin() Origin { return Origin{Cause: CauseExpiry} }
