package storagetest

import (
	"bytes"
	"cmp"
	"slices"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/audit"
)

// anyScopes draws some of the scopes.
func anyScopes(t *rapid.T) []account.Scope {
	var scopes []account.Scope
	for _, scope := range account.Scopes() {
		if rapid.Bool().Draw(t, string(scope)) {
			scopes = append(scopes, scope)
		}
	}
	return scopes
}

func (m *machine) putRandomKey(t *rapid.T) {
	secret := anySecret.Draw(t, "secret")
	key := newKey(secret, maybe(anyOrganization).Draw(t, "organization"), maybe(anyUser).Draw(t, "user"), anyScopes(t)...)
	key.Name = anyText.Draw(t, "name")
	key.CreatedAt = sometimes(anyTime).Draw(t, "created at")
	key.ExpiresAt = sometimes(anyTime).Draw(t, "expires at")
	key.RevokedAt, key.LastUsedAt = sometimes(anyTime).Draw(t, "revoked at"), sometimes(anyTime).Draw(t, "last used at")
	err := m.PutKey(m.Context(), key, audit.Entry{})
	var old account.Key
	if stored := m.model.key(key.Hash); stored != nil {
		old = *stored
	}
	stored, refusal := key.Merge(old)
	switch {
	case key.OrganizationID != 0 && m.model.organization(key.OrganizationID) == nil:
		require.ErrorIs(m, err, account.ErrOrganizationNotFound)
	case key.UserID != 0 && m.model.user(key.UserID) == nil:
		require.ErrorIs(m, err, account.ErrUserNotFound)
	case refusal != nil:
		require.ErrorIs(m, err, refusal)
	default:
		require.NoError(m, err)
		m.putInModel(stored)
	}
	m.compareKeyRecord(secret)
}

func (m *machine) putInModel(key account.Key) {
	m.model.keys = put(m.model.keys, key, func(k account.Key) bool { return k.Hash == key.Hash })
}

// updateKeyRandomly changes a key. The update sometimes has a successor, with the first
// unused secret, and sometimes fails.
func (m *machine) updateKeyRandomly(t *rapid.T) {
	secret := anySecret.Draw(t, "secret")
	change := newKey(secret, 0, 0, anyScopes(t)...)
	change.Name = anyText.Draw(t, "name")
	change.ExpiresAt = sometimes(anyTime).Draw(t, "expires at")
	var successor *account.Key
	free := find(secrets[:], func(secret string) bool { return m.model.key(account.HashKey(secret)) == nil })
	if free != nil && rapid.Bool().Draw(t, "successor") {
		key := newKey(*free, maybe(anyOrganization).Draw(t, "organization"), 0, anyScopes(t)...)
		key.CreatedAt = sometimes(anyTime).Draw(t, "created at")
		successor = &key
	}
	var refusal error
	if rapid.IntRange(0, 3).Draw(t, "refused") == 0 {
		refusal = errRefused
	}
	update := func(old account.Key) (account.KeyUpdate, error) {
		old.Name, old.ExpiresAt, old.Scopes = change.Name, change.ExpiresAt, change.Scopes
		return account.KeyUpdate{Key: old, Successor: successor}, refusal
	}
	got, err := m.UpdateKey(m.Context(), change.Hash, update)
	old := m.model.key(change.Hash)
	switch {
	case old == nil:
		require.ErrorIs(m, err, account.ErrUnknownKey)
	case refusal != nil:
		require.ErrorIs(m, err, refusal)
	default:
		require.NoError(m, err)
		want, _ := update(*old)
		got.Scopes = orNil(got.Scopes)
		require.Equal(m, want.Key, got)
		m.putInModel(want.Key)
		if successor != nil {
			m.putInModel(*successor)
		}
	}
	m.compareKeyRecords()
}

func (m *machine) revokeKeyRandomly(t *rapid.T) {
	secret := anySecret.Draw(t, "secret")
	at := anyTime.Draw(t, "at")
	want := m.model.key(account.HashKey(secret))
	if want == nil {
		_, err := m.keysAt(at).Revoke(m.Context(), account.HashKey(secret))
		require.ErrorIs(m, err, account.ErrUnknownKey)
		return
	}
	if want.RevokedAt.IsZero() {
		want.RevokedAt = at
		m.model.told = true
	}
	require.Equal(m, *want, m.revoke(secret, at))
	m.compareKeyRecord(secret)
}

func (m *machine) recordUseRandomly(t *rapid.T) {
	secret := anySecret.Draw(t, "secret")
	use := account.KeyUse{
		Hash:       account.HashKey(secret),
		At:         anyBound.Draw(t, "at"),
		LastBefore: anyBound.Draw(t, "last before"),
	}
	m.recordUse(use)
	if key := m.model.key(use.Hash); key != nil && use.Applies(*key) {
		key.LastUsedAt = use.At.Truncate(time.Millisecond)
	}
	m.compareKeyRecord(secret)
}

func (m *machine) compareKeys(organizationID int64) {
	m.Helper()
	keys := m.keys(organizationID)
	for i := range keys {
		keys[i].Scopes = orNil(keys[i].Scopes)
	}
	require.Equal(m, m.model.keysOf(organizationID), orNil(keys), "the keys of organization %d", organizationID)
}

// compareKeyRecords compares all keys that a step may have changed, and those without an organization.
func (m *machine) compareKeyRecords() {
	m.Helper()
	for _, secret := range secrets {
		m.compareKeyRecord(secret)
	}
	m.compareKeys(0)
}

func (m *machine) compareKeyRecord(secret string) {
	m.Helper()
	key := m.model.key(account.HashKey(secret))
	if key == nil || !m.model.hasOwners(*key) {
		m.noKey(secret)
		return
	}
	got := m.keyRecord(secret)
	got.Key.Scopes = orNil(got.Key.Scopes)
	require.Equal(m, m.model.keyRecord(*key), got, "KeyByHash of %q", secret)
}

func (m *model) key(hash [32]byte) *account.Key {
	return find(m.keys, func(k account.Key) bool { return k.Hash == hash })
}

// hasOwners reports whether the organization and the user of a key exist.
func (m *model) hasOwners(key account.Key) bool {
	return (key.OrganizationID == 0 || m.organization(key.OrganizationID) != nil) && (key.UserID == 0 || m.user(key.UserID) != nil)
}

func (m *model) keysOf(organizationID int64) []account.Key {
	var keys []account.Key
	for _, key := range m.keys {
		if key.OrganizationID == organizationID {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, func(a, b account.Key) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), bytes.Compare(a.Hash[:], b.Hash[:]))
	})
	return keys
}

func (m *model) keyRecord(key account.Key) account.KeyRecord {
	record := account.KeyRecord{Key: key}
	if o := m.organization(key.OrganizationID); o != nil {
		record.OrganizationSlug = o.Slug
	}
	if u := m.user(key.UserID); u != nil {
		record.Email = u.Email
	}
	return record
}
