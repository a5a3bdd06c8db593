package main

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/postgres"
)

// databaseOf returns the database of the flag.
func databaseOf(value string) database { return database{secret{value, "-db"}} }

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

func TestOpenExisting_EmptyPostgres(t *testing.T) {
	t.Parallel()
	_, err := databaseOf(postgresSchema(t)).openExisting(t.Context())
	require.ErrorIs(t, err, storage.ErrOlderSchema)
	require.ErrorContains(t, err, "start this server on the database once")
}
