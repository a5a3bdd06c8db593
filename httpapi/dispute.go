package httpapi

import (
	"net/http"
	"strconv"

	"github.com/apguard/apguard/dispute"
)

type disputeReply struct {
	ID      string `json:"id"`
	Content string `json:"content"`
	Message string `json:"message,omitempty"`
}

// createDispute answers the specification's "Dispute create".
func (a *API) createDispute(w http.ResponseWriter, c call) error {
	body, err := parseBody(c.body, "content", "email", "description")
	if err != nil {
		return err
	}
	f := fields{source: body}
	request := dispute.Request{
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
	if created.ListErr != nil && !clientGone(c.Request) {
		a.logger.WarnContext(c.Context(), "external list failed", "path", c.URL.Path, "error", created.ListErr)
	}
	if err != nil {
		return err
	}
	return a.writeReply(w, disputeReply{
		ID:      strconv.FormatInt(created.Dispute.ID, 10),
		Content: request.Content,
		Message: created.Message,
	})
}
