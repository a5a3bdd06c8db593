package account_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
)

func TestRenameRequests_Validate(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		err  error
		want []string
	}{
		"an organization without names": {
			account.OrganizationRenameRequest{}.Validate(), []string{"a slug or a name is required", "id: must be from 1 to 2^53-1"},
		},
		"a slug of an organization":      {account.OrganizationRenameRequest{ID: 1, Slug: "a"}.Validate(), nil},
		"a blank slug":                   {account.OrganizationRenameRequest{ID: 1, Slug: " "}.Validate(), []string{"slug: must not be blank"}},
		"a name with NUL":                {account.OrganizationRenameRequest{ID: 1, Name: "\x00"}.Validate(), []string{"name: must be valid UTF-8 without NUL"}},
		"a user without names":           {account.UserRenameRequest{ID: 1}.Validate(), []string{"a full name or an e-mail address is required"}},
		"an address of a user":           {account.UserRenameRequest{ID: 1, Email: "a@b.example"}.Validate(), nil},
		"an invalid address of no user":  {account.UserRenameRequest{Email: "a"}.Validate(), []string{"id: must be from 1 to 2^53-1", "email: must be an e-mail address"}},
		"a group without name":           {account.GroupRenameRequest{ID: 1, OrganizationID: 1}.Validate(), []string{"name: must not be blank"}},
		"a name of no group":             {account.GroupRenameRequest{OrganizationID: 1, Name: "a"}.Validate(), []string{"id: must be from 1 to 2^53-1"}},
		"a new group of no organization": {account.GroupRequest{Name: "a"}.Validate(), []string{"organizationId: must be from 1 to 2^53-1"}},
	} {
		requireIssues(t, reason, c.want, c.err)
	}
}

// What a request does not name stays.
func TestService_Rename(t *testing.T) {
	t.Parallel()
	service, _ := newService(t)
	_, err := service.DeactivateOrganization(t.Context(), 1)
	require.NoError(t, err)
	organization, err := service.RenameOrganization(t.Context(), account.OrganizationRenameRequest{ID: 1, Name: "Acme Corp"})
	require.NoError(t, err)
	require.Equal(t, account.Organization{ID: 1, Slug: "acme", Name: "Acme Corp", Deactivated: true}, organization)
	user, err := service.RenameUser(t.Context(), account.UserRenameRequest{ID: 7, Email: "ada@new.example"})
	require.NoError(t, err)
	require.Equal(t, account.User{ID: 7, FullName: "Ada", Email: "ada@new.example"}, user)

	_, err = service.RenameOrganization(t.Context(), account.OrganizationRenameRequest{ID: 1})
	require.ErrorIs(t, err, asset.ErrInvalid)
	_, err = service.RenameUser(t.Context(), account.UserRenameRequest{ID: 7})
	require.ErrorIs(t, err, asset.ErrInvalid)
	_, err = service.RenameGroup(t.Context(), account.GroupRenameRequest{ID: 7})
	require.ErrorIs(t, err, asset.ErrInvalid)
	_, err = service.CreateGroup(t.Context(), account.GroupRequest{OrganizationID: 1})
	require.ErrorIs(t, err, asset.ErrInvalid)
	_, err = service.CreateGroup(t.Context(), account.GroupRequest{OrganizationID: 2, Name: "a"})
	require.ErrorIs(t, err, account.ErrOrganizationNotFound)
}
