package dispute_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/dispute"
)

func TestQueueService_Get_Unknown(t *testing.T) {
	t.Parallel()
	_, err := newFixture(t).queue.Get(t.Context(), 1)
	require.ErrorIs(t, err, dispute.ErrNotFound)
}
