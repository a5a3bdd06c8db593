//go:build cgo

package sqlite_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/storage/internal/test/idtest"
	"github.com/apguard/apguard/storage/sqlite"
)

func TestPersistence_IdentifiersNotReused(t *testing.T) {
	t.Parallel()
	store := open(t, newFile(t))
	idtest.TestNotReused(t, store, func() {
		writer, _ := sqlite.Pools(store)
		_, err := writer.ExecContext(t.Context(), "DELETE FROM apguard_groups")
		require.NoError(t, err)
	})
}

func TestPersistence_OutOfIdentifiers(t *testing.T) {
	t.Parallel()
	idtest.TestExhausted(t, open(t, newFile(t)), "sqlite: put group: ")
}
