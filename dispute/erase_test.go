package dispute_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
)

func TestDispute_Erased(t *testing.T) {
	t.Parallel()
	noon := time.Date(2025, 1, 5, 12, 0, 0, 0, time.UTC)
	notes := []dispute.Note{
		{Kind: dispute.NoteKindAPI, Text: "system", CreatedAt: noon},
		{Kind: dispute.NoteKindExternalList, Text: "a list", CreatedAt: noon},
		{Kind: dispute.NoteKindComment, Text: "Ada called", Author: 7, CreatedAt: noon},
		{Kind: dispute.NoteKindTransition, Text: "Ada is right", Author: 8, State: dispute.StateAccepted, CreatedAt: noon},
	}
	before := dispute.Dispute{
		ID: 1, AssetID: 2, Content: "HTTPS://Ada@a.example", Email: "ada@acme.example", Description: "I am Ada",
		OrganizationID: 1, CreatedBy: 7, State: dispute.StateAccepted, Notes: notes, CreatedAt: noon, UpdatedAt: noon,
	}
	got := before.Erased("https://a.example")
	require.Equal(t, dispute.Dispute{
		ID: 1, AssetID: 2, Content: "https://a.example", OrganizationID: 1, CreatedBy: 7,
		State: dispute.StateAccepted, CreatedAt: noon, UpdatedAt: noon,
		Notes: []dispute.Note{
			notes[0], notes[1],
			{Kind: dispute.NoteKindComment, Author: 7, CreatedAt: noon},
			{Kind: dispute.NoteKindTransition, Author: 8, State: dispute.StateAccepted, CreatedAt: noon},
		},
	}, got)
	require.Equal(t, "Ada called", before.Notes[2].Text, "the notes are not shared")
	require.Equal(t, got, got.Erased("https://a.example"), "a second time")
	require.NotContains(t, dispute.ErasedKey(7), "@")
}

// More disputes than one step erases.
func TestQueueService_Erase_Steps(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for n := range dispute.EraseLimit + 1 {
		content := fmt.Sprintf("https://a.example/%d", n)
		f.put(t, content, asset.StatusBlocked)
		_, err := f.Create(t.Context(), dispute.CreateRequest{Content: content, Email: "ada@acme.example"})
		require.NoError(t, err)
	}
	erased, err := f.queue.Erase(t.Context(), "Ada@acme.example")
	require.NoError(t, err)
	require.EqualValues(t, dispute.EraseLimit+1, erased)
}
