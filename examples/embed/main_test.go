package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/sqlite"
)

// addEntry adds an entry with an end to an allowlist.
func addEntry(t *testing.T, store storage.Store, now, end time.Time) {
	t.Helper()
	guard := apguard.New(store, apguard.Options{Clock: func() time.Time { return now }})
	_, err := guard.Allowlist.Add(t.Context(), allowlist.AddRequest{
		OrganizationID: 1, Items: []allowlist.Item{{Content: "https://ends.example", ExpiresAt: end}},
	})
	require.NoError(t, err)
}

// An entry that ended while nothing ran leaves the allowlist when the program starts.
func TestRun_RegularWork(t *testing.T) {
	t.Parallel()
	file := newFile(t)
	start(t, file).stop()
	db := open(t, file)
	store, err := sqlite.New(t.Context(), db, sqlite.Options{})
	require.NoError(t, err)
	now := time.Now()
	addEntry(t, store, now.Add(-2*time.Hour), now.Add(-time.Hour))
	start(t, file)
	guard := apguard.New(store, apguard.Options{})
	require.Eventually(t, func() bool {
		found, err := guard.Asset(t.Context(), "https://ends.example")
		return err == nil && found.Status == asset.StatusUnknown
	}, time.Minute, 10*time.Millisecond)
	require.NoError(t, store.Close())
}
