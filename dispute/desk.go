package dispute

import (
	"context"
	"fmt"
	"strings"

	"github.com/apguard/apguard/asset"
)

// The limits of what a desk reads and writes.
const (
	// MaxLimit is the largest page of disputes.
	MaxLimit = 100
	// MaxNoteBytes is the largest number of bytes of a note or a reason.
	MaxNoteBytes = 10_000
	// MaxNotes is the number of notes, those of its moves among them, from which on a
	// dispute takes no other and is not opened or taken up again. It can still be
	// decided and withdrawn.
	MaxNotes = 1000
)

// ListRequest asks for a page of disputes.
type ListRequest struct {
	Filter Filter
	// Cursor is the NextCursor of the page before, or zero for the first page.
	Cursor Cursor
	// Limit is the size of the page, from 1 to [MaxLimit].
	Limit int
	// OldestFirst lists as a desk works: the dispute that has waited longest comes
	// first. The newest does otherwise.
	OldestFirst bool
}

// Page is a part of a listing.
type Page struct {
	// Disputes come without their descriptions and notes, which [Service.Get] has.
	Disputes []Dispute
	// NextCursor continues the listing. It is zero on the last page.
	NextCursor Cursor
}

// List returns a page of the disputes of all assets, ordered by the time of their
// creation, then by ID. A dispute keeps its place when it is moved, so one that the
// filter chooses all the while comes exactly once. One created meanwhile with a
// clock that was set back may be left out.
//
// The error is an [*asset.InputError].
func (s *Service) List(ctx context.Context, req ListRequest) (Page, error) {
	if err := req.Validate(); err != nil {
		return Page{}, err
	}
	disputes, err := s.store.Disputes(ctx, Listing{
		Filter:      req.Filter,
		Cursor:      req.Cursor,
		OldestFirst: req.OldestFirst,
		Limit:       req.Limit + 1,
	})
	if err != nil {
		return Page{}, err
	}
	if len(disputes) <= req.Limit {
		return Page{Disputes: disputes}, nil
	}
	disputes = disputes[:req.Limit]
	return Page{Disputes: disputes, NextCursor: disputes[req.Limit-1].Cursor()}, nil
}

// Validate returns an [*asset.InputError] that names every wrong field.
func (req ListRequest) Validate() error {
	var issues asset.Issues
	issues.Check(1 <= req.Limit && req.Limit <= MaxLimit, "limit", fmt.Sprintf("must be from 1 to %d", MaxLimit))
	return asset.JoinInput(issues.Err(), req.Filter.Validate())
}

// TransitionRequest asks for a dispute to be moved to another state.
type TransitionRequest struct {
	DisputeID int64
	// Actor is the user who moves it, or 0 when not known.
	Actor int64
	// Reason may be empty, and has at most [MaxNote] bytes.
	Reason string
}

// StartReview takes an OPEN dispute under review, so that nobody else takes it up as
// well: of several calls at once, one succeeds. It returns the dispute as it is
// afterwards.
//
// The error is an [*asset.InputError], [ErrNotFound], [ErrTooManyNotes] or a
// [*TransitionError].
func (s *Service) StartReview(ctx context.Context, req TransitionRequest) (Dispute, error) {
	return s.move(ctx, req, Transition{To: StateUnderReview})
}

// Release makes a dispute that is UNDER_REVIEW OPEN again. It returns the dispute
// as it is afterwards.
//
// The error is an [*asset.InputError], [ErrNotFound], [ErrTooManyNotes] or a
// [*TransitionError], which also comes when the dispute was decided in the meantime.
func (s *Service) Release(ctx context.Context, req TransitionRequest) (Dispute, error) {
	return s.move(ctx, req, Transition{From: []State{StateUnderReview}, To: StateOpen})
}

// Withdraw closes a dispute, OPEN or UNDER_REVIEW, for the person who made it. The
// asset stays as it is. It returns the dispute as it is afterwards.
//
// The error is an [*asset.InputError], [ErrNotFound] or a [*TransitionError].
func (s *Service) Withdraw(ctx context.Context, req TransitionRequest) (Dispute, error) {
	return s.move(ctx, req, Transition{To: StateWithdrawn})
}

// Reopen makes a dispute that is ACCEPTED, REJECTED or WITHDRAWN OPEN again. As an
// e-mail address can dispute an asset only once, this is how that person is heard a
// second time. The asset keeps the status that it has, also that which an
// acceptance gave it. It returns the dispute as it is afterwards.
//
// The error is an [*asset.InputError], [ErrNotFound], [ErrTooManyNotes] or a
// [*TransitionError].
func (s *Service) Reopen(ctx context.Context, req TransitionRequest) (Dispute, error) {
	return s.move(ctx, req, Transition{From: []State{StateAccepted, StateRejected, StateWithdrawn}, To: StateOpen})
}

// ResolveRequest decides a dispute.
type ResolveRequest struct {
	DisputeID int64
	// State is ACCEPTED or REJECTED.
	State State
	// AssetStatus is what the asset gets when the dispute is accepted: UNKNOWN or
	// ALLOWED. It is empty when the dispute is rejected.
	AssetStatus asset.Status
	// Actor is the user who decides, or 0 when not known.
	Actor int64
	// Reason must not be blank, and has at most [MaxNote] bytes.
	Reason string
}

// Resolve decides a dispute that is OPEN or UNDER_REVIEW. One that is accepted gives
// its asset the status of the resolution in the same step, which is recorded as a
// change when the asset had another one; [asset.CauseDispute] is its cause. It
// returns the dispute as it is afterwards. Of several calls at once, one succeeds.
//
// The error is an [*asset.InputError], [ErrNotFound] or a [*TransitionError].
func (s *Service) Resolve(ctx context.Context, r ResolveRequest) (Dispute, error) {
	if err := r.validate(); err != nil {
		return Dispute{}, err
	}
	return s.move(ctx, TransitionRequest{DisputeID: r.DisputeID, Actor: r.Actor, Reason: r.Reason},
		Transition{To: r.State, AssetStatus: r.AssetStatus})
}

func (r ResolveRequest) validate() error {
	var issues asset.Issues
	switch r.State {
	case StateAccepted:
		right := r.AssetStatus == asset.StatusUnknown || r.AssetStatus == asset.StatusAllowed
		issues.Check(right, "assetStatus", "must be UNKNOWN or ALLOWED when the dispute is accepted")
	case StateRejected:
		issues.Check(r.AssetStatus == "", "assetStatus", "must be empty when the dispute is rejected")
	default:
		issues.Add("state", "must be ACCEPTED or REJECTED")
	}
	issues.Check(strings.TrimSpace(r.Reason) != "", "reason", "is required")
	return asset.JoinInput(issues.Err(), TransitionRequest{Actor: r.Actor, Reason: r.Reason}.validate())
}

// move asks the store for the move, with what the request says of it.
func (s *Service) move(ctx context.Context, req TransitionRequest, m Transition) (Dispute, error) {
	if err := req.validate(); err != nil {
		return Dispute{}, err
	}
	m.DisputeID, m.Actor, m.Reason, m.At = req.DisputeID, req.Actor, req.Reason, asset.TruncateTime(s.clock())
	return s.store.MoveDispute(ctx, m)
}

func (req TransitionRequest) validate() error {
	var issues asset.Issues
	issues.CheckUser("by", req.Actor)
	checkNote(&issues, "reason", req.Reason)
	return issues.Err()
}

// AddNoteRequest asks for a note on a dispute.
type AddNoteRequest struct {
	DisputeID int64
	// Actor is the user who writes it, or 0 for the service itself.
	Actor int64
	// Text must not be blank, and has at most [MaxNote] bytes.
	Text string
}

// AddNote adds a note to a dispute in any state, and returns the dispute as it is
// afterwards.
//
// The error is an [*asset.InputError], [ErrNotFound], or [ErrTooManyNotes] when the
// dispute has [MaxNotes] notes, those of its moves among them.
func (s *Service) AddNote(ctx context.Context, req AddNoteRequest) (Dispute, error) {
	var issues asset.Issues
	issues.CheckUser("author", req.Actor)
	issues.Check(strings.TrimSpace(req.Text) != "", "text", "is required")
	checkNote(&issues, "text", req.Text)
	if err := issues.Err(); err != nil {
		return Dispute{}, err
	}
	return s.store.AddDisputeNote(ctx, AddNoteCommand{
		DisputeID: req.DisputeID,
		Text:      req.Text,
		Actor:    req.Actor,
		At:        asset.TruncateTime(s.clock()),
	})
}

func checkNote(issues *asset.Issues, field, text string) {
	issues.CheckText(field, text)
	issues.Check(len(text) <= MaxNoteBytes, field, fmt.Sprintf("must be at most %d bytes long", MaxNoteBytes))
}
