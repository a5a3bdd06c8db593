package sqlstore_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/internal/sqlstore"
)

// repeatingEngine runs each step that writes twice, as after a rollback.
type repeatingEngine struct{ sqlstore.Engine }

func (repeatingEngine) Write(ctx context.Context, _ sqlstore.Operation, step sqlstore.Step) error {
	if err := step(ctx, newAssets{}); err != nil {
		return err
	}
	return step(ctx, newAssets{})
}

// newAssets is a connection to a database without assets.
type newAssets struct{ sqlstore.Conn }

func (newAssets) RegisterAssets(_ context.Context, assets []sqlstore.Locked) error {
	for i := range assets {
		assets[i].ID, assets[i].New = int64(i+1), true
	}
	return nil
}

func (newAssets) PutDecisions(context.Context, []sqlstore.Decision) error { return nil }

func (newAssets) RecordChanges(context.Context, []sqlstore.RecordedChange) error { return nil }

func TestStore_ChangeCounter(t *testing.T) {
	t.Parallel()
	counted := make(map[asset.Status]int)
	ctx := storage.WithChangeCounter(t.Context(), func(to asset.Status, n int) { counted[to] += n })
	_, err := sqlstore.New(repeatingEngine{}, sqlstore.Dialect{}).SetAssetStatuses(ctx, asset.SetStatusesCommand{Items: []asset.StatusItem{
		{Identity: asset.Identity{Type: asset.TypePage, Canonical: "https://a.example"}, Status: asset.StatusBlocked},
		{Identity: asset.Identity{Type: asset.TypePage, Canonical: "https://b.example"}, Status: asset.StatusBlocked},
		{Identity: asset.Identity{Type: asset.TypePage, Canonical: "https://c.example"}, Status: asset.StatusUnknown},
	}})
	require.NoError(t, err)
	require.Equal(t, map[asset.Status]int{asset.StatusBlocked: 2}, counted, "a step that runs again counts once")
}
