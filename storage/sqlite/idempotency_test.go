//go:build cgo

package sqlite_test

import (
	"testing"

	"github.com/apguard/apguard/storage/internal/prunetest"
	"github.com/apguard/apguard/storage/sqlite"
)

func TestIdempotency_Prune(t *testing.T) {
	t.Parallel()
	store := open(t, newFile(t))
	_, reader := sqlite.Pools(store)
	prunetest.TestRecords(t, store, func() int { return len(tableRows(t, reader, "apguard_idempotency")) })
}
