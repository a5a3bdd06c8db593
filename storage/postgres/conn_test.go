package postgres_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage/postgres"
)

func TestReserveIDs_NotReused(t *testing.T) {
	t.Parallel()
	store := open(t, newDatabase(t))
	first, err := store.PutGroup(t.Context(), account.Group{OrganizationID: 1})
	require.NoError(t, err)
	_, err = postgres.Pool(store).Exec(t.Context(), "DELETE FROM apguard_groups")
	require.NoError(t, err)
	second, err := store.PutGroup(t.Context(), account.Group{OrganizationID: 1})
	require.NoError(t, err)
	require.Greater(t, second.ID, first.ID)

	// A smaller explicit ID does not reset the sequence.
	_, err = postgres.Pool(store).Exec(t.Context(), "DELETE FROM apguard_groups")
	require.NoError(t, err)
	_, err = store.PutGroup(t.Context(), account.Group{ID: first.ID, OrganizationID: 1})
	require.NoError(t, err)
	third, err := store.PutGroup(t.Context(), account.Group{OrganizationID: 1})
	require.NoError(t, err)
	require.Greater(t, third.ID, second.ID)
}

// After the largest ID, a new group fails and is not stored.
func TestReserveIDs_OutOfIDs(t *testing.T) {
	t.Parallel()
	store := open(t, newDatabase(t))
	last := account.Group{ID: asset.MaxID, OrganizationID: 1, Name: "last"}
	_, err := store.PutGroup(t.Context(), last)
	require.NoError(t, err)
	_, err = store.PutGroup(t.Context(), account.Group{OrganizationID: 1})
	require.ErrorContains(t, err, "postgres: put group: ")
	groups, err := store.Groups(t.Context(), 1)
	require.NoError(t, err)
	require.Equal(t, []account.Group{last}, groups)
	_, err = store.PutGroup(t.Context(), account.Group{ID: 5, OrganizationID: 1})
	require.NoError(t, err, "a smaller explicit ID is free")
}
