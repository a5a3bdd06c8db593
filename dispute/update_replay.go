package dispute

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/apguard/apguard/idempotency"
)

// Updated is the result of the methods of [QueueService] that change a dispute.
type Updated struct {
	// Dispute is the dispute after the update.
	Dispute
	// Replayed reports whether the request was executed before, with the same key. The dispute
	// is as it was then, apart from texts that were erased.
	Replayed bool
}

// UpdateCommand is what [QueueStore.UpdateDispute] executes.
type UpdateCommand struct {
	DisputeID int64
	// Assignee is the user to whom somebody else gives the dispute, or 0.
	Assignee int64
	// Apply returns the update of the stored dispute, or why there is none. It is a pure
	// function, and does not use the store.
	Apply func(Dispute) (Update, error)
	// Claim is zero for a request without a key.
	Claim idempotency.Claim
}

// updateAnswer is what a record keeps of an updated dispute. Notes are only added, so their
// number is enough. It has no texts, so that it contains nothing that an erasure must find.
type updateAnswer struct {
	DisputeID int64     `json:"disputeId"`
	State     State     `json:"state"`
	Notes     int       `json:"notes"`
	UpdatedAt time.Time `json:"updatedAt"`
}

// Record returns the record that the store keeps with the updated dispute if cmd.Claim is not
// zero.
func (cmd UpdateCommand) Record(updated Dispute) idempotency.Record {
	text, _ := json.Marshal(updateAnswer{updated.ID, updated.State, len(updated.Notes), updated.UpdatedAt}) // fails for invalid times only
	return cmd.Claim.Record(text)
}

// update executes the command. For a retry, it returns the dispute of the first time.
func (s *QueueService) update(ctx context.Context, cmd UpdateCommand) (Updated, error) {
	d, err := s.store.UpdateDispute(ctx, cmd)
	var replay *idempotency.ReplayError
	if !errors.As(err, &replay) {
		return Updated{Dispute: d}, err
	}
	var a updateAnswer
	if err := json.Unmarshal(replay.Answer, &a); err != nil {
		return Updated{}, fmt.Errorf("%w: %w", idempotency.ErrMalformedRecord, err)
	}
	d, err = s.store.DisputeByID(ctx, a.DisputeID)
	if err != nil {
		return Updated{}, err
	}
	d.State, d.UpdatedAt, d.Notes = a.State, a.UpdatedAt, d.Notes[:min(a.Notes, len(d.Notes))]
	d.Assignee = d.assignee()
	return Updated{Dispute: d, Replayed: true}, nil
}
