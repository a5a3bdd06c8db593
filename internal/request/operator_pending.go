package request

import "github.com/apguard/apguard/pending"

// ListActs decodes GET /pending/list for operators. Without a state, they are the pending ones.
func (c Call) ListActs() (pending.ListRequest, error) {
	f := c.query("state", "cursor", "limit")
	request := pending.ListRequest{
		State: pending.State(f.nonEmpty("state")),
		After: f.cursor(),
		Limit: f.limit(pending.MaxLimit),
	}
	if !f.given("state") {
		request.State = pending.StatePending
	}
	return request, f.join(request.Validate())
}

// DecideAct decodes POST /pending/approve and /pending/reject for operators.
func (c Call) DecideAct() (pending.DecideRequest, error) {
	f := c.body("id", "comment")
	key, invalidKey := c.idempotencyKey()
	request := pending.DecideRequest{
		ID:      f.requiredID("id"),
		Actor:   c.Caller.UserID,
		Comment: f.text("comment"),

		Idempotency: key,
	}
	return request, f.join(invalidKey, request.Validate())
}
