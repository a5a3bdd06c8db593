package memory

import (
	"context"
	"slices"
	"time"

	"github.com/apguard/apguard/idempotency"
)

// checkClaim returns why the command of a claim must not be executed, or nil.
func (t *tables) checkClaim(claim idempotency.Claim) error {
	if claim.IsZero() {
		return nil
	}
	stored, known := t.idempotency[claim.ID()]
	if !known {
		return nil
	}
	stored.Answer = slices.Clone(stored.Answer)
	return claim.Check(stored)
}

// keep stores the record of an executed command.
func (t *tables) keep(record idempotency.Record) {
	t.idempotency[record.ID] = record
}

// writeOnce is write for a command with a claim, which may be zero.
func writeOnce[T any](
	ctx context.Context, s *Store, claim idempotency.Claim, record func(T) idempotency.Record, step func(t *tables) (T, error),
) (T, error) {
	return write(ctx, s, func(t *tables) (T, error) {
		var none T
		if err := t.checkClaim(claim); err != nil {
			return none, err
		}
		done, err := step(t)
		if err != nil {
			return none, err
		}
		if !claim.IsZero() {
			t.keep(record(done))
		}
		return done, nil
	})
}

// PruneIdempotency implements [storage.Store].
func (s *Store) PruneIdempotency(ctx context.Context, before time.Time, limit int) (int, error) {
	return write(ctx, s, func(t *tables) (int, error) {
		removed := 0
		for id, record := range t.idempotency {
			if removed < limit && record.At.Before(before) {
				delete(t.idempotency, id)
				removed++
			}
		}
		return removed, nil
	})
}
