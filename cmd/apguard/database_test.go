package main

import (
	"net/url"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/postgres"
	"github.com/apguard/apguard/storage/sqlite"
)

// databaseOf returns the database of the flag.
func databaseOf(value string) database { return database{secret{value, "-db"}} }

func TestOpenStore_MissingDirectory(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "missing", "apguard.db")
	_, err := databaseOf(path).open(t.Context())
	require.ErrorIs(t, err, sqlite.ErrPath)
	require.ErrorContains(t, err, "create its directory first")
}

// TestOpen_MissingDatabase has a server that answers, but not the database.
func TestOpen_MissingDatabase(t *testing.T) {
	t.Parallel()
	db, err := url.Parse(postgresSchema(t))
	require.NoError(t, err)
	db.Path = "/apguard_missing"
	db.User = url.UserPassword(db.User.Username(), "secret")
	_, err = databaseOf(db.String()).open(t.Context())
	require.ErrorIs(t, err, postgres.ErrNoDatabase)
	require.ErrorContains(t, err, `"apguard_missing" does not exist`)
	require.ErrorContains(t, err, "create it first")
	require.NotContains(t, err.Error(), "secret")

	_, err = databaseOf(db.String()).openExisting(t.Context())
	require.ErrorIs(t, err, postgres.ErrNoDatabase)
	require.ErrorContains(t, err, "create it first")
	require.ErrorContains(t, err, `"apguard_missing" does not exist`)
	require.NotContains(t, err.Error(), "secret")
}

func TestOpenExisting_MalformedURL(t *testing.T) {
	t.Parallel()
	_, err := databaseOf("postgres://ada:sec%zzret@127.0.0.1/apguard").openExisting(t.Context())
	require.ErrorIs(t, err, postgres.ErrDSN)
	require.NotContains(t, err.Error(), "ret")
}

func TestOpenExisting_OlderSchema(t *testing.T) {
	t.Parallel()
	for reason, db := range map[string]func(testing.TB) string{
		"an empty file":       func(testing.TB) string { return writeFile(t, "") },
		"an empty PostgreSQL": postgresSchema,
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			_, err := databaseOf(db(t)).openExisting(t.Context())
			require.ErrorIs(t, err, storage.ErrOlderSchema)
			require.ErrorContains(t, err, "start this server on the database once")
		})
	}
}
