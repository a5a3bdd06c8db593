package storagetest

import (
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
)

func groupChecks() []requirement {
	return []requirement{
		{"every field of a group is read back, also for an unknown organization", func(p *probe) {
			first, err := p.PutGroup(p.Context(), account.Group{OrganizationID: 7, Name: "Sites"})
			require.NoError(p, err)
			require.Equal(p, account.Group{ID: first.ID, OrganizationID: 7, Name: "Sites"}, first)
			require.Equal(p, []account.Group{first}, p.groups(7))
		}},
		{"IDs begin at 1 and grow", func(p *probe) {
			last := p.newGroup(1, "first")
			require.EqualValues(p, 1, last)
			for range 5 {
				next := p.newGroup(2, "next")
				require.Greater(p, next, last)
				last = next
			}
		}},
		{"a given ID is kept, and new IDs are larger", func(p *probe) {
			given := account.Group{ID: 1_000_000_007, OrganizationID: 1, Name: "given"}
			got, err := p.PutGroup(p.Context(), given)
			require.NoError(p, err)
			require.Equal(p, given, got)
			next := p.newGroup(1, "new")
			require.Greater(p, next, given.ID)

			lower := account.Group{ID: 5, OrganizationID: 1, Name: "lower"}
			_, err = p.PutGroup(p.Context(), lower)
			require.NoError(p, err)
			require.Greater(p, p.newGroup(1, "newer"), next, "a group with a lower ID must not lower the next ID")
		}},
		{"no ID above 2^53-1 is assigned", func(p *probe) {
			_, err := p.PutGroup(p.Context(), account.Group{ID: asset.MaxID, OrganizationID: 1, Name: "last"})
			require.NoError(p, err)
			group, err := p.PutGroup(p.Context(), account.Group{OrganizationID: 1, Name: "one too many"})
			if err == nil {
				require.True(p, asset.ValidID(group.ID) && group.ID != asset.MaxID, "PutGroup assigned the ID %d", group.ID)
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
		{"a group of another organization is an error and changes nothing", func(p *probe) {
			id := p.newGroup(1, "mine")
			_, err := p.PutGroup(p.Context(), account.Group{ID: id, OrganizationID: 2, Name: "stolen"})
			require.ErrorIs(p, err, account.ErrGroupTaken)
			require.Equal(p, []account.Group{{ID: id, OrganizationID: 1, Name: "mine"}}, p.groups(1))
			require.Empty(p, p.groups(2))
		}},
		{"an organization has only its own groups, ordered by ID", func(p *probe) {
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
