// Package idtest has the tests of the identifiers that SQL stores assign.
package idtest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/storage"
)

// TestNotReused tests that the identifiers of deleted rows are not assigned again. The store
// deletes no groups, but the host application may, with deleteGroups.
func TestNotReused(t *testing.T, store storage.Store, deleteGroups func()) {
	t.Helper()
	first, err := store.PutGroup(t.Context(), account.Group{OrganizationID: 1}, audit.Entry{})
	require.NoError(t, err)
	deleteGroups()
	second, err := store.PutGroup(t.Context(), account.Group{OrganizationID: 1}, audit.Entry{})
	require.NoError(t, err)
	require.Greater(t, second.ID, first.ID)

	deleteGroups()
	_, err = store.PutGroup(t.Context(), account.Group{ID: first.ID, OrganizationID: 1}, audit.Entry{})
	require.NoError(t, err)
	third, err := store.PutGroup(t.Context(), account.Group{OrganizationID: 1}, audit.Entry{})
	require.NoError(t, err)
	require.Greater(t, third.ID, second.ID, "after a smaller identifier of the caller")
}

// TestExhausted tests that no identifier is assigned after the largest one. The error of the
// store contains its operation, and the group is not stored.
func TestExhausted(t *testing.T, store storage.Store, operation string) {
	t.Helper()
	last := account.Group{ID: asset.MaxID, OrganizationID: 1, Name: "last"}
	_, err := store.PutGroup(t.Context(), last, audit.Entry{})
	require.NoError(t, err)
	_, err = store.PutGroup(t.Context(), account.Group{OrganizationID: 1}, audit.Entry{})
	require.ErrorContains(t, err, operation)
	groups, err := store.Groups(t.Context(), 1)
	require.NoError(t, err)
	require.Equal(t, []account.Group{last}, groups)
	_, err = store.PutGroup(t.Context(), account.Group{ID: 5, OrganizationID: 1}, audit.Entry{})
	require.NoError(t, err, "a smaller identifier is free")
}
