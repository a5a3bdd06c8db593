package account_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
)

func TestKeyRecord_Usable(t *testing.T) {
	t.Parallel()
	revoked := account.Key{RevokedAt: noon()}
	for reason, c := range map[string]struct {
		record account.KeyRecord
		want   error
	}{
		"a key of an active account":              {account.KeyRecord{}, nil},
		"a key of a deactivated account":          {account.KeyRecord{Deactivated: true}, account.ErrDeactivated},
		"a revoked key, which stays revoked":      {account.KeyRecord{Key: revoked, Deactivated: true}, account.ErrRevokedKey},
		"a revoked key of an active account":      {account.KeyRecord{Key: revoked}, account.ErrRevokedKey},
		"a key that has expired, whatever is set": {account.KeyRecord{Key: account.Key{ExpiresAt: noon()}, Deactivated: true}, account.ErrExpiredKey},
	} {
		require.Equal(t, c.want, c.record.Usable(noon().Add(time.Second)), reason)
	}
}

func TestService_Deactivate(t *testing.T) {
	t.Parallel()
	service, store := newService(t)
	keys, _ := newKeyServiceOn(store)
	secret, hash := createKey(t, keys)
	_, err := service.DeactivateOrganization(t.Context(), 1)
	require.NoError(t, err)
	_, err = keys.Authenticate(t.Context(), secret)
	requireKeyError(t, hash, account.ErrDeactivated, err)
	_, err = service.DeactivateOrganization(t.Context(), 2)
	require.ErrorIs(t, err, account.ErrOrganizationNotFound)
	_, err = service.ReactivateUser(t.Context(), 2)
	require.ErrorIs(t, err, account.ErrUserNotFound)
}

// A service that has cached the keys of a user forgets them at once.
func TestKeyService_RevokeAll(t *testing.T) {
	t.Parallel()
	keys, _ := newKeyService(t)
	secrets := make([]string, 0, 3)
	for _, userID := range []int64{7, 7, 0} {
		secret, err := keys.Create(t.Context(), account.KeyRequest{UserID: userID, Scopes: []account.Scope{account.ScopeCheck}})
		require.NoError(t, err)
		_, err = keys.Authenticate(t.Context(), secret)
		require.NoError(t, err)
		secrets = append(secrets, secret)
	}
	revoked, err := keys.RevokeAll(t.Context(), 7)
	require.NoError(t, err)
	require.Len(t, revoked, 2)
	for _, secret := range secrets[:2] {
		_, err = keys.Authenticate(t.Context(), secret)
		requireKeyError(t, account.HashKey(secret), account.ErrRevokedKey, err)
	}
	_, err = keys.Authenticate(t.Context(), secrets[2])
	require.NoError(t, err)
	_, err = keys.RevokeAll(t.Context(), 8)
	require.ErrorIs(t, err, account.ErrUserNotFound)
}
