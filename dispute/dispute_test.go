package dispute_test

import (
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
