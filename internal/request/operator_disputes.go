package request

import (
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
)

// ListDisputes decodes GET /dispute/list for operators.
func (c Call) ListDisputes() (dispute.ListRequest, error) {
	f := c.query("content", "assigneeId", "email", "startDate", "endDate", "states", "cursor", "limit", "oldestFirst")
	created, err := asset.ParseDays(f.nonEmpty("startDate"), f.nonEmpty("endDate"))
	after := f.timeCursor()
	request := dispute.ListRequest{
		Filter: dispute.Filter{
			Identity: f.identity(),
			Assignee: f.id("assigneeId"),
			Email:    f.text("email"),
			Created:  created,
		},
		Cursor:      dispute.Cursor(after),
		Limit:       f.limit(dispute.MaxLimit),
		OldestFirst: f.flag("oldestFirst"),
	}
	for _, state := range f.nonEmptyList("states", len(dispute.States())) {
		request.Filter.States = append(request.Filter.States, dispute.State(state))
	}
	return request, f.join(err, request.Validate())
}

// DisputeBacklog decodes GET /dispute/backlog for operators.
func (c Call) DisputeBacklog() (struct{}, error) { return c.noFields() }

// Figures decodes GET /figures for operators.
func (c Call) Figures() (struct{}, error) { return c.noFields() }

// noFields decodes a query without parameters.
func (c Call) noFields() (struct{}, error) {
	f := c.query()
	return struct{}{}, f.join()
}

// GetDispute decodes GET /dispute/get for operators.
func (c Call) GetDispute() (id int64, err error) { return c.queryID("id") }

// AssignDispute decodes POST /dispute/startReview for operators.
func (c Call) AssignDispute() (dispute.AssignRequest, error) {
	f := c.body("id", "assigneeId", "reason")
	key, invalidKey := c.idempotencyKey()
	request := dispute.AssignRequest{
		DisputeID:   f.requiredID("id"),
		Actor:       c.Caller.UserID,
		Assignee:    f.id("assigneeId"),
		Reason:      f.text("reason"),
		Idempotency: key,
	}
	return request, f.join(invalidKey, request.Validate())
}

// TransitionDispute decodes POST /dispute/release, /dispute/withdraw and /dispute/reopen for operators.
func (c Call) TransitionDispute() (dispute.TransitionRequest, error) {
	f := c.body("id", "reason")
	key, invalidKey := c.idempotencyKey()
	request := dispute.TransitionRequest{DisputeID: f.requiredID("id"), Actor: c.Caller.UserID, Reason: f.text("reason"), Idempotency: key}
	return request, f.join(invalidKey, request.Validate())
}

// ResolveDispute decodes POST /dispute/resolve for operators.
func (c Call) ResolveDispute() (dispute.ResolveRequest, error) {
	f := c.body("id", "state", "assetStatus", "reason")
	key, invalidKey := c.idempotencyKey()
	request := dispute.ResolveRequest{
		DisputeID:   f.requiredID("id"),
		State:       dispute.State(f.nonEmpty("state")),
		AssetStatus: asset.Status(f.nonEmpty("assetStatus")),
		Actor:       c.Caller.UserID,
		Reason:      f.text("reason"),
		Idempotency: key,
	}
	return request, f.join(invalidKey, request.Validate())
}

// AddDisputeNote decodes POST /dispute/addNote for operators.
func (c Call) AddDisputeNote() (dispute.AddNoteRequest, error) {
	f := c.body("id", "text")
	key, invalidKey := c.idempotencyKey()
	request := dispute.AddNoteRequest{DisputeID: f.requiredID("id"), Actor: c.Caller.UserID, Text: f.text("text"), Idempotency: key}
	return request, f.join(invalidKey, request.Validate())
}
