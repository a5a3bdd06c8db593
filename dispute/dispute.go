// Package dispute takes disputes: requests by people who think that an asset is
// flagged or blocked wrongly.
//
// [Service.Create] follows the specification's "Dispute create". An asset can be
// disputed once by each e-mail address. What the service itself does not block
// may still be blocked by an [ExternalList], such as a public phishing list; the
// dispute then gets a note that says so.
package dispute

import "time"

// Dispute is one request to look at an asset again.
type Dispute struct {
	ID      int64
	AssetID int64
	// Content is the asset as it was written in the dispute.
	Content string
	// Email is the contact address as it was given, without outer white space.
	Email string
	// Description may be empty.
	Description string
	// Notes are in the order in which they were made.
	Notes []Note
	// CreatedAt is in UTC and has whole milliseconds.
	CreatedAt time.Time
}

// Note is a remark on a dispute, made by the service.
type Note struct {
	Text string
	// CreatedAt is in UTC and has whole milliseconds.
	CreatedAt time.Time
}

// Request asks for a dispute to be created.
type Request struct {
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
