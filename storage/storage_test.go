package storage_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage"
)

func TestErrClosed_IsUnavailable(t *testing.T) {
	t.Parallel()
	err := fmt.Errorf("list: %w", storage.ErrClosed)
	require.ErrorIs(t, err, asset.ErrUnavailable)
	require.ErrorIs(t, err, storage.ErrClosed)
	require.NotErrorIs(t, asset.ErrUnavailable, storage.ErrClosed, "not every store that is unavailable is closed")
	require.NotErrorIs(t, err, storage.ErrNotEmpty)
	require.EqualError(t, err, "list: store is closed")
}
