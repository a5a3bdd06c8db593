package postgres_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/storage/internal/test/fixtures"
	"github.com/apguard/apguard/storage/internal/test/subprocess"
	"github.com/apguard/apguard/storage/postgres"
)

// openTogether waits for the start signal, opens the database and writes to it.
func openTogether(dsn string) string {
	subprocess.AwaitStart()
	return subprocess.Result(fixtures.WriteOnce(postgres.Open(context.Background(), dsn, postgres.Options{})))
}

func TestOpen_ConcurrentProcesses(t *testing.T) {
	t.Parallel()
	const rounds, processes = 4, 5
	for range rounds {
		dsn := newDatabase(t)
		subprocess.RunTogether(t, processes, "open", dsn)
		requireGroups(t, dsn, processes)
	}
}

// requireGroups requires n groups, and that each migration ran once.
func requireGroups(t *testing.T, dsn string, n int) {
	t.Helper()
	require.Equal(t, n, queryValue[int](t, dsn, "SELECT count(*) FROM apguard_groups"))
	require.True(t, queryValue[bool](t, dsn,
		"SELECT count(version_id) = count(DISTINCT version_id) FROM apguard_schema_version"), "a migration ran twice")
}
