package storagetest

import (
	"slices"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
)

func keyChecks() []requirement {
	ada := account.User{ID: 3, FullName: "Ada", Email: "ada@acme.example"}
	return []requirement{
		{"every field of a key is read back, oldest key first", func(p *probe) {
			p.putOrganization(1, "acme")
			p.putUser(ada)
			newest := newKey("newest", 1, 0)
			oldest := newKey("oldest", 1, 3, account.Scopes()...)
			newest.CreatedAt, oldest.CreatedAt = at(2000).Add(999*time.Microsecond), at(1000)
			oldest.Name, oldest.ExpiresAt = "Oldest \U0001F600", at(3000)
			other := newKey("other", 0, 3, account.ScopeDispute)
			for _, key := range []account.Key{newest, oldest, other} {
				p.putKey(key)
			}
			keys := p.keys(1)
			require.Len(p, keys, 2, "the keys of the organization")
			require.Equal(p, oldest, keys[0])
			require.Equal(p, oldest, p.key("oldest"))
			require.Equal(p, newest.Hash, keys[1].Hash)
			require.Equal(p, at(2000), keys[1].CreatedAt)
			require.Empty(p, keys[1].Scopes)
			keys[0].Scopes[0] = "changed"
			require.Equal(p, account.Scopes(), p.principal("oldest").Scopes, "the scopes must not be shared with the caller")
		}},
		{"KeyByHash returns the organization, user and scopes of a key", func(p *probe) {
			p.putOrganization(1, "acme")
			p.putOrganization(2, "other")
			p.putUser(ada)
			p.putKey(newKey("all", 1, 3, account.Scopes()...))
			p.putKey(newKey("one", 2, 3, account.ScopeDispute))
			require.Equal(p, account.Principal{
				OrganizationID:   1,
				OrganizationSlug: "acme",
				UserID:           3,
				Email:            "ada@acme.example",
				Scopes:           account.Scopes(),
			}, p.principal("all"))
			require.Equal(p, account.Principal{
				OrganizationID:   2,
				OrganizationSlug: "other",
				UserID:           3,
				Email:            "ada@acme.example",
				Scopes:           []account.Scope{account.ScopeDispute},
			}, p.principal("one"))
		}},
		{"a key may have no organization, no user and no scopes", func(p *probe) {
			p.putKey(newKey("key", 0, 0))
			principal := p.principal("key")
			require.Empty(p, principal.Scopes)
			principal.Scopes = nil
			require.Equal(p, account.Principal{}, principal)
		}},
		{"a key may have only an organization or only a user", func(p *probe) {
			p.putOrganization(1, "acme")
			p.putUser(ada)
			p.putKey(newKey("organization", 1, 0))
			p.putKey(newKey("user", 0, 3))
			require.False(p, p.principal("user").HasOrganization())
			require.Equal(p, "ada@acme.example", p.principal("user").Email)
			require.Equal(p, "acme", p.principal("organization").OrganizationSlug)
			require.Zero(p, p.principal("organization").UserID)
		}},
		{"KeyByHash returns the current e-mail address of the user", func(p *probe) {
			p.putUser(ada)
			p.putKey(newKey("key", 0, 3))
			p.putUser(account.User{ID: 3, FullName: "Ada", Email: "new@acme.example"})
			require.Equal(p, "new@acme.example", p.principal("key").Email)
			p.putUser(account.User{ID: 3, FullName: "Ada"})
			require.Empty(p, p.principal("key").Email)
		}},
		{"an unknown key is ErrUnknownKey", func(p *probe) {
			p.putKey(newKey("key", 0, 0))
			p.noKey("Key")
		}},
		{"a key of an unknown organization or user is an error and is not stored", func(p *probe) {
			p.putOrganization(1, "acme")
			p.putUser(ada)
			for _, c := range []struct {
				key  account.Key
				want error
			}{
				{newKey("only organization", 2, 0), account.ErrOrganizationNotFound},
				{newKey("only user", 0, 4), account.ErrUserNotFound},
				{newKey("organization", 2, 3), account.ErrOrganizationNotFound},
				{newKey("user", 1, 4), account.ErrUserNotFound},
				{newKey("both", 2, 4), account.ErrOrganizationNotFound},
			} {
				require.ErrorIs(p, p.PutKey(p.Context(), c.key), c.want)
				_, err := p.KeyByHash(p.Context(), c.key.Hash)
				require.ErrorIs(p, err, account.ErrUnknownKey, "a refused key must not be stored")
			}
		}},
		{"a refused key leaves the stored key unchanged", func(p *probe) {
			p.putOrganization(1, "acme")
			p.putKey(newKey("key", 1, 0, account.ScopeReports))
			require.ErrorIs(p, p.PutKey(p.Context(), newKey("key", 9, 0)), account.ErrOrganizationNotFound)
			require.Equal(p, account.Principal{
				OrganizationID:   1,
				OrganizationSlug: "acme",
				Scopes:           []account.Scope{account.ScopeReports},
			}, p.principal("key"))
		}},
		{"a key replaces the stored key with the same hash", func(p *probe) {
			p.putOrganization(1, "acme")
			p.putUser(ada)
			p.putKey(newKey("key", 1, 3, account.Scopes()...))
			p.putKey(newKey("key", 0, 0, account.ScopeDispute))
			require.Equal(p, account.Principal{Scopes: []account.Scope{account.ScopeDispute}}, p.principal("key"))
			require.Empty(p, p.keys(1), "a key that was put without an organization must leave its old one")
		}},
		{"keys with the same creation time are ordered by hash, byte by byte", func(p *probe) {
			p.putOrganization(1, "acme")
			want := make([]account.Key, len(differentHashes))
			for i, hash := range differentHashes {
				want[i] = account.Key{Hash: hash, OrganizationID: 1, UserID: int64(i + 1), CreatedAt: at(0)}
				p.putUser(account.User{ID: want[i].UserID})
			}
			for _, key := range slices.Backward(want) {
				p.putKey(key)
			}
			keys := p.keys(1)
			for i := range keys {
				keys[i].Scopes = orNil(keys[i].Scopes)
			}
			require.Equal(p, want, keys)
			for _, key := range want {
				record, err := p.KeyByHash(p.Context(), key.Hash)
				require.NoError(p, err)
				require.Equal(p, key.UserID, record.Key.UserID, "hash %x", key.Hash)
			}
		}},
		{"an organization has only its own keys", func(p *probe) {
			p.putOrganization(1, "acme")
			p.putOrganization(2, "other")
			p.putKey(newKey("without organization", 0, 0))
			p.putKey(newKey("other", 2, 0))
			require.Empty(p, p.keys(1))
			require.Len(p, p.keys(2), 1)
			require.Empty(p, p.keys(3), "an unknown organization")
			require.Equal(p, account.HashKey("without organization"), only(p, p.keys(0)).Hash, "organization 0 means keys without organization")
		}},
	}
}

// differentHashes are in ascending order. They differ after a zero byte, in the sign of a
// byte, or in the last byte, which a database may ignore.
var differentHashes = [...][32]byte{
	{},
	{31: 1},
	{31: 0xff},
	{1: 1},
	{1},
	{'A'},
	{'a'},
	{0x7f},
	{0x80},
	{0xff},
	{0xff, 31: 1},
}
