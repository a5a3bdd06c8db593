package httpapi

import (
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/httpapi/request"
)

type disputesResponse struct {
	Disputes   []listedDispute `json:"disputes"`
	NextCursor *string         `json:"nextCursor"`
}

type listedDispute struct {
	ID        int64         `json:"id"`
	AssetID   int64         `json:"assetId"`
	Content   string        `json:"content"`
	Email     string        `json:"email"`
	State     dispute.State `json:"state"`
	CreatedAt string        `json:"createdAt"`
	UpdatedAt string        `json:"updatedAt"`
}

type disputeDetail struct {
	listedDispute
	Description string        `json:"description"`
	Notes       []disputeNote `json:"notes"`
}

type disputeNote struct {
	Kind      dispute.NoteKind `json:"kind"`
	Text      string           `json:"text"`
	Author    *int64           `json:"author"`
	State     *dispute.State   `json:"state"`
	CreatedAt string           `json:"createdAt"`
}

func newDisputesResponse(page dispute.Page) disputesResponse {
	return disputesResponse{
		Disputes:   mapped(page.Disputes, newListedDispute),
		NextCursor: known(request.TimeCursor(page.NextCursor).String()),
	}
}

func newListedDispute(d dispute.Dispute) listedDispute {
	return listedDispute{
		ID:        d.ID,
		AssetID:   d.AssetID,
		Content:   d.Content,
		Email:     d.Email,
		State:     d.State,
		CreatedAt: timestamp(d.CreatedAt),
		UpdatedAt: timestamp(d.UpdatedAt),
	}
}

func newDisputeDetail(d dispute.Dispute) disputeDetail {
	return disputeDetail{
		listedDispute: newListedDispute(d),
		Description:   d.Description,
		Notes:         mapped(d.Notes, newDisputeNote),
	}
}

func updatedDispute(u dispute.Updated) (disputeDetail, bool) {
	return newDisputeDetail(u.Dispute), u.Replayed
}

func newDisputeNote(note dispute.Note) disputeNote {
	return disputeNote{
		Kind:      note.Kind,
		Text:      note.Text,
		Author:    known(note.Author),
		State:     known(note.State),
		CreatedAt: timestamp(note.CreatedAt),
	}
}
