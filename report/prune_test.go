package report_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage/memory"
)

func TestReviewService_Prune(t *testing.T) {
	t.Parallel()
	noon := time.Date(2025, 1, 5, 12, 0, 0, 0, time.UTC)
	options := report.Options{Clock: func() time.Time { return noon }}
	store := memory.New()
	reports, reviews := report.NewService(store, options), report.NewReviewService(store, options)
	const closed = 105
	for i := range closed + 1 {
		filed, err := reports.File(t.Context(), report.FileRequest{
			OrganizationID: 1, Proposals: []report.ProposalRequest{{Content: "https://a.example", ProposedStatus: asset.StatusBlocked}},
		})
		require.NoError(t, err)
		if i > 0 {
			_, err := reviews.Review(t.Context(), report.ReviewRequest{
				Scope: report.InOrganization(1), ProposalID: filed.Proposals[0].ID, Status: report.ReviewApprove,
			})
			require.NoError(t, err)
		}
	}
	_, err := reviews.Prune(t.Context(), report.Scope{}, noon.Add(time.Hour))
	require.ErrorIs(t, err, asset.ErrInvalid, "the zero scope")
	for reason, c := range map[string]struct {
		scope  report.Scope
		before time.Time
	}{
		"another organization": {report.InOrganization(2), noon.Add(time.Hour)},
		"the zero time":        {report.AnyOrganization(), time.Time{}},
		"the time of closing":  {report.AnyOrganization(), noon},
	} {
		removed, err := reviews.Prune(t.Context(), c.scope, c.before)
		require.NoError(t, err, reason)
		require.Zero(t, removed, reason)
	}
	removed, err := reviews.Prune(t.Context(), report.InOrganization(1), noon.Add(time.Nanosecond))
	require.NoError(t, err)
	require.EqualValues(t, closed, removed, "in several steps")
	page, err := reports.List(t.Context(), report.ListRequest{Scope: report.InOrganization(1)})
	require.NoError(t, err)
	require.Len(t, page.Reports, 1, "the open one stays")
}
