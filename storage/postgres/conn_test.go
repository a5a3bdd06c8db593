package postgres_test

import (
	"testing"

	"github.com/apguard/apguard/storage/internal/test/idtest"
)

func TestReserveIDs_NotReused(t *testing.T) {
	t.Parallel()
	dsn := newDatabase(t)
	idtest.TestNotReused(t, open(t, dsn), func() { execute(t, dsn, "DELETE FROM apguard_groups") })
}

func TestReserveIDs_OutOfIDs(t *testing.T) {
	t.Parallel()
	idtest.TestExhausted(t, open(t, newDatabase(t)), "postgres: put group: ")
}
