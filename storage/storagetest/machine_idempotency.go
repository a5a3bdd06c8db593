package storagetest

import (
	"maps"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/idempotency"
)

// anyClaim returns a generator of claims, often zero.
func anyClaim(operation string) *rapid.Generator[idempotency.Claim] {
	return sometimes(rapid.Custom(func(t *rapid.T) idempotency.Claim {
		after := []time.Duration{0, time.Millisecond, idempotency.Lifetime - time.Millisecond, idempotency.Lifetime, 3 * idempotency.Lifetime / 2}
		claim := claimAfter(rapid.IntRange(1, 2).Draw(t, "request"), rapid.SampledFrom([]string{"k", "K"}).Draw(t, "key"),
			rapid.SampledFrom(after).Draw(t, "after"))
		claim.Operation = operation
		claim.UserID = maybe(anyUser).Draw(t, "user")
		return claim
	}))
}

// checkClaim returns the error that a command with the claim must fail with, or nil if it
// must be executed.
func (m *model) checkClaim(claim idempotency.Claim) error {
	stored, known := m.records[claim.ID()]
	if claim.IsZero() || !known {
		return nil
	}
	return claim.Check(stored)
}

// keep stores the record of an executed command.
func (m *model) keep(claim idempotency.Claim, record idempotency.Record) {
	if !claim.IsZero() {
		m.records[record.ID] = record
	}
}

func (m *machine) pruneIdempotencyRandomly(t *rapid.T) {
	after := []time.Duration{0, time.Microsecond, idempotency.Lifetime, 2 * idempotency.Lifetime}
	before := at(0).Add(rapid.SampledFrom(after).Draw(t, "before"))
	left := len(m.model.records)
	maps.DeleteFunc(m.model.records, func(_ idempotency.ID, r idempotency.Record) bool { return r.At.Before(before) })
	for left -= len(m.model.records); left > 0; left -= 2 {
		require.Equal(m, min(left, 2), m.pruneIdempotency(before, 2), "PruneIdempotency before %v", before)
	}
	require.Zero(m, m.pruneIdempotency(before, 2), "PruneIdempotency before %v, a second time", before)
}

// refusedClaim requires that a command failed because of its claim.
func (m *machine) refusedClaim(want, got error) {
	m.Helper()
	require.Equal(m, want, got, "the error of a claim")
	m.compareChanges()
}
