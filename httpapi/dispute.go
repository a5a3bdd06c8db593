package httpapi

import "strconv"

type disputeResponse struct {
	ID      string `json:"id"`
	Content string `json:"content"`
	Message string `json:"message,omitempty"`
}

// createDispute answers the specification's "Dispute create".
func (p public) createDispute(w *responseWriter, c call) error {
	req, err := c.request().CreateDispute()
	if err != nil {
		return err
	}
	created, err := p.guard.Disputes.Create(c.Context(), req)
	recordListsFailed(w, created.ListsFailed)
	if err != nil {
		return err
	}
	announceReplay(w.Header(), created.Replayed)
	return w.writeJSON(disputeResponse{
		ID:      strconv.FormatInt(created.Dispute.ID, 10),
		Content: req.Content,
		Message: created.Message,
	})
}
