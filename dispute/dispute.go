// Package dispute takes disputes: requests by people who think that an asset is
// flagged or blocked wrongly.
//
// [Service.Create] follows the specification's "Dispute create". An asset can be
// disputed once by each e-mail address. What the service itself does not block
// may still be blocked by an [ExternalList], such as a public phishing list; the
// dispute then gets a note that says so.
//
// What follows is Go API only, as the specification has no operation for it: a desk
// lists disputes ([Service.List]), takes one up ([Service.StartReview]) and decides it
// ([Service.Resolve]). A dispute is in one [State] at a time, and whatever that is, it
// stays the one dispute of its address and asset. Its notes tell its whole life.
package dispute

import (
	"slices"
	"time"
)

// Dispute is one request to look at an asset again.
type Dispute struct {
	ID      int64
	AssetID int64
	// Content is the asset as it was written in the dispute.
	Content string
	// Email is the contact address as it was given, without outer white space.
	Email string
	// Description may be empty. It can be many megabytes long, so a listing has none.
	Description string
	State       State
	// Notes are in the order in which they were made, whatever the clock said. A
	// listing has none.
	Notes []Note
	// CreatedAt and UpdatedAt are in UTC and have whole milliseconds. A move or a
	// note updates a dispute. UpdatedAt is never before CreatedAt, though the clock may
	// have been set back.
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Listed returns the dispute as a listing has it: without its description and its
// notes.
func (d Dispute) Listed() Dispute {
	d.Description, d.Notes = "", nil
	return d
}

// LastTransition returns the note of the move that brought the dispute to its state: the
// decision on one that is ACCEPTED or REJECTED, who looks at it when it is
// UNDER_REVIEW. It is found among the notes, and there is none (false) on a dispute
// that was never moved or comes without its notes.
func (d Dispute) LastTransition() (Note, bool) {
	for _, note := range slices.Backward(d.Notes) {
		if note.State != "" {
			return note, true
		}
	}
	return Note{}, false
}

// Note is a remark on a dispute. Each move leaves one.
type Note struct {
	// Text is the reason on the note of a move, where it may be empty.
	Text string
	// Author is the user who wrote the note or moved the dispute, or 0 for the
	// service itself or somebody who is not known.
	Author int64
	// State is where a move has brought the dispute, and empty on any other note.
	State State
	// CreatedAt is in UTC and has whole milliseconds.
	CreatedAt time.Time
}

// CreateRequest asks for a dispute to be created.
type CreateRequest struct {
	// Content names the asset. It is found by identity, so it need not be
	// written as it was when it was blocked.
	Content string
	// Email is the contact address. When it is blank, AccountEmail is taken.
	Email string
	// AccountEmail is the address of the user who asks; it may be blank.
	AccountEmail string
	// Description may be empty.
	Description string
	// ViaAPI says that the dispute came in through the HTTP API, which is put
	// down in a note.
	ViaAPI bool
}

// Created is a new dispute and what there is to say about it.
type Created struct {
	Dispute Dispute
	// Message tells the person who disputes that only an external list blocks
	// the asset. It is empty otherwise.
	Message string
	// ListErr is what kept an external list from answering. The dispute was
	// taken all the same; the error is for the operator's log.
	ListErr error
}
