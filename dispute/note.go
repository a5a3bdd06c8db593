package dispute

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/idempotency"
)

// Limits of notes.
const (
	// MaxNoteBytes is the maximum length of a note or a reason, in bytes.
	MaxNoteBytes = 10_000
	// MaxNotes is the maximum number of notes, including those of transitions, and
	// MaxTotalNoteBytes that of the bytes of all their texts. The only exception: a dispute
	// can always be accepted, rejected or withdrawn. If this exceeds a maximum, the dispute
	// cannot be opened again.
	MaxNotes          = 1000
	MaxTotalNoteBytes = 256 << 10
)

// NoteKind says what a [Note] records.
type NoteKind string

// The kinds of notes.
const (
	// NoteKindAPI means that the dispute was created through the HTTP API. This is a system
	// note, which the service adds.
	NoteKindAPI NoteKind = "API"
	// NoteKindExternalList means that only an external list blocks the asset. This is a
	// system note.
	NoteKindExternalList NoteKind = "EXTERNAL_LIST"
	// NoteKindTransition means that the state of the dispute changed.
	NoteKindTransition NoteKind = "TRANSITION"
	// NoteKindComment means that an operator or the host application added the note.
	NoteKindComment NoteKind = "COMMENT"
)

// Note is a remark on a dispute.
type Note struct {
	Kind NoteKind `json:"kind"`
	// Text is required, except on the note of a transition. There it is the reason, which
	// may be empty.
	Text string `json:"text"`
	// Author is the user who made the transition or wrote the comment. It is 0 on
	// system notes and for an unknown user.
	Author int64 `json:"author,omitzero"`
	// Assignee is the user to whom the author of a transition has given the dispute. It is 0 if the
	// author has it, and on other notes.
	Assignee int64 `json:"assignee,omitzero"`
	// State is the new state on the note of a transition. It is empty on other notes.
	State State `json:"state,omitempty"`
	// CreatedAt is in UTC and has whole milliseconds.
	CreatedAt time.Time `json:"createdAt"`
}

// AddNoteRequest is the request of [QueueService.AddNote].
type AddNoteRequest struct {
	DisputeID int64
	// Actor is the user who writes the note, or 0 if unknown.
	Actor int64
	// Text is required. It has at most [MaxNoteBytes] bytes.
	Text string
	// Idempotency is as in [TransitionRequest].
	Idempotency idempotency.Key
}

// Validate returns an [*asset.InputError] that lists every invalid field, or nil.
func (req AddNoteRequest) Validate() error {
	var issues asset.Issues
	issues.CheckUser("actor", req.Actor)
	issues.Check(strings.TrimSpace(req.Text) != "", "text", "is required")
	issues.CheckTextLength("text", req.Text, MaxNoteBytes)
	issues.CheckIdempotency(req.Idempotency)
	return issues.Err()
}

// AddNote adds a comment to a dispute in any state. It returns the updated dispute.
//
// The error is an [*asset.InputError], [ErrNotFound] or [ErrTooManyNotes].
func (s *QueueService) AddNote(ctx context.Context, req AddNoteRequest) (Updated, error) {
	if err := req.Validate(); err != nil {
		return Updated{}, err
	}
	cmd := AddNoteCommand{AddNoteRequest: req, At: s.clock()}
	fields := func() []string { return []string{strconv.FormatInt(req.DisputeID, 10), req.Text} }
	return s.update(ctx, UpdateCommand{
		DisputeID: req.DisputeID,
		Apply:     cmd.Apply,
		Claim:     req.Idempotency.Claim("dispute.addNote", 0, req.Actor, cmd.At, fields),
	})
}

// AddNoteCommand adds a comment to a dispute.
type AddNoteCommand struct {
	AddNoteRequest
	At time.Time
}

// Apply returns the update that adds the comment to d. The error is [ErrTooManyNotes].
func (cmd AddNoteCommand) Apply(d Dispute) (Update, error) {
	if !d.hasRoom(cmd.Text) {
		return Update{}, ErrTooManyNotes
	}
	return Update{Note: Note{Kind: NoteKindComment, Text: cmd.Text, Author: cmd.Actor, CreatedAt: cmd.At}}, nil
}

// hasRoom reports whether d can have another note with the text.
func (d Dispute) hasRoom(text string) bool {
	size := len(text)
	for _, note := range d.Notes {
		size += len(note.Text)
	}
	return len(d.Notes) < MaxNotes && size <= MaxTotalNoteBytes
}
