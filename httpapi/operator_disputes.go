package httpapi

import (
	"context"

	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/internal/request"
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
	Assignee  *namedUser    `json:"assignee"`
	CreatedAt string        `json:"createdAt"`
	UpdatedAt string        `json:"updatedAt"`
}

type disputeBacklog struct {
	Open        int     `json:"open"`
	UnderReview int     `json:"underReview"`
	OldestAt    *string `json:"oldestAt"`
}

type disputeDetail struct {
	listedDispute
	Description string        `json:"description"`
	Notes       []disputeNote `json:"notes"`
}

type disputeNote struct {
	Kind      dispute.NoteKind `json:"kind"`
	Text      string           `json:"text"`
	Author    *namedUser       `json:"author"`
	Assignee  *namedUser       `json:"assignee"`
	State     *dispute.State   `json:"state"`
	CreatedAt string           `json:"createdAt"`
}

func newDisputesResponse(page dispute.Page) disputesResponse {
	return disputesResponse{
		Disputes:   mapped(page.Disputes, newListedDispute),
		NextCursor: known(request.TimeCursor(page.NextCursor).String()),
	}
}

func (o operator) backlog(ctx context.Context, _ struct{}) (dispute.Backlog, error) {
	return o.guard.DisputeQueue.Backlog(ctx)
}

func newDisputeBacklog(b dispute.Backlog) disputeBacklog {
	return disputeBacklog{Open: b.Open, UnderReview: b.UnderReview, OldestAt: knownTime(b.OldestAt)}
}

func (r disputesResponse) addTo(n *names) {
	for _, d := range r.Disputes {
		n.addUsers(d.Assignee)
	}
}

func (d disputeDetail) addTo(n *names) {
	n.addUsers(d.Assignee)
	for _, note := range d.Notes {
		n.addUsers(note.Author, note.Assignee)
	}
}

func newListedDispute(d dispute.Dispute) listedDispute {
	return listedDispute{
		ID:        d.ID,
		AssetID:   d.AssetID,
		Content:   d.Content,
		Email:     d.Email,
		State:     d.State,
		Assignee:  newNamedUser(d.Assignee),
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
		Author:    newNamedUser(note.Author),
		Assignee:  newNamedUser(note.Assignee),
		State:     known(note.State),
		CreatedAt: timestamp(note.CreatedAt),
	}
}
