package storagetest

import (
	"slices"
	"strconv"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
)

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
			require.ErrorIs(p, err, account.ErrOrganizationNotFound)
		}},
		{"a new slug replaces the old one, which another organization can then have", needs("PutKey", func(p *probe) {
			p.putOrganization(1, "acme")
			p.putKey(keyOf("key", 1, 0))
			p.putOrganization(1, "acme-new")
			require.Equal(p, "acme-new", p.principal("key").OrganizationSlug)
			p.putOrganization(2, "acme")
			require.Equal(p, "acme-new", p.principal("key").OrganizationSlug)
		})},
		{"the same organization may be put again", func(p *probe) {
			p.putOrganization(1, "acme")
			p.putOrganization(1, "acme")
		}},
		{"a slug of another organization is an error and changes nothing", needs("PutKey", func(p *probe) {
			p.putOrganization(1, "acme")
			p.putOrganization(2, "other")
			p.putKey(keyOf("key", 2, 0))
			for _, id := range []int64{2, 3} {
				err := p.PutOrganization(p.Context(), account.Organization{ID: id, Slug: "acme"})
				require.ErrorIs(p, err, account.ErrSlugTaken)
			}
			require.Equal(p, "other", p.principal("key").OrganizationSlug)
			require.ErrorIs(p, p.PutKey(p.Context(), keyOf("k3", 3, 0)), account.ErrOrganizationNotFound, "organization 3 was refused, so it must not exist")
		})},
		{"slugs are compared byte by byte", needs("PutKey", func(p *probe) {
			for i, slug := range differentTexts {
				p.putOrganization(int64(i+1), slug)
			}
			for i, slug := range differentTexts {
				p.putKey(keyOf(slug, int64(i+1), 0))
				require.Equal(p, slug, p.principal(slug).OrganizationSlug)
			}
		})},
		{"an organization is found by exactly its slug", func(p *probe) {
			for i, slug := range differentTexts {
				p.putOrganization(int64(i+1), slug)
			}
			for i, slug := range differentTexts {
				got, err := p.OrganizationBySlug(p.Context(), slug)
				require.NoError(p, err, "%q", slug)
				require.Equal(p, p.organization(int64(i+1)), got)
			}
			p.putOrganization(1, "new")
			for _, slug := range []string{differentTexts[0], "", "nobody"} {
				_, err := p.OrganizationBySlug(p.Context(), slug)
				require.ErrorIs(p, err, account.ErrOrganizationNotFound, "%q", slug)
			}
		}},
		{"pages are ordered by identifier", func(p *probe) {
			require.Empty(p, p.organizations(0, everything), "a store without organizations")
			all := []int64{1, 2, 30, 400, 5000, asset.MaxID - 1, asset.MaxID}
			for _, id := range slices.Backward(all) {
				p.putOrganization(id, strconv.FormatInt(id, 10))
			}
			for size := 1; size <= len(all)+1; size++ {
				got := allPages(p, size, func(last account.Organization) []account.Organization { return p.organizations(last.ID, size) })
				require.Len(p, got, len(all), "pages of %d", size)
				for i, organization := range got {
					require.Equal(p, p.organization(all[i]), organization)
				}
			}
			require.Empty(p, p.organizations(asset.MaxID, everything), "after the last one")
			require.EqualValues(p, 400, only(p, p.organizations(31, 1)).ID, "after an unknown identifier")
		}},
		{"the largest identifier is kept exactly", needs("PutKey", func(p *probe) {
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
		})},
	}
}

func groupChecks() []check {
	return []check{
		{"every field is read back, also for an unknown organization", func(p *probe) {
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
		{"a given identifier is kept, and new ones are above it", func(p *probe) {
			given := account.Group{ID: 1_000_000_007, OrganizationID: 1, Name: "given"}
			got, err := p.PutGroup(p.Context(), given)
			require.NoError(p, err)
			require.Equal(p, given, got)
			next := p.newGroup(1, "new")
			require.Greater(p, next, given.ID)

			lower := account.Group{ID: 5, OrganizationID: 1, Name: "lower"}
			_, err = p.PutGroup(p.Context(), lower)
			require.NoError(p, err)
			require.Greater(p, p.newGroup(1, "newer"), next, "a lower identifier does not lower the next one")
		}},
		{"no identifier above 2^53-1 is given", func(p *probe) {
			_, err := p.PutGroup(p.Context(), account.Group{ID: asset.MaxID, OrganizationID: 1, Name: "last"})
			require.NoError(p, err)
			group, err := p.PutGroup(p.Context(), account.Group{OrganizationID: 1, Name: "one too many"})
			if err == nil {
				require.True(p, asset.ValidID(group.ID) && group.ID != asset.MaxID, "PutGroup assigned the identifier %d", group.ID)
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
		{"a group of another organization is an error and does not change", func(p *probe) {
			id := p.newGroup(1, "mine")
			_, err := p.PutGroup(p.Context(), account.Group{ID: id, OrganizationID: 2, Name: "stolen"})
			require.ErrorIs(p, err, account.ErrGroupTaken)
			require.Equal(p, []account.Group{{ID: id, OrganizationID: 1, Name: "mine"}}, p.groups(1))
			require.Empty(p, p.groups(2))
		}},
		{"an organization has only its own groups, ordered by identifier", func(p *probe) {
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
		{"an organization may have no groups", func(p *probe) {
			require.Empty(p, p.groups(1))
		}},
	}
}
