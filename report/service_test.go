package report_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage/memory"
)

var noon = time.Date(2025, 1, 5, 12, 0, 0, 0, time.UTC)

const (
	acme   = 1
	globex = 2
)

// fixture is a report service whose clock goes on by an hour at each look.
type fixture struct {
	*report.Service
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
	return filed
}

func (f fixture) review(t *testing.T, proposal report.Proposal, status report.ReviewStatus) report.Report {
	t.Helper()
	reviewed, err := f.Review(t.Context(), report.ReviewRequest{ProposalID: proposal.ID, Status: status, By: 5})
	require.NoError(t, err)
	return reviewed
}

func TestFileStoresEverything(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	require.NoError(t, f.accounts.PutUser(t.Context(), account.User{ID: 7, FullName: "Ada", Email: "ada@acme.example", Automation: true}))
	filed, err := f.File(t.Context(), report.FileRequest{
		OrganizationID: acme, Title: "Fake shop", Description: "A copy.", BrandID: 3, ReporterID: 7,
		Proposals: []report.ProposalRequest{
			{Content: " https://Bad.example/ ", ProposedStatus: asset.StatusBlocked},
			{Content: "@acme", ProposedStatus: asset.StatusAllowed},
		},
	})
	require.NoError(t, err)
	want := report.Report{
		ID: filed.ID, OrganizationID: acme, Title: "Fake shop", Description: "A copy.", Status: report.StatusTodo, BrandID: 3,
		Reporter:  report.Reporter{ID: 7, FullName: "Ada", Email: "ada@acme.example", Automation: true},
		CreatedAt: noon, UpdatedAt: noon,
		Proposals: []report.Proposal{
			{ID: filed.Proposals[0].ID, ProposedStatus: asset.StatusBlocked, Asset: asset.Asset{
				ID: filed.Proposals[0].Asset.ID, Identity: asset.Identity{Type: asset.TypeURL, Canonical: "https://bad.example"},
				Status: asset.StatusUnknown,
			}},
			{ID: filed.Proposals[1].ID, ProposedStatus: asset.StatusAllowed, Asset: asset.Asset{
				ID: filed.Proposals[1].Asset.ID, Identity: asset.Identity{Type: asset.TypeTwitter, Canonical: "x.com/acme"},
				Status: asset.StatusUnknown,
			}},
		},
	}
	require.Equal(t, want, filed)
	page, err := f.List(t.Context(), report.ListRequest{OrganizationID: acme, Limit: 1})
	require.NoError(t, err)
	require.Equal(t, report.Page{Reports: []report.Report{want}}, page)
}

func TestFileRefuses(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	_, err := f.File(t.Context(), report.FileRequest{
		Title: "\x00", Description: "\xff", BrandID: -1, ReporterID: 1 << 53,
		Proposals: []report.ProposalRequest{
			{Content: "https://a.example", ProposedStatus: asset.StatusBlocked},
			{Content: "HTTPS://A.example/", ProposedStatus: asset.StatusBlocked},
			{Content: "no asset", ProposedStatus: "blocked"},
		},
	})
	var input *asset.InputError
	require.ErrorAs(t, err, &input)
	require.ErrorIs(t, err, classify.ErrRefused, "a program learns why a content is none")
	fields := make([]string, 0, len(input.Issues))
	for _, issue := range input.Issues {
		fields = append(fields, issue.Field)
	}
	require.Equal(t, []string{
		"organization", "title", "description", "brandId", "reporter",
		"proposals[1].content", "proposals[2].proposedStatus", "proposals[2].content",
	}, fields)
	_, err = f.assets.Get(t.Context(), asset.Identity{Type: asset.TypeURL, Canonical: "https://a.example"})
	require.ErrorIs(t, err, asset.ErrNotFound, "nothing was stored")
}

func TestApprovingChangesTheAsset(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	filed := f.file(t, acme, "https://a.example", "https://b.example")

	reviewed := f.review(t, filed.Proposals[0], report.ReviewApprove)
	require.Equal(t, report.StatusInProgress, reviewed.Status)
	require.Equal(t, noon.Add(time.Hour), reviewed.UpdatedAt)
	require.Equal(t, noon, reviewed.CreatedAt)
	got := reviewed.Proposals[0]
	require.Equal(t, asset.StatusBlocked, got.Asset.Status)
	require.Equal(t, report.ReviewApprove, got.ReviewStatus)
	require.EqualValues(t, 5, got.ReviewedBy)
	require.Equal(t, noon.Add(time.Hour), got.ReviewedAt)
	require.Equal(t, filed.Proposals[1], reviewed.Proposals[1])

	changes, err := f.assets.ChangePage(t.Context(), asset.ChangeFilter{}, asset.ChangeCursor{}, 10)
	require.NoError(t, err)
	require.Len(t, changes, 1)
	require.Equal(t, asset.StatusUnknown, changes[0].From)
	require.Equal(t, asset.StatusBlocked, changes[0].To)
	require.Equal(t, asset.Origin{Cause: asset.CauseReview, Actor: 5, Reference: "report/1"}, changes[0].Origin)
}

func TestOtherReviewsLeaveTheAsset(t *testing.T) {
	t.Parallel()
	for status, want := range map[report.ReviewStatus]report.Status{
		report.ReviewReject:   report.StatusClosed,
		report.ReviewSkip:     report.StatusTodo,
		report.ReviewEscalate: report.StatusTodo,
	} {
		f := newFixture(t)
		reviewed := f.review(t, f.file(t, acme, "https://a.example").Proposals[0], status)
		require.Equal(t, want, reviewed.Status, status)
		require.Equal(t, status, reviewed.Proposals[0].ReviewStatus)
		require.Equal(t, asset.StatusUnknown, reviewed.Proposals[0].Asset.Status, status)
		changes, err := f.assets.ChangePage(t.Context(), asset.ChangeFilter{}, asset.ChangeCursor{}, 10)
		require.NoError(t, err)
		require.Empty(t, changes, status)
	}
}

func TestApprovingTwiceRecordsOneChange(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	proposal := f.file(t, acme, "https://a.example").Proposals[0]
	f.review(t, proposal, report.ReviewApprove)
	f.review(t, proposal, report.ReviewApprove)
	changes, err := f.assets.ChangePage(t.Context(), asset.ChangeFilter{}, asset.ChangeCursor{}, 10)
	require.NoError(t, err)
	require.Len(t, changes, 1)
}

func TestReviewRefuses(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	proposal := f.file(t, acme, "https://a.example").Proposals[0]
	cases := map[string]struct {
		req  report.ReviewRequest
		want error
	}{
		"no review":                      {report.ReviewRequest{ProposalID: proposal.ID}, asset.ErrInvalid},
		"a review that does not exist":   {report.ReviewRequest{ProposalID: proposal.ID, Status: "MAYBE"}, asset.ErrInvalid},
		"a reviewer that cannot be":      {report.ReviewRequest{ProposalID: proposal.ID, Status: report.ReviewSkip, By: -1}, asset.ErrInvalid},
		"a proposal that does not exist": {report.ReviewRequest{ProposalID: proposal.ID + 1, Status: report.ReviewSkip}, report.ErrProposalNotFound},
	}
	for reason, c := range cases {
		_, err := f.Review(t.Context(), c.req)
		require.ErrorIs(t, err, c.want, reason)
	}
}

func TestListPages(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for range 5 {
		f.file(t, acme)
		f.file(t, globex)
	}
	for limit := 1; limit <= 6; limit++ {
		var ids []int64
		req := report.ListRequest{OrganizationID: acme, Limit: limit}
		for {
			page, err := f.List(t.Context(), req)
			require.NoError(t, err)
			for _, r := range page.Reports {
				require.EqualValues(t, acme, r.OrganizationID)
				ids = append(ids, r.ID)
			}
			if page.NextCursor == 0 {
				break
			}
			require.Len(t, page.Reports, limit)
			require.Equal(t, page.Reports[limit-1].ID, page.NextCursor, "the cursor is the last identifier returned")
			req.Cursor = page.NextCursor
		}
		require.Equal(t, []int64{9, 7, 5, 3, 1}, ids, "pages of %d", limit)
	}
}

func TestListRefuses(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	_, err := f.List(t.Context(), report.ListRequest{Cursor: -1, Filter: report.Filter{Status: "X"}})
	require.EqualError(t, err, "invalid input: organization: must be an organization's id; limit: must be from 1 to 100; cursor: must be a whole number from 1; status: must be TODO, IN_PROGRESS or CLOSED")
	_, err = f.List(t.Context(), report.ListRequest{OrganizationID: acme, Limit: report.MaxLimit + 1})
	require.ErrorIs(t, err, asset.ErrInvalid)
	page, err := f.List(t.Context(), report.ListRequest{OrganizationID: acme, Limit: report.MaxLimit, Cursor: 1<<63 - 1})
	require.NoError(t, err, "any whole number from 1 is a cursor")
	require.Empty(t, page.Reports)
}
