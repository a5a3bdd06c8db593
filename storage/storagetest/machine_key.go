package storagetest

import (
	"cmp"
	"slices"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/step"
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

// putRandomKeys puts several keys, because the lists of few keys show little.
func (m *machine) putRandomKeys(t *rapid.T) {
	for range 3 {
		m.putRandomKey(t)
	}
}

func (m *machine) putRandomKey(t *rapid.T) {
	secret := anySecret.Draw(t, "secret")
	organizationID, userID := maybe(anyOrganization).Draw(t, "organization"), maybe(anyUser).Draw(t, "user")
	if rapid.IntRange(0, 3).Draw(t, "missing owners") > 0 { // a key with a missing owner is refused
		organizationID, userID = orZero(m.model.organization(organizationID)).ID, orZero(m.model.user(userID)).ID
	}
	key := newKey(secret, organizationID, userID, anyScopes(t)...)
	key.Name = anyText.Draw(t, "name")
	key.CreatedAt = sometimes(anyTime).Draw(t, "created at")
	key.ExpiresAt = sometimes(anyTime).Draw(t, "expires at")
	key.RevokedAt, key.LastUsedAt = sometimes(anyTime).Draw(t, "revoked at"), sometimes(anyTime).Draw(t, "last used at")
	entry := m.anyAct(t)
	err := m.PutKey(m.Context(), key, entry)
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
		m.model.tell(stored.Stored(entry, old))
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
	entry := m.anyAct(t)
	update := func(old account.Key) (account.KeyUpdate, error) {
		old.Name, old.ExpiresAt, old.Scopes = change.Name, change.ExpiresAt, change.Scopes
		return account.KeyUpdate{Key: old, Successor: successor, Entry: entry}, refusal
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
		m.model.tell(entry)
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
		entry := want.Removed(audit.New(m.Context(), at, audit.KindKey, audit.ActionRevoked))
		entry.Action = audit.ActionRevoked
		m.model.tell(entry)
	}
	require.Equal(m, *want, m.revoke(secret, at))
	m.compareKeyRecord(secret)
}

func (m *machine) revokeAllRandomly(t *rapid.T) {
	id, at := anyUser.Draw(t, "user"), anyTime.Draw(t, "at")
	got, err := m.keysAt(at).RevokeAll(m.Context(), id)
	m.existing(m.model.user(id) != nil, err, account.ErrUserNotFound)
	if err != nil {
		return
	}
	var want []account.Key
	for _, key := range m.model.keysWith(func(k account.Key) bool { return k.UserID == id && k.RevokedAt.IsZero() }) {
		key.RevokedAt = at
		m.putInModel(key)
		want = append(want, key)
	}
	slices.SortFunc(want, compareHashes)
	for _, key := range want {
		entry := key.Removed(audit.New(m.Context(), at, audit.KindKey, audit.ActionRevoked))
		entry.Action = audit.ActionRevoked
		m.model.tell(entry)
	}
	require.Equal(m, want, withNilScopes(got))
	m.compareKeyRecords()
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

var anyKeyCursor = rapid.Custom(func(t *rapid.T) account.KeyCursor {
	key := account.Key{Hash: account.HashKey(anySecret.Draw(t, "secret")), OrganizationID: maybe(anyOrganization).Draw(t, "organization"), CreatedAt: sometimes(anyTime).Draw(t, "at")}
	return key.Cursor()
})

func (m *machine) readKeys(t *rapid.T) {
	organizationID, limit := maybe(anyOrganization).Draw(t, "organization"), anyLimit.Draw(t, "limit")
	after := cursorOr(m.model.keys, account.Key.Cursor, sometimes(anyKeyCursor)).Draw(t, "after")
	want := m.model.keysWith(func(k account.Key) bool {
		return (organizationID == 0 || k.OrganizationID == organizationID) && after.Precedes(k)
	})
	samePage(m, want, limit, m.keyPage(organizationID, after, limit), "KeyPage of organization %d after %+v", organizationID, after)
	m.compareKeyPages()
}

func (m *machine) compareKeys(organizationID int64) {
	m.Helper()
	want := m.model.keysWith(func(k account.Key) bool { return k.OrganizationID == organizationID })
	require.Equal(m, want, m.keys(organizationID), "the keys of organization %d", organizationID)
}

func (m *machine) compareKeyPages() {
	m.Helper()
	for organizationID := range int64(len(organizationIDs) + 1) {
		want := m.model.keysWith(func(k account.Key) bool { return organizationID == 0 || k.OrganizationID == organizationID })
		sameList(m, want, func(last account.Key) step.Page[account.Key] {
			if last.Hash == ([32]byte{}) {
				return m.keyPage(organizationID, account.KeyCursor{}, m.pageSize)
			}
			return m.keyPage(organizationID, last.Cursor(), m.pageSize)
		})
	}
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

// keysWith returns the keys that match, in the order of lists.
func (m *model) keysWith(match func(account.Key) bool) []account.Key {
	keys := slices.DeleteFunc(slices.Clone(m.keys), func(k account.Key) bool { return !match(k) })
	slices.SortFunc(keys, func(a, b account.Key) int {
		return cmp.Or(cmp.Compare(a.OrganizationID, b.OrganizationID), a.CreatedAt.Compare(b.CreatedAt), compareHashes(a, b))
	})
	return orNil(keys)
}

func (m *model) keyRecord(key account.Key) account.KeyRecord {
	record := account.KeyRecord{Key: key}
	if o := m.organization(key.OrganizationID); o != nil {
		record.OrganizationSlug, record.Deactivated = o.Slug, o.Deactivated
	}
	if u := m.user(key.UserID); u != nil {
		record.Email, record.Deactivated = u.Email, record.Deactivated || u.Deactivated
	}
	return record
}
