package httpapi

import (
	"context"

	"github.com/apguard/apguard/dispute"
)

// listDisputes answers a page of the queue.
func (o operator) listDisputes(w *responseWriter, c call) error {
	req, err := c.request().ListDisputes()
	if err != nil {
		return err
	}
	page, err := o.guard.DisputeQueue.List(c.Context(), req)
	if err != nil {
		return err
	}
	return w.writeJSON(newDisputesResponse(page))
}

// getDispute answers a dispute with its notes.
func (o operator) getDispute(w *responseWriter, c call) error {
	id, err := c.request().GetDispute()
	if err != nil {
		return err
	}
	found, err := o.guard.DisputeQueue.Get(c.Context(), id)
	return writeDispute(w, found, err)
}

// startDisputeReview takes up a dispute.
func (o operator) startDisputeReview(w *responseWriter, c call) error {
	return transition(w, c, o.guard.DisputeQueue.StartReview)
}

// releaseDispute returns a dispute to the queue.
func (o operator) releaseDispute(w *responseWriter, c call) error {
	return transition(w, c, o.guard.DisputeQueue.Release)
}

// withdrawDispute closes a dispute on behalf of its author.
func (o operator) withdrawDispute(w *responseWriter, c call) error {
	return transition(w, c, o.guard.DisputeQueue.Withdraw)
}

// reopenDispute opens a closed dispute again.
func (o operator) reopenDispute(w *responseWriter, c call) error {
	return transition(w, c, o.guard.DisputeQueue.Reopen)
}

// transition answers a transition that does not decide the dispute.
func transition(w *responseWriter, c call, apply func(context.Context, dispute.TransitionRequest) (dispute.Dispute, error)) error {
	req, err := c.request().TransitionDispute()
	if err != nil {
		return err
	}
	updated, err := apply(c.Context(), req)
	return writeDispute(w, updated, err)
}

// resolveDispute accepts or rejects a dispute.
func (o operator) resolveDispute(w *responseWriter, c call) error {
	req, err := c.request().ResolveDispute()
	if err != nil {
		return err
	}
	updated, err := o.guard.DisputeQueue.Resolve(c.Context(), req)
	return writeDispute(w, updated, err)
}

// addDisputeNote adds a comment to a dispute.
func (o operator) addDisputeNote(w *responseWriter, c call) error {
	req, err := c.request().AddDisputeNote()
	if err != nil {
		return err
	}
	updated, err := o.guard.DisputeQueue.AddNote(c.Context(), req)
	return writeDispute(w, updated, err)
}

// writeDispute answers with a dispute, or returns the error.
func writeDispute(w *responseWriter, d dispute.Dispute, err error) error {
	if err != nil {
		return err
	}
	return w.writeJSON(newDisputeDetail(d))
}
