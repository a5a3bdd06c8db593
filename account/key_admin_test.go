package account_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
)

func admin(scopes ...account.Scope) account.Principal {
	return account.Principal{UserID: 7, Scopes: append(scopes, account.ScopeOperatorAdmin)}
}

// The law of KeyAdmin: whatever it is asked for, no caller gets a key with a scope that the caller
// lacks.
func TestKeyAdmin_noEscalation(t *testing.T) {
	t.Parallel()
	all := append(append(account.Scopes(), account.OperatorScopes()...), account.ScopeOperatorAdmin)
	some := rapid.SliceOfDistinct(rapid.SampledFrom(all), rapid.ID[account.Scope])
	keys, _ := newKeyService(t)
	rapid.Check(t, func(t *rapid.T) {
		caller := account.Principal{Scopes: some.Draw(t, "caller")}
		scopes := some.Draw(t, "scopes")
		may := true
		for _, scope := range scopes {
			may = may && caller.Has(scope)
		}
		made, err := keys.Admin(caller).Create(t.Context(), account.KeyRequest{Scopes: scopes})
		requireAllowed(t, may, made, err)

		other, err := keys.Create(t.Context(), account.KeyRequest{Scopes: scopes})
		require.NoError(t, err)
		fingerprint := account.Fingerprint(account.HashKey(other))
		made, err = keys.Admin(caller).Rotate(t.Context(), fingerprint, 0)
		requireAllowed(t, may, made, err)
		if !may {
			_, err = keys.Authenticate(t.Context(), other)
			require.NoError(t, err, "the key stays")
		}
	})
}

func requireAllowed(t require.TestingT, may bool, made account.IssuedKey, err error) {
	if may {
		require.NoError(t, err)
		require.Equal(t, account.HashKey(made.Secret), made.Key.Hash)
		return
	}
	require.ErrorIs(t, err, account.ErrEscalation)
	require.Zero(t, made)
}

func TestKeyAdmin_EscalationError(t *testing.T) {
	t.Parallel()
	keys, _ := newKeyService(t)
	_, err := keys.Admin(admin(account.ScopeCheck)).Create(t.Context(), account.KeyRequest{
		Scopes: []account.Scope{account.ScopeReports, account.ScopeCheck, account.ScopeOperatorWrite},
	})
	var escalation *account.EscalationError
	require.ErrorAs(t, err, &escalation)
	require.Equal(t, []account.Scope{account.ScopeReports, account.ScopeOperatorWrite}, escalation.Scopes)
	require.EqualError(t, err, "key would have scopes that the caller does not have: reports,operator:write")
	_, err = keys.Admin(account.Principal{}).Create(t.Context(), account.KeyRequest{Scopes: []account.Scope{account.ScopeCheck}})
	require.ErrorIs(t, err, account.ErrEscalation, "the zero Principal grants nothing")
}

// A secret text that was stored reaches the caller, whatever happens to the store then.
func TestKeyAdmin_secret(t *testing.T) {
	t.Parallel()
	_, store := newService(t)
	keys, _ := newKeyServiceOn(unreadable{store})
	a := keys.Admin(admin(account.ScopeCheck))
	expiresAt := noon().Add(time.Hour + time.Nanosecond)
	made, err := a.Create(t.Context(), account.KeyRequest{
		OrganizationID: 1, Name: "Edge", Scopes: []account.Scope{account.ScopeCheck, account.ScopeCheck}, ExpiresAt: expiresAt,
	})
	require.NoError(t, err)
	rotated, err := a.Rotate(t.Context(), made.Key.Fingerprint(), 0)
	require.NoError(t, err)
	readable, _ := newKeyServiceOn(store)
	stored, err := readable.Get(t.Context(), account.HashKey(rotated.Secret))
	require.NoError(t, err)
	require.Equal(t, stored, rotated.Key)
	stored, err = readable.Get(t.Context(), account.HashKey(made.Secret))
	require.NoError(t, err)
	require.Equal(t, noon(), stored.RevokedAt)
	stored.RevokedAt = time.Time{}
	require.Equal(t, stored, made.Key)
}

// unreadable is a store that fails to read a key.
type unreadable struct{ account.KeyStore }

func (unreadable) KeyByHash(context.Context, [32]byte) (account.KeyRecord, error) {
	return account.KeyRecord{}, asset.ErrUnavailable
}

func TestKeyAdmin_lifecycle(t *testing.T) {
	t.Parallel()
	keys, _ := newKeyService(t)
	a := keys.Admin(admin(account.ScopeCheck))
	made, err := a.Create(t.Context(), account.KeyRequest{OrganizationID: 1, UserID: 7, Scopes: []account.Scope{account.ScopeCheck}})
	require.NoError(t, err)
	require.Equal(t, int64(7), made.Key.UserID)
	rotated, err := a.Rotate(t.Context(), made.Key.Fingerprint(), time.Hour)
	require.NoError(t, err)
	require.NotEqual(t, made.Secret, rotated.Secret)
	revoked, err := a.Revoke(t.Context(), rotated.Key.Fingerprint())
	require.NoError(t, err)
	require.Equal(t, noon(), revoked.RevokedAt)
	for reason, fingerprint := range map[string]string{
		"unknown": "0123456789ab", "too short": "0123", "not hexadecimal": "0123456789zz", "upper case": "0123456789AB", "empty": "",
	} {
		_, err = a.Revoke(t.Context(), fingerprint)
		require.ErrorIs(t, err, account.ErrUnknownKey, reason)
		_, err = a.Rotate(t.Context(), fingerprint, 0)
		require.ErrorIs(t, err, account.ErrUnknownKey, reason)
	}
	_, err = a.Rotate(t.Context(), revoked.Fingerprint(), 0)
	require.ErrorIs(t, err, account.ErrRevokedKey)
	_, err = a.Rotate(t.Context(), made.Key.Fingerprint(), -1)
	requireIssues(t, "negative grace", []string{"grace: must not be negative"}, err)
	_, err = a.Create(t.Context(), account.KeyRequest{Scopes: []account.Scope{"all"}})
	requireIssues(t, "an unknown scope", []string{"scopes[0]: must be changelog, dispute, allowlist, reports, report:write, check, operator:read, operator:write or operator:admin"}, err)
}
