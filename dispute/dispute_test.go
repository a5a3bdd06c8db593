package dispute_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/dispute"
)

func TestDispute_LastTransition(t *testing.T) {
	t.Parallel()
	comment := dispute.Note{Kind: dispute.NoteKindComment, Text: "note"}
	first := dispute.Note{Kind: dispute.NoteKindTransition, State: dispute.StateUnderReview}
	last := dispute.Note{Kind: dispute.NoteKindTransition, State: dispute.StateRejected}
	got, ok := dispute.Dispute{Notes: []dispute.Note{first, last, comment}}.LastTransition()
	require.True(t, ok)
	require.Equal(t, last, got)
	_, ok = dispute.Dispute{Notes: []dispute.Note{comment}}.LastTransition()
	require.False(t, ok)
}

func TestDispute_JSON(t *testing.T) {
	t.Parallel()
	d := dispute.Dispute{
		ID: 1, AssetID: 2, Content: "https://a.example", Email: "ada@a.example", State: dispute.StateRejected,
		Notes: []dispute.Note{
			{Kind: dispute.NoteKindAPI, Text: "via API", CreatedAt: noon},
			{Kind: dispute.NoteKindTransition, Text: "no", Author: 7, State: dispute.StateRejected, CreatedAt: noon},
		},
		CreatedAt: noon, UpdatedAt: noon,
	}
	page, err := json.Marshal(dispute.Page{Disputes: []dispute.Dispute{d.Listed()}, NextCursor: d.Cursor()})
	require.NoError(t, err)
	require.JSONEq(t, `{"disputes": [{"id": 1, "assetId": 2, "content": "https://a.example", "email": "ada@a.example", "state": "REJECTED",
		"createdAt": "2025-01-05T12:00:00Z", "updatedAt": "2025-01-05T12:00:00Z"}], "nextCursor": {"createdAt": "2025-01-05T12:00:00Z", "id": 1}}`, string(page))
	notes, err := json.Marshal(d.Notes)
	require.NoError(t, err)
	require.JSONEq(t, `[{"kind": "API", "text": "via API", "createdAt": "2025-01-05T12:00:00Z"},
		{"kind": "TRANSITION", "text": "no", "author": 7, "state": "REJECTED", "createdAt": "2025-01-05T12:00:00Z"}]`, string(notes))
	last, err := json.Marshal(dispute.Page{Disputes: []dispute.Dispute{}})
	require.NoError(t, err)
	require.JSONEq(t, `{"disputes": []}`, string(last))
}
