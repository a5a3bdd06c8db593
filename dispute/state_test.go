package dispute_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/dispute"
)

func TestStates(t *testing.T) {
	t.Parallel()
	require.Equal(t, []dispute.State{"OPEN", "UNDER_REVIEW", "ACCEPTED", "REJECTED", "WITHDRAWN"}, dispute.States())
	dispute.States()[0] = "X"
	require.Equal(t, dispute.StateOpen, dispute.States()[0], "the caller owns the slice")
}

func TestState_Valid(t *testing.T) {
	t.Parallel()
	require.True(t, dispute.StateOpen.Valid())
	require.False(t, dispute.State("open").Valid())
	require.False(t, dispute.State("").Valid())
}

func TestState_Closed(t *testing.T) {
	t.Parallel()
	for state, closed := range map[dispute.State]bool{
		dispute.StateOpen:        false,
		dispute.StateUnderReview: false,
		dispute.StateAccepted:    true,
		dispute.StateRejected:    true,
		dispute.StateWithdrawn:   true,
	} {
		require.Equal(t, closed, state.Closed(), state)
	}
}
