package httpapi

import (
	"strconv"

	"github.com/apguard/apguard/dispute"
)

type disputeResponse struct {
	ID      string `json:"id"`
	Content string `json:"content"`
	Message string `json:"message,omitempty"`
}

// createDispute answers the specification's "Dispute create".
func (a *API) createDispute(w *responseWriter, c call) error {
	body, err := decodeBody(c.body, "content", "email", "description")
	if err != nil {
		return err
	}
	f := fields{source: body}
	key, invalidKey := idempotencyKey(c)
	request := dispute.CreateRequest{
		Content:        f.text("content"),
		Email:          f.text("email"),
		AccountEmail:   c.principal.Email,
		Description:    f.text("description"),
		ViaAPI:         true,
		OrganizationID: c.principal.OrganizationID,
		Actor:          c.principal.UserID,
		Idempotency:    key,
	}
	if err := f.join(invalidKey, request.Validate()); err != nil {
		return err
	}
	created, err := a.service.CreateDispute(c.Context(), request)
	recordListError(w, created.ListErr)
	if err != nil {
		return err
	}
	announceReplay(w.Header(), created.Replayed)
	return w.writeJSON(disputeResponse{
		ID:      strconv.FormatInt(created.Dispute.ID, 10),
		Content: request.Content,
		Message: created.Message,
	})
}
