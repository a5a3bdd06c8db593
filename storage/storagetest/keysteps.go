package storagetest

import (
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/account"
)

// The steps of the state machine that are about keys and who has them.

func (m *machine) readOrganizations(t *rapid.T) {
	after := maybe(anyOrganization).Draw(t, "after")
	limit := rapid.IntRange(1, 4).Draw(t, "limit")
	require.Equal(m, orNil(m.model.organizationsAfter(after, limit)), orNil(m.organizations(after, limit)))
}

func (m *machine) putRandomKey(t *rapid.T) {
	secret := anySecret.Draw(t, "secret")
	key := keyOf(secret, maybe(anyOrganization).Draw(t, "organization"), maybe(anyUser).Draw(t, "user"))
	key.Name = anyWord.Draw(t, "name")
	key.CreatedAt = sometimes(anyMoment).Draw(t, "created at")
	key.ExpiresAt = sometimes(anyMoment).Draw(t, "expires at")
	for _, scope := range account.Scopes() {
		if rapid.Bool().Draw(t, string(scope)) {
			key.Scopes = append(key.Scopes, scope)
		}
	}
	err := m.PutKey(m.Context(), key)
	var old account.Key
	if stored := m.model.key(key.Hash); stored != nil {
		old = *stored
	}
	stored, refusal := key.Over(old)
	switch {
	case key.OrganizationID != 0 && m.model.organization(key.OrganizationID) == nil || key.UserID != 0 && m.model.user(key.UserID) == nil:
		require.ErrorIs(m, err, account.ErrNotFound)
	case refusal != nil:
		require.ErrorIs(m, err, refusal)
	default:
		require.NoError(m, err)
		m.putInModel(stored)
	}
	m.compareGrant(secret)
}

func (m *machine) putInModel(key account.Key) {
	m.model.keys = put(m.model.keys, key, func(k account.Key) bool { return k.Hash == key.Hash })
}

func (m *machine) revokeRandomly(t *rapid.T) {
	secret := anySecret.Draw(t, "secret")
	at := anyMoment.Draw(t, "at")
	want := m.model.key(account.HashKey(secret))
	if want == nil {
		_, err := m.RevokeKey(m.Context(), account.HashKey(secret), at)
		require.ErrorIs(m, err, account.ErrUnknownKey)
		return
	}
	if want.RevokedAt.IsZero() {
		want.RevokedAt = at
	}
	require.Equal(m, *want, m.revoke(secret, at))
	m.compareGrant(secret)
}

func (m *machine) expireRandomly(t *rapid.T) {
	secret := anySecret.Draw(t, "secret")
	at := sometimes(anyMoment).Draw(t, "at")
	want := m.model.key(account.HashKey(secret))
	switch {
	case want == nil:
		_, err := m.ExpireKey(m.Context(), account.HashKey(secret), at)
		require.ErrorIs(m, err, account.ErrUnknownKey)
		return
	case !want.RevokedAt.IsZero():
		_, err := m.ExpireKey(m.Context(), account.HashKey(secret), at)
		require.ErrorIs(m, err, account.ErrRevokedKey)
	default:
		want.ExpiresAt = at
		require.Equal(m, *want, m.expire(secret, at))
	}
	m.compareGrant(secret)
}

// rotateRandomly gives the new key the first secret that no key has.
func (m *machine) rotateRandomly(t *rapid.T) {
	free := find(secrets[:], func(secret string) bool { return m.model.key(account.HashKey(secret)) == nil })
	if free == nil {
		t.Skip("every secret is taken")
	}
	secret := anySecret.Draw(t, "secret")
	rotation := account.Rotation{
		Hash:    account.HashKey(secret),
		NewHash: account.HashKey(*free),
		At:      anyMoment.Draw(t, "at"),
		Grace:   time.Duration(rapid.IntRange(0, 3).Draw(t, "grace")) * time.Millisecond,
	}
	err := m.RotateKey(m.Context(), rotation)
	if old := m.model.key(rotation.Hash); old == nil {
		require.ErrorIs(m, err, account.ErrUnknownKey)
	} else if ended, fresh, refusal := rotation.Of(*old); refusal != nil {
		require.ErrorIs(m, err, refusal)
	} else {
		require.NoError(m, err)
		m.putInModel(ended)
		m.putInModel(fresh)
	}
	m.compareGrant(secret)
	m.compareGrant(*free)
}

func (m *machine) touchRandomly(t *rapid.T) {
	secret := anySecret.Draw(t, "secret")
	use := account.Use{
		Hash:       account.HashKey(secret),
		At:         anyBound.Draw(t, "at"),
		LastBefore: anyBound.Draw(t, "last before"),
	}
	m.touch(use)
	if key := m.model.key(use.Hash); key != nil && use.Applies(*key) {
		key.LastUsedAt = use.At.Truncate(time.Millisecond)
	}
	m.compareGrant(secret)
}
