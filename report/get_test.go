package report_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
)

func TestService_Get(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	filed := f.file(t, acme, "https://a.example")
	for _, scope := range []report.Scope{report.InOrganization(acme), report.AnyOrganization()} {
		got, err := f.Get(t.Context(), scope, filed.ID)
		require.NoError(t, err)
		require.Equal(t, filed, got)
	}
	for reason, c := range map[string]struct {
		scope report.Scope
		id    int64
		want  error
	}{
		"another organization's":       {report.InOrganization(globex), filed.ID, report.ErrNotFound},
		"a report that does not exist": {report.AnyOrganization(), filed.ID + 1, report.ErrNotFound},
		"the zero scope":               {report.Scope{}, filed.ID, asset.ErrInvalid},
	} {
		_, err := f.Get(t.Context(), c.scope, c.id)
		require.ErrorIs(t, err, c.want, reason)
	}
}
