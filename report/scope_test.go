package report_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
)

func TestScope_Contains(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		scope        report.Scope
		organization int64
		want         bool
	}{
		"the organization":                      {report.InOrganization(acme), acme, true},
		"another organization":                  {report.InOrganization(acme), globex, false},
		"any organization":                      {report.AnyOrganization(), globex, true},
		"the zero scope":                        {report.Scope{}, acme, false},
		"the organization of someone with none": {report.InOrganization(0), 0, false},
		"an impossible organization":            {report.InOrganization(-1), -1, false},
	} {
		require.Equal(t, c.want, c.scope.Contains(c.organization), reason)
	}
}

func TestScope_Validate(t *testing.T) {
	t.Parallel()
	require.NoError(t, report.InOrganization(acme).Validate())
	require.NoError(t, report.AnyOrganization().Validate())
	for reason, scope := range map[string]report.Scope{
		"the zero scope":                        {},
		"the organization of someone with none": report.InOrganization(0),
		"an impossible organization":            report.InOrganization(1 << 53),
	} {
		err := scope.Validate()
		require.ErrorIs(t, err, asset.ErrInvalid, reason)
		require.EqualError(t, err, "invalid input: organizationId: must be from 1 to 2^53-1", reason)
	}
}

func TestScope_OrganizationID(t *testing.T) {
	t.Parallel()
	id, one := report.InOrganization(acme).OrganizationID()
	require.True(t, one)
	require.EqualValues(t, acme, id)
	_, one = report.AnyOrganization().OrganizationID()
	require.False(t, one)
	_, one = report.Scope{}.OrganizationID()
	require.True(t, one, "the zero scope is not that of any organization")
}
