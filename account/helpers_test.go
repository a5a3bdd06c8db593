package account_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage/memory"
)

var errBroken = errors.New("store is broken")

func noon() time.Time {
	return time.Date(2025, time.January, 5, 12, 0, 0, 0, time.UTC)
}

// clock is a service's clock that the test sets.
type clock struct{ now time.Time }

// newService returns a service with organization 1 and user 7, and its store.
func newService(t *testing.T) (*account.Service, *memory.Store) {
	t.Helper()
	store := memory.New()
	service := account.NewService(store, account.Options{})
	require.NoError(t, service.PutOrganization(t.Context(), account.Organization{ID: 1, Slug: "acme", Name: "Acme"}))
	require.NoError(t, service.PutUser(t.Context(), account.User{ID: 7, FullName: "Ada", Email: "ada@acme.example"}))
	return service, store
}

// newKeyService returns a key service with organization 1 and user 7 at noon.
func newKeyService(t *testing.T) (*account.KeyService, *clock) {
	t.Helper()
	_, store := newService(t)
	return newKeyServiceOn(store)
}

// newKeyServiceOn returns a key service on the store at noon.
func newKeyServiceOn(store account.KeyStore) (*account.KeyService, *clock) {
	c := &clock{now: noon()}
	return account.NewKeyService(store, account.KeyOptions{Clock: func() time.Time { return c.now }}), c
}

// createKey creates a key of organization 1 that expires in an hour.
func createKey(t *testing.T, keys *account.KeyService) (string, [32]byte) {
	t.Helper()
	secret, err := keys.Create(t.Context(), account.KeyRequest{
		OrganizationID: 1, Name: "Crawler", Scopes: []account.Scope{account.ScopeReports}, ExpiresAt: noon().Add(time.Hour),
	})
	require.NoError(t, err)
	return secret, account.HashKey(secret)
}

// requireKeyError requires a KeyError that names the key.
func requireKeyError(t *testing.T, hash [32]byte, want, err error) {
	t.Helper()
	var refused *account.KeyError
	require.ErrorAs(t, err, &refused)
	require.Equal(t, account.KeyError{Fingerprint: account.Fingerprint(hash), Err: want}, *refused)
	require.ErrorIs(t, err, want)
}

// requireIssues requires an InputError with these issues, or no error without any.
func requireIssues(t *testing.T, reason string, want []string, err error) {
	t.Helper()
	if len(want) == 0 {
		require.NoError(t, err, reason)
		return
	}
	var input *asset.InputError
	require.ErrorAs(t, err, &input, reason)
	require.ErrorIs(t, err, asset.ErrInvalid, reason)
	var got []string
	for _, issue := range input.Issues {
		got = append(got, issue.String())
	}
	require.Equal(t, want, got, reason)
}
