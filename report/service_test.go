package report_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage/memory"
)

var noon = time.Date(2025, 1, 5, 12, 0, 0, 0, time.UTC)

const (
	acme   = 1
	globex = 2
)

// fixture are services whose clock advances by an hour with each call.
type fixture struct {
	*report.Service
	reviews  *report.ReviewService
	assets   *asset.Service
	accounts *account.Service
}

func newFixture(t *testing.T) fixture {
	t.Helper()
	store := memory.New()
	now := noon.Add(-time.Hour)
	clock := func() time.Time {
		now = now.Add(time.Hour)
		return now.Add(17 * time.Microsecond)
	}
	return fixture{
		Service:  report.NewService(store, report.Options{Clock: clock}),
		reviews:  report.NewReviewService(store, report.Options{Clock: clock}),
		assets:   asset.NewService(store, asset.Options{Clock: clock}),
		accounts: account.NewService(store, account.Options{}),
	}
}

func (f fixture) file(t *testing.T, organization int64, contents ...string) report.Report {
	t.Helper()
	req := report.FileRequest{OrganizationID: organization, Title: "A report"}
	for _, content := range contents {
		req.Proposals = append(req.Proposals, report.ProposalRequest{Content: content, ProposedStatus: asset.StatusBlocked})
	}
	filed, err := f.File(t.Context(), req)
	require.NoError(t, err)
	return filed.Report
}

func (f fixture) review(t *testing.T, proposal report.Proposal, status report.ReviewStatus) report.Report {
	t.Helper()
	reviewed, err := f.reviews.Review(t.Context(), report.ReviewRequest{
		Scope: report.AnyOrganization(), ProposalID: proposal.ID, Status: status, Actor: 5,
	})
	require.NoError(t, err)
	return reviewed.Report
}

// changes returns the changelog.
func (f fixture) changes(t *testing.T) []asset.Change {
	t.Helper()
	page, err := f.assets.ListChanges(t.Context(), asset.ListChangesRequest{Limit: 10})
	require.NoError(t, err)
	return page.Changes
}

func TestNewService_clock(t *testing.T) {
	t.Parallel()
	store := memory.New()
	filed, err := report.NewService(store, report.Options{}).File(t.Context(), report.FileRequest{OrganizationID: acme})
	require.NoError(t, err)
	require.WithinDuration(t, time.Now(), filed.CreatedAt, time.Minute, "the default is time.Now")
}
