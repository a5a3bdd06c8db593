package dispute_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
)

func TestService_Create_firstBlockingList(t *testing.T) {
	t.Parallel()
	f := newFixture(t,
		blocklist{name: "Exempts", exempts: "https://bad.example"},
		blocklist{name: "Phish List", blocks: "https://bad.example"},
		blocklist{name: "Last", blocks: "https://bad.example"},
	)
	created, err := f.Create(t.Context(), dispute.CreateRequest{Content: "https://bad.example", Email: "a@b.example"})
	require.NoError(t, err)
	require.Equal(t, onlyInList, created.Message)
}

func TestService_Create_failedList(t *testing.T) {
	t.Parallel()
	f := newFixture(t, blocklist{name: "Odd", err: context.DeadlineExceeded})
	f.put(t, "https://site.example", asset.StatusUnknown)
	created, err := f.Create(t.Context(), dispute.CreateRequest{Content: "https://site.example", Email: "a@b.example"})
	require.NoError(t, err)
	require.Empty(t, created.Message)
	require.ErrorContains(t, created.ListsFailed.Err(), `external list "Odd"`)
}

func TestService_Create_canceled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := newFixture(t, blocklist{}).Create(ctx, dispute.CreateRequest{Content: "https://bad.example", Email: "a@b.example"})
	require.ErrorIs(t, err, context.Canceled)
}
