package memory

import (
	"slices"

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

// keep stores the record of an executed command and deletes a few old ones. Maps have a
// random order, so every old record is found after some time.
func (t *tables) keep(claim idempotency.Claim, record idempotency.Record) {
	t.idempotency[record.ID] = record
	looked := 0
	for id, old := range t.idempotency {
		if looked == idempotency.PruneLimit {
			return
		}
		looked++
		if old.At.Before(claim.PruneBefore()) {
			delete(t.idempotency, id)
		}
	}
}
