package dispute_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/storage/memory"
)

func TestQueueService_Prune(t *testing.T) {
	t.Parallel()
	noon := time.Date(2025, 1, 5, 12, 0, 0, 0, time.UTC)
	store := memory.New()
	queue := dispute.NewQueueService(store, dispute.QueueOptions{Clock: func() time.Time { return noon }})
	const closed = dispute.MaxLimit + 5
	for i := range closed + 1 {
		created, err := store.CreateDispute(t.Context(), dispute.CreateCommand{
			Identity: asset.Identity{Type: asset.TypePage, Canonical: fmt.Sprintf("%d.example", i)},
			Register: true, EmailKey: "ada@acme.example", At: noon,
		})
		require.NoError(t, err)
		if i > 0 {
			_, err = store.UpdateDispute(t.Context(), dispute.UpdateCommand{DisputeID: created.ID, Apply: dispute.Transition{To: dispute.StateWithdrawn, At: noon}.Apply})
			require.NoError(t, err)
		}
	}
	for before, want := range map[time.Time]int64{{}: 0, noon: 0} {
		removed, err := queue.Prune(t.Context(), before)
		require.NoError(t, err)
		require.Equal(t, want, removed)
	}
	removed, err := queue.Prune(t.Context(), noon.Add(time.Nanosecond))
	require.NoError(t, err)
	require.EqualValues(t, closed, removed, "in several steps")
	page, err := queue.List(t.Context(), dispute.ListRequest{})
	require.NoError(t, err)
	require.Len(t, page.Disputes, 1, "the open one stays")
}
