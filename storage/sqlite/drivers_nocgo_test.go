//go:build !cgo

package sqlite_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/storage/internal/test/subprocess"
	"github.com/apguard/apguard/storage/sqlite"
)

func TestOpen_NeedsCgo(t *testing.T) {
	t.Parallel()
	_, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "a.db"), sqlite.Options{})
	require.ErrorIs(t, err, sqlite.ErrNoDriver)
	require.ErrorContains(t, err, "CGO_ENABLED=1")
}

// drivers returns all drivers.
func drivers() []hostDriver { return []hostDriver{pureGo()} }

// openTasks returns the tasks that call Open.
func openTasks() map[string]subprocess.Task { return nil }
