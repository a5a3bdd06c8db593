package httpapi

import (
	"fmt"
	"strconv"

	"github.com/apguard/apguard/dispute"
)

type disputeReply struct {
	ID      string `json:"id"`
	Content string `json:"content"`
	Message string `json:"message,omitempty"`
}

// createDispute answers the specification's "Dispute create".
func (a *API) createDispute(w *reply, c call) error {
	body, err := parseBody(c.body, "content", "email", "description")
	if err != nil {
		return err
	}
	f := fields{source: body}
	request := dispute.CreateRequest{
		Content:      f.text("content"),
		Email:        f.text("email"),
		AccountEmail: c.principal.Email,
		Description:  f.text("description"),
		ViaAPI:       true,
	}
	if err := f.judge(request.Validate()); err != nil {
		return err
	}
	created, err := a.guard.Disputes.Create(c.Context(), request)
	if created.ListErr != nil {
		w.conceal(fmt.Errorf("external list: %w", created.ListErr))
	}
	if err != nil {
		return err
	}
	return w.accept(disputeReply{
		ID:      strconv.FormatInt(created.Dispute.ID, 10),
		Content: request.Content,
		Message: created.Message,
	})
}
