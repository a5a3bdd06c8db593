package allowlist_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

func TestAddRequest_Plan(t *testing.T) {
	t.Parallel()
	at := time.Date(2025, 6, 1, 0, 0, 0, 0, time.UTC)
	page := asset.Identity{Type: asset.TypePage, Canonical: "a.example.com"}
	planned := allowlist.AddRequest{Items: []allowlist.Item{
		{Content: "a.example.com", ExpiresAt: at},
		{Content: "A.example.com"},
		{Content: " a.example.com"},
		{Content: ""},
		{Content: "no asset"},
		{Content: "b.example.com", GroupID: -1},
	}}.Plan(at)
	want := []struct {
		identity asset.Identity
		err      error
	}{
		{asset.Identity{}, allowlist.ErrInvalidExpiry},
		{page, nil},
		{page, allowlist.ErrExists},
		{asset.Identity{}, classify.ErrContentRequired},
		{asset.Identity{}, classify.ErrInvalidFormat},
		{asset.Identity{}, allowlist.ErrInvalidGroupID},
	}
	require.Len(t, planned, len(want))
	for i, w := range want {
		require.Equal(t, w.identity, planned[i].Identity, i)
		require.ErrorIs(t, planned[i].Err, w.err, i)
	}
	require.Empty(t, allowlist.AddRequest{}.Plan(at))
}
