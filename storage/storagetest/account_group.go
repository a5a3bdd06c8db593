package storagetest

import (
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
)

func groupChecks() []requirement {
	return []requirement{
		{"every field of a group is read back, also for an unknown organization", func(p *probe) {
			first, err := p.PutGroup(p.Context(), account.Group{OrganizationID: 7, Name: "Sites"}, audit.Entry{})
			require.NoError(p, err)
			require.Equal(p, account.Group{ID: 1, OrganizationID: 7, Name: "Sites"}, first)
			require.Equal(p, []account.Group{first}, p.groups(7))
		}},
		{"no ID above 2^53-1 is assigned", func(p *probe) {
			_, err := p.PutGroup(p.Context(), account.Group{ID: asset.MaxID, OrganizationID: 1, Name: "last"}, audit.Entry{})
			require.NoError(p, err)
			group, err := p.PutGroup(p.Context(), account.Group{OrganizationID: 1, Name: "one too many"}, audit.Entry{})
			if err == nil {
				require.True(p, asset.ValidID(group.ID) && group.ID != asset.MaxID, "PutGroup assigned the ID %d", group.ID)
			} else {
				require.Len(p, p.groups(1), 1, "a refused group must not be stored")
			}
		}},
	}
}
