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

// ownDisputeResponse is a dispute as its creator sees it.
type ownDisputeResponse struct {
	ID        string        `json:"id"`
	Asset     assetResponse `json:"asset"`
	State     dispute.State `json:"state"`
	Reason    *string       `json:"reason"`
	CreatedAt string        `json:"createdAt"`
	ClosedAt  *string       `json:"closedAt"`
}

func newOwnDisputeResponse(view dispute.CreatorView) ownDisputeResponse {
	return ownDisputeResponse{
		ID:        strconv.FormatInt(view.ID, 10),
		Asset:     newAssetResponse(view.Asset),
		State:     view.State,
		Reason:    known(view.Reason),
		CreatedAt: timestamp(view.CreatedAt),
		ClosedAt:  knownTime(view.ClosedAt),
	}
}
