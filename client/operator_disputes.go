package client

import (
	"context"
	"iter"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
)

// Dispute is a dispute as operators see it.
type Dispute struct {
	ID      int64 `json:"id"`
	AssetID int64 `json:"assetId"`
	// Content is the asset as submitted.
	Content string        `json:"content"`
	Email   string        `json:"email"`
	State   dispute.State `json:"state"`
	// Assignee is the user who has the dispute under review, or who closed it. It is zero if it is OPEN or the user is
	// unknown.
	Assignee  NamedUser `json:"assignee"`
	CreatedAt time.Time `json:"createdAt"`
	// UpdatedAt is the time of the last transition or note.
	UpdatedAt time.Time `json:"updatedAt"`
	// Description and Notes are absent in lists. The notes are in the order in which they were added.
	Description string        `json:"description"`
	Notes       []DisputeNote `json:"notes"`
}

func (d *Dispute) validate() error { return validateDispute(*d) }

func validateDispute(d Dispute) error {
	if !asset.ValidID(d.ID) || !asset.ValidID(d.AssetID) || d.State == "" {
		return responseError("a dispute is incomplete")
	}
	return nil
}

// DisputeNote is a note of a dispute; see [dispute.Note].
type DisputeNote struct {
	Kind dispute.NoteKind `json:"kind"`
	Text string           `json:"text"`
	// Author is zero if it is unknown.
	Author NamedUser `json:"author"`
	// Assignee is the user to whom the author has given the dispute. It is zero if the author has it.
	Assignee NamedUser `json:"assignee"`
	// State is the new state of a transition. It is empty for other kinds.
	State     dispute.State `json:"state"`
	CreatedAt time.Time     `json:"createdAt"`
}

// DisputesRequest selects disputes. A dispute must match all filters that are set.
type DisputesRequest struct {
	// States selects disputes in one of these states.
	States []dispute.State
	// Content is an asset, in any spelling.
	Content string
	// AssigneeID selects the disputes that a user has under review, or closed.
	AssigneeID int64
	Email      string
	// StartDate and EndDate are the first and the last day in UTC, such as "2025-01-05".
	StartDate, EndDate string
	// OldestFirst lists the oldest dispute first. By default, the newest comes first.
	OldestFirst bool
	// Limit is the largest number of disputes in a page, from 1 to [dispute.MaxLimit]. Zero means
	// [dispute.DefaultLimit].
	Limit int
}

type disputesPage struct {
	Disputes   []Dispute `json:"disputes"`
	NextCursor string    `json:"nextCursor"`
}

func (p *disputesPage) validate() error { return validatePage(p.Disputes, validateDispute, 0) }

// Disputes yields disputes without their descriptions and notes, page by page.
func (o *Operator) Disputes(ctx context.Context, req DisputesRequest) iter.Seq2[Dispute, error] {
	const path = "/dispute/list"
	return pages("GET "+path, "", func(cursor string) ([]Dispute, string, error) {
		query := pageQuery(cursor, req.Limit)
		for _, state := range req.States {
			query.Add("states", string(state))
		}
		setText(query, "content", req.Content)
		setNumber(query, "assigneeId", req.AssigneeID)
		setText(query, "email", req.Email)
		setText(query, "startDate", req.StartDate)
		setText(query, "endDate", req.EndDate)
		setFlag(query, "oldestFirst", req.OldestFirst)
		page, err := getPage[disputesPage](ctx, o.sender, path, query)
		return page.Disputes, page.NextCursor, err
	})
}

type disputeBacklog struct {
	dispute.Backlog
	// Open shows whether there is a backlog.
	Open *int `json:"open"`
}

func (b *disputeBacklog) validate() error {
	if b.Open == nil {
		return responseError("it has no backlog")
	}
	b.Backlog.Open = *b.Open
	return nil
}

// DisputeBacklog returns how many disputes wait for a decision.
func (o *Operator) DisputeBacklog(ctx context.Context) (dispute.Backlog, error) {
	answer, err := getPage[disputeBacklog](ctx, o.sender, "/dispute/backlog", nil)
	return answer.Backlog, err
}

// Dispute returns a dispute with its notes. The error matches [ErrNotFound] if there is none with the ID.
func (o *Operator) Dispute(ctx context.Context, id int64) (Dispute, error) {
	return getPage[Dispute](ctx, o.sender, "/dispute/get", idQuery("id", id))
}

// UpdatedDispute is a dispute after an operator has changed it.
type UpdatedDispute struct {
	Dispute
	// Replayed reports whether the request was executed before, with the same key.
	Replayed bool `json:"-"`
}

// TransitionRequest changes the state of a dispute.
type TransitionRequest struct {
	// ID is the ID of the dispute.
	ID int64 `json:"id"`
	// Reason may be empty.
	Reason string `json:"reason,omitzero"`
	// IdempotencyKey has 1 to 255 visible ASCII characters. If it is empty, the call has a key of its own.
	IdempotencyKey string `json:"-"`
}

// AssignRequest takes a dispute up, or gives it to another user.
type AssignRequest struct {
	// ID is the ID of the dispute.
	ID int64 `json:"id"`
	// AssigneeID is the active user who gets the dispute. Zero means the caller.
	AssigneeID int64 `json:"assigneeId,omitzero"`
	// Reason may be empty.
	Reason string `json:"reason,omitzero"`
	// IdempotencyKey is as in [TransitionRequest].
	IdempotencyKey string `json:"-"`
}

// StartDisputeReview takes an OPEN dispute up: it becomes UNDER_REVIEW. The error of this method, and of the others that
// change disputes, matches [ErrNotFound] if there is none with the ID, and [ErrConflict] if its state does not allow
// the transition.
func (o *Operator) StartDisputeReview(ctx context.Context, req TransitionRequest) (UpdatedDispute, error) {
	return o.updateDispute(ctx, "/dispute/startReview", req.IdempotencyKey, req)
}

// AssignDispute is StartDisputeReview for the assignee, who has the dispute then. The error matches [ErrInvalid] if there
// is no active user with the ID.
func (o *Operator) AssignDispute(ctx context.Context, req AssignRequest) (UpdatedDispute, error) {
	return o.updateDispute(ctx, "/dispute/startReview", req.IdempotencyKey, req)
}

// ReleaseDispute makes a dispute that is UNDER_REVIEW OPEN again, so that another operator can take it up.
func (o *Operator) ReleaseDispute(ctx context.Context, req TransitionRequest) (UpdatedDispute, error) {
	return o.updateDispute(ctx, "/dispute/release", req.IdempotencyKey, req)
}

// WithdrawDispute closes a dispute that its creator does not need any more.
func (o *Operator) WithdrawDispute(ctx context.Context, req TransitionRequest) (UpdatedDispute, error) {
	return o.updateDispute(ctx, "/dispute/withdraw", req.IdempotencyKey, req)
}

// ReopenDispute makes a closed dispute OPEN again.
func (o *Operator) ReopenDispute(ctx context.Context, req TransitionRequest) (UpdatedDispute, error) {
	return o.updateDispute(ctx, "/dispute/reopen", req.IdempotencyKey, req)
}

// ResolveRequest decides a dispute.
type ResolveRequest struct {
	// ID is the ID of the dispute.
	ID int64 `json:"id"`
	// State is [dispute.StateAccepted] or [dispute.StateRejected].
	State dispute.State `json:"state"`
	// AssetStatus is the new status of the asset if the dispute is accepted: UNKNOWN or ALLOWED. Otherwise it is empty.
	AssetStatus asset.Status `json:"assetStatus,omitzero"`
	// Reason is required. The creator of the dispute can read it.
	Reason string `json:"reason"`
	// IdempotencyKey is as in [TransitionRequest].
	IdempotencyKey string `json:"-"`
}

// ResolveDispute accepts or rejects a dispute.
func (o *Operator) ResolveDispute(ctx context.Context, req ResolveRequest) (UpdatedDispute, error) {
	return o.updateDispute(ctx, "/dispute/resolve", req.IdempotencyKey, req)
}

// NoteRequest adds a comment to a dispute.
type NoteRequest struct {
	// ID is the ID of the dispute.
	ID   int64  `json:"id"`
	Text string `json:"text"`
	// IdempotencyKey is as in [TransitionRequest].
	IdempotencyKey string `json:"-"`
}

// AddDisputeNote adds a comment to a dispute, which only operators see.
func (o *Operator) AddDisputeNote(ctx context.Context, req NoteRequest) (UpdatedDispute, error) {
	return o.updateDispute(ctx, "/dispute/addNote", req.IdempotencyKey, req)
}

func (o *Operator) updateDispute(ctx context.Context, path, key string, body any) (UpdatedDispute, error) {
	return update(ctx, o, path, key, body, func(r *response) UpdatedDispute { return UpdatedDispute{Replayed: isReplay(r)} })
}
