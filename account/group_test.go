package account_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
)

func TestGroup_Validate(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		group account.Group
		want  []string
	}{
		"a new group":          {account.Group{OrganizationID: 1, Name: "Sites"}, nil},
		"the largest ID":       {account.Group{ID: asset.MaxID, OrganizationID: asset.MaxID}, nil},
		"the zero value":       {account.Group{}, []string{"organizationId: must be from 1 to 2^53-1"}},
		"a negative ID":        {account.Group{ID: -1, OrganizationID: 1}, []string{"id: must be from 1 to 2^53-1"}},
		"a name with NUL":      {account.Group{OrganizationID: 1, Name: "\x00"}, []string{"name: must be valid UTF-8 without NUL"}},
		"several at once":      {account.Group{ID: -1, Name: "\xff"}, []string{"id: must be from 1 to 2^53-1", "organizationId: must be from 1 to 2^53-1", "name: must be valid UTF-8 without NUL"}},
		"an ID that overflows": {account.Group{ID: 1 << 53, OrganizationID: 1}, []string{"id: must be from 1 to 2^53-1"}},
	} {
		requireIssues(t, reason, c.want, c.group.Validate())
	}
}

func TestService_PutGroup(t *testing.T) {
	t.Parallel()
	service, _ := newService(t)
	given, err := service.PutGroup(t.Context(), account.Group{ID: 40, OrganizationID: 1, Name: "Sites"})
	require.NoError(t, err)
	created, err := service.PutGroup(t.Context(), account.Group{OrganizationID: 1, Name: "Wallets"})
	require.NoError(t, err)
	require.Greater(t, created.ID, given.ID)

	renamed, err := service.PutGroup(t.Context(), account.Group{ID: 40, OrganizationID: 1, Name: "Web sites"})
	require.NoError(t, err)
	_, err = service.PutGroup(t.Context(), account.Group{ID: 40, OrganizationID: 2, Name: "Stolen"})
	require.ErrorIs(t, err, account.ErrGroupTaken)
	_, err = service.PutGroup(t.Context(), account.Group{})
	require.ErrorIs(t, err, asset.ErrInvalid)

	groups, err := service.Groups(t.Context(), 1)
	require.NoError(t, err)
	require.Equal(t, []account.Group{renamed, created}, groups)
	groups, err = service.Groups(t.Context(), 2)
	require.NoError(t, err)
	require.Empty(t, groups)
}
