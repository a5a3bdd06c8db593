package storagetest

import (
	"errors"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/step"
)

// rotateAt rotates a key at that time.
func (p *probe) rotateAt(now time.Time, secret string, grace time.Duration) error {
	_, err := p.keysAt(now).Rotate(p.Context(), account.HashKey(secret), grace)
	return err
}

// errRefused is the error of an update that the domain refuses.
var errRefused = errors.New("update refused")

// keyUse returns a use of a key. The store records it unless a later one is recorded.
func keyUse(secret string, at time.Time) account.KeyUse {
	return account.KeyUse{Hash: account.HashKey(secret), At: at, LastBefore: maxTime}
}

// fullKey stores and returns the key "key", which has an organization, a user and a value
// in every field that a new key can have.
func (p *probe) fullKey() account.Key {
	p.Helper()
	p.putOrganization(1, "acme")
	p.putUser(account.User{ID: 3, FullName: "Ada", Email: "ada@acme.example"})
	key := newKey("key", 1, 3, account.ScopeReports, account.ScopeDispute)
	key.Name, key.ExpiresAt = "Crawler", at(1000)
	p.putKey(key)
	return key
}

// newKey returns a key of an organization and a user, which are 0 for none.
func newKey(secret string, organizationID, userID int64, scopes ...account.Scope) account.Key {
	return account.Key{
		Hash:           account.HashKey(secret),
		OrganizationID: organizationID,
		UserID:         userID,
		Scopes:         scopes,
		CreatedAt:      at(0),
	}
}

func (p *probe) putKey(key account.Key) {
	p.Helper()
	require.NoError(p, p.PutKey(p.Context(), key, audit.Entry{}), "PutKey")
}

func (p *probe) keys(organizationID int64) []account.Key {
	p.Helper()
	keys, err := p.Keys(p.Context(), organizationID)
	require.NoError(p, err)
	return withNilScopes(keys)
}

func (p *probe) keyPage(organizationID int64, after account.KeyCursor, limit int) step.Page[account.Key] {
	p.Helper()
	page, err := p.KeyPage(p.Context(), organizationID, after, limit)
	require.NoError(p, err, "KeyPage of organization %d", organizationID)
	page.Items = withNilScopes(page.Items)
	return page
}

// withNilScopes returns the keys with nil for no scopes.
func withNilScopes(keys []account.Key) []account.Key {
	for i := range keys {
		keys[i].Scopes = orNil(keys[i].Scopes)
	}
	return orNil(keys)
}

func (p *probe) keyRecord(secret string) account.KeyRecord {
	p.Helper()
	record, err := p.KeyByHash(p.Context(), account.HashKey(secret))
	require.NoError(p, err, "KeyByHash of %q", secret)
	return record
}

// key returns a stored key, with nil for no scopes.
func (p *probe) key(secret string) account.Key {
	p.Helper()
	key := p.keyRecord(secret).Key
	key.Scopes = orNil(key.Scopes)
	return key
}

// principal returns the principal of a key without its fingerprint.
func (p *probe) principal(secret string) account.Principal {
	p.Helper()
	principal := p.keyRecord(secret).Principal()
	principal.Fingerprint = ""
	return principal
}

// noKey requires that no key has the secret.
func (p *probe) noKey(secret string) {
	p.Helper()
	_, err := p.KeyByHash(p.Context(), account.HashKey(secret))
	require.ErrorIs(p, err, account.ErrUnknownKey, "KeyByHash of the unknown key %q", secret)
}

// keysAt returns a key service whose clock always shows now.
func (p *probe) keysAt(now time.Time) *account.KeyService {
	return account.NewKeyService(p.Store, account.KeyOptions{Clock: func() time.Time { return now }})
}

// updateKey changes a key and returns what the store returns.
func (p *probe) updateKey(secret string, change func(key *account.Key)) account.Key {
	p.Helper()
	key, err := p.UpdateKey(p.Context(), account.HashKey(secret), func(old account.Key) (account.KeyUpdate, error) {
		change(&old)
		return account.KeyUpdate{Key: old}, nil
	})
	require.NoError(p, err, "UpdateKey of %q", secret)
	key.Scopes = orNil(key.Scopes)
	return key
}

func (p *probe) revoke(secret string, at time.Time) account.Key {
	p.Helper()
	key, err := p.keysAt(at).Revoke(p.Context(), account.HashKey(secret))
	require.NoError(p, err, "Revoke of %q", secret)
	key.Scopes = orNil(key.Scopes)
	return key
}

// expire sets the expiry of a key. The zero time means never.
func (p *probe) expire(secret string, expiresAt time.Time) account.Key {
	p.Helper()
	return p.updateKey(secret, func(key *account.Key) { key.ExpiresAt = expiresAt })
}

// rotate rotates a key and returns the secret of the new one.
func (p *probe) rotate(secret string, at time.Time, grace time.Duration) string {
	p.Helper()
	fresh, err := p.keysAt(at).Rotate(p.Context(), account.HashKey(secret), grace)
	require.NoError(p, err, "Rotate of %q", secret)
	return fresh
}

func (p *probe) recordUse(use account.KeyUse) {
	p.Helper()
	require.NoError(p, p.RecordKeyUse(p.Context(), use), "RecordKeyUse with %+v", use)
}
