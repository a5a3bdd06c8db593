package dispute_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/dispute"
)

func TestUpdate_Apply_LeavesNotes(t *testing.T) {
	t.Parallel()
	notes := make([]dispute.Note, 1, 4)
	d := dispute.Dispute{State: dispute.StateOpen, Notes: notes}
	update, err := dispute.Transition{To: dispute.StateWithdrawn, At: noon}.Apply(d)
	require.NoError(t, err)
	require.Len(t, update.Apply(d).Notes, 2)
	require.Zero(t, notes[:2][1])
}
