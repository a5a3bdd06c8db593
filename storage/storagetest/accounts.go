package storagetest

import (
	"slices"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
)

// keyOf returns the stored form of a key that speaks for an organisation and a
// user, 0 for none.
func keyOf(secret string, organizationID, userID int64, scopes ...account.Scope) account.Key {
	return account.Key{
		Hash:           account.HashKey(secret),
		OrganizationID: organizationID,
		UserID:         userID,
		Scopes:         scopes,
		CreatedAt:      at(0),
	}
}

func organizationChecks() []check {
	return []check{
		{"every field is read back", func(p *probe) {
			want := account.Organization{ID: 7, Slug: "acme", Name: "Acme \U0001F600"}
			require.NoError(p, p.PutOrganization(p.Context(), want))
			require.Equal(p, want, p.organization(7))
			want = account.Organization{ID: 7, Slug: "acme-new", Name: "New"}
			require.NoError(p, p.PutOrganization(p.Context(), want))
			require.Equal(p, want, p.organization(7))
			_, err := p.OrganizationByID(p.Context(), 8)
			require.ErrorIs(p, err, account.ErrNotFound)
		}},
		{"a new slug replaces the old one, which is free again", func(p *probe) {
			p.putOrganization(1, "acme")
			p.putKey(keyOf("key", 1, 0))
			p.putOrganization(1, "acme-new")
			require.Equal(p, "acme-new", p.principal("key").OrganizationSlug)
			p.putOrganization(2, "acme")
			require.Equal(p, "acme-new", p.principal("key").OrganizationSlug)
		}},
		{"the same organization may be put again", func(p *probe) {
			p.putOrganization(1, "acme")
			p.putOrganization(1, "acme")
		}},
		{"a slug that another organization has is a conflict and changes nothing", func(p *probe) {
			p.putOrganization(1, "acme")
			p.putOrganization(2, "other")
			p.putKey(keyOf("key", 2, 0))
			for _, id := range []int64{2, 3} {
				err := p.PutOrganization(p.Context(), account.Organization{ID: id, Slug: "acme"})
				require.ErrorIs(p, err, account.ErrConflict)
			}
			require.Equal(p, "other", p.principal("key").OrganizationSlug)
			require.ErrorIs(p, p.PutKey(p.Context(), keyOf("k3", 3, 0)), account.ErrNotFound, "organization 3 was refused, so it must not exist")
		}},
		{"slugs are compared byte by byte", func(p *probe) {
			for i, slug := range differentTexts {
				p.putOrganization(int64(i+1), slug)
			}
			for i, slug := range differentTexts {
				p.putKey(keyOf(slug, int64(i+1), 0))
				require.Equal(p, slug, p.principal(slug).OrganizationSlug)
			}
		}},
		{"the largest identifier is kept exactly", func(p *probe) {
			p.putOrganization(asset.MaxID, "max")
			p.putOrganization(asset.MaxID-1, "almost")
			p.putUser(account.User{ID: asset.MaxID, Email: "max@acme.example"})
			p.putUser(account.User{ID: asset.MaxID - 1, Email: "almost@acme.example"})
			p.putKey(keyOf("key", asset.MaxID, asset.MaxID, account.ScopeDispute))
			require.Equal(p, account.Principal{
				OrganizationID:   asset.MaxID,
				OrganizationSlug: "max",
				UserID:           asset.MaxID,
				Email:            "max@acme.example",
				Scopes:           []account.Scope{account.ScopeDispute},
			}, p.principal("key"))
		}},
	}
}

func groupChecks() []check {
	return []check{
		{"every field is read back, also for an organization that is not in the store", func(p *probe) {
			first, err := p.PutGroup(p.Context(), account.Group{OrganizationID: 7, Name: "Sites"})
			require.NoError(p, err)
			require.Equal(p, account.Group{ID: first.ID, OrganizationID: 7, Name: "Sites"}, first)
			require.Equal(p, []account.Group{first}, p.groups(7))
		}},
		{"identifiers begin at 1 and grow", func(p *probe) {
			last := p.newGroup(1, "first")
			require.EqualValues(p, 1, last)
			for range 5 {
				next := p.newGroup(2, "next")
				require.Greater(p, next, last)
				last = next
			}
		}},
		{"a given identifier is kept, and new ones continue above it", func(p *probe) {
			given := account.Group{ID: 1_000_000_007, OrganizationID: 1, Name: "given"}
			got, err := p.PutGroup(p.Context(), given)
			require.NoError(p, err)
			require.Equal(p, given, got)
			next := p.newGroup(1, "new")
			require.Greater(p, next, given.ID)

			lower := account.Group{ID: 5, OrganizationID: 1, Name: "lower"}
			_, err = p.PutGroup(p.Context(), lower)
			require.NoError(p, err)
			require.Greater(p, p.newGroup(1, "newer"), next, "a given identifier that is lower does not set the count back")
		}},
		{"no identifier above 2^53-1 is given", func(p *probe) {
			_, err := p.PutGroup(p.Context(), account.Group{ID: asset.MaxID, OrganizationID: 1, Name: "last"})
			require.NoError(p, err)
			group, err := p.PutGroup(p.Context(), account.Group{OrganizationID: 1, Name: "one too many"})
			if err == nil {
				require.True(p, asset.ValidID(group.ID) && group.ID != asset.MaxID, "PutGroup gave the identifier %d", group.ID)
			} else {
				require.Len(p, p.groups(1), 1, "a refused group must not be stored")
			}
		}},
		{"a group may be renamed", func(p *probe) {
			id := p.newGroup(1, "old")
			renamed := account.Group{ID: id, OrganizationID: 1, Name: "new"}
			got, err := p.PutGroup(p.Context(), renamed)
			require.NoError(p, err)
			require.Equal(p, renamed, got)
			require.Equal(p, []account.Group{renamed}, p.groups(1))
		}},
		{"a group of another organization is a conflict and stays as it is", func(p *probe) {
			id := p.newGroup(1, "mine")
			_, err := p.PutGroup(p.Context(), account.Group{ID: id, OrganizationID: 2, Name: "stolen"})
			require.ErrorIs(p, err, account.ErrConflict)
			require.Equal(p, []account.Group{{ID: id, OrganizationID: 1, Name: "mine"}}, p.groups(1))
			require.Empty(p, p.groups(2))
		}},
		{"an organization sees its own groups alone, ordered by identifier", func(p *probe) {
			for _, id := range []int64{30, 10, 20, 15, 25} {
				_, err := p.PutGroup(p.Context(), account.Group{ID: id, OrganizationID: 1 + id%2, Name: "group"})
				require.NoError(p, err)
			}
			require.Equal(p, []account.Group{
				{ID: 10, OrganizationID: 1, Name: "group"},
				{ID: 20, OrganizationID: 1, Name: "group"},
				{ID: 30, OrganizationID: 1, Name: "group"},
			}, p.groups(1))
			require.Len(p, p.groups(2), 2)
		}},
		{"an organization without groups has none", func(p *probe) {
			require.Empty(p, p.groups(1))
		}},
	}
}

func keyChecks() []check {
	ada := account.User{ID: 3, FullName: "Ada", Email: "ada@acme.example"}
	return []check{
		{"every field is read back, oldest key first", func(p *probe) {
			p.putOrganization(1, "acme")
			p.putUser(ada)
			newest := keyOf("newest", 1, 0)
			oldest := keyOf("oldest", 1, 3, account.Scopes()...)
			newest.CreatedAt, oldest.CreatedAt = at(2000).Add(999*time.Microsecond), at(1000)
			other := keyOf("other", 0, 3, account.ScopeDispute)
			for _, key := range []account.Key{newest, oldest, other} {
				p.putKey(key)
			}
			keys := p.keys(1)
			require.Len(p, keys, 2, "the keys of the organization")
			require.Equal(p, oldest, keys[0])
			require.Equal(p, newest.Hash, keys[1].Hash)
			require.Equal(p, at(2000), keys[1].CreatedAt)
			require.Empty(p, keys[1].Scopes)
			keys[0].Scopes[0] = "changed"
			require.Equal(p, account.Scopes(), p.principal("oldest").Scopes, "the keys are the caller's own")
		}},
		{"a key leads to its organization, user and scopes", func(p *probe) {
			p.putOrganization(1, "acme")
			p.putOrganization(2, "other")
			p.putUser(ada)
			p.putKey(keyOf("all", 1, 3, account.Scopes()...))
			p.putKey(keyOf("one", 2, 3, account.ScopeDispute))
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
		{"a key may speak for nobody and may do nothing", func(p *probe) {
			p.putKey(keyOf("key", 0, 0))
			principal := p.principal("key")
			require.Empty(p, principal.Scopes)
			principal.Scopes = nil
			require.Equal(p, account.Principal{}, principal)
		}},
		{"a key may have an organization or a user alone", func(p *probe) {
			p.putOrganization(1, "acme")
			p.putUser(ada)
			p.putKey(keyOf("organization", 1, 0))
			p.putKey(keyOf("user", 0, 3))
			require.False(p, p.principal("user").HasOrganization())
			require.Equal(p, "ada@acme.example", p.principal("user").Email)
			require.Equal(p, "acme", p.principal("organization").OrganizationSlug)
			require.Zero(p, p.principal("organization").UserID)
		}},
		{"a key is answered for as its user is now", func(p *probe) {
			p.putUser(ada)
			p.putKey(keyOf("key", 0, 3))
			p.putUser(account.User{ID: 3, FullName: "Ada", Email: "new@acme.example"})
			require.Equal(p, "new@acme.example", p.principal("key").Email)
			p.putUser(account.User{ID: 3, FullName: "Ada"})
			require.Empty(p, p.principal("key").Email)
		}},
		{"an unknown key is ErrUnknownKey", func(p *probe) {
			p.putKey(keyOf("key", 0, 0))
			_, err := p.PrincipalByKey(p.Context(), account.HashKey("Key"))
			require.ErrorIs(p, err, account.ErrUnknownKey)
		}},
		{"an organization or a user that the store does not have is ErrNotFound", func(p *probe) {
			p.putOrganization(1, "acme")
			p.putUser(ada)
			for _, key := range []account.Key{keyOf("a", 2, 0), keyOf("b", 0, 4), keyOf("c", 2, 3), keyOf("d", 1, 4)} {
				require.ErrorIs(p, p.PutKey(p.Context(), key), account.ErrNotFound)
				_, err := p.PrincipalByKey(p.Context(), key.Hash)
				require.ErrorIs(p, err, account.ErrUnknownKey, "a refused key must not be stored")
			}
		}},
		{"a refused key leaves the earlier one with its hash", func(p *probe) {
			p.putOrganization(1, "acme")
			p.putKey(keyOf("key", 1, 0, account.ScopeReports))
			require.ErrorIs(p, p.PutKey(p.Context(), keyOf("key", 9, 0)), account.ErrNotFound)
			require.Equal(p, account.Principal{
				OrganizationID:   1,
				OrganizationSlug: "acme",
				Scopes:           []account.Scope{account.ScopeReports},
			}, p.principal("key"))
		}},
		{"a key with the same hash replaces all of the earlier one", func(p *probe) {
			p.putOrganization(1, "acme")
			p.putUser(ada)
			p.putKey(keyOf("key", 1, 3, account.Scopes()...))
			p.putKey(keyOf("key", 0, 0, account.ScopeDispute))
			require.Equal(p, account.Principal{Scopes: []account.Scope{account.ScopeDispute}}, p.principal("key"))
			require.Empty(p, p.keys(1), "the key speaks for the organization no more")
		}},
		{"keys of the same time come by hash, compared byte by byte", func(p *probe) {
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
				principal, err := p.PrincipalByKey(p.Context(), key.Hash)
				require.NoError(p, err)
				require.Equal(p, key.UserID, principal.UserID, "hash %x", key.Hash)
			}
		}},
		{"an organization sees its own keys alone", func(p *probe) {
			p.putOrganization(1, "acme")
			p.putOrganization(2, "other")
			p.putKey(keyOf("nobody", 0, 0))
			p.putKey(keyOf("other", 2, 0))
			require.Empty(p, p.keys(1))
			require.Len(p, p.keys(2), 1)
			require.Empty(p, p.keys(3), "an organization that does not exist")
		}},
	}
}

// differentHashes are in their order. They differ where a database may not look:
// behind a zero, in the sign of a byte, or in the last byte.
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
