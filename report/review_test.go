package report_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
)

func TestReviewService_Review_approve(t *testing.T) {
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

	changes := f.changes(t)
	require.Len(t, changes, 1)
	require.Equal(t, asset.StatusUnknown, changes[0].From)
	require.Equal(t, asset.StatusBlocked, changes[0].To)
	require.Equal(t, asset.Origin{Cause: asset.CauseReview, Actor: 5, Reference: "report/1"}, changes[0].Origin)
}

func TestReviewService_Review_otherwise(t *testing.T) {
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
		require.Empty(t, f.changes(t), status)
	}
}

func TestReviewService_Review_twice(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	proposal := f.file(t, acme, "https://a.example").Proposals[0]
	f.review(t, proposal, report.ReviewApprove)
	f.review(t, proposal, report.ReviewApprove)
	changes := f.changes(t)
	require.Len(t, changes, 1)
}

func TestReviewService_Review_errors(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	filed := f.file(t, acme, "https://a.example")
	proposal := filed.Proposals[0]
	cases := map[string]struct {
		req  report.ReviewRequest
		want error
	}{
		"no review":                      {report.ReviewRequest{Scope: report.AnyOrganization(), ProposalID: proposal.ID}, asset.ErrInvalid},
		"a review that does not exist":   {report.ReviewRequest{Scope: report.AnyOrganization(), ProposalID: proposal.ID, Status: "MAYBE"}, asset.ErrInvalid},
		"a reviewer that cannot be":      {report.ReviewRequest{Scope: report.AnyOrganization(), ProposalID: proposal.ID, Status: report.ReviewSkip, Actor: -1}, asset.ErrInvalid},
		"no scope":                       {report.ReviewRequest{ProposalID: proposal.ID, Status: report.ReviewSkip}, asset.ErrInvalid},
		"another organization":           {report.ReviewRequest{Scope: report.InOrganization(globex), ProposalID: proposal.ID, Status: report.ReviewSkip}, report.ErrProposalNotFound},
		"a proposal that does not exist": {report.ReviewRequest{Scope: report.AnyOrganization(), ProposalID: proposal.ID + 1, Status: report.ReviewSkip}, report.ErrProposalNotFound},
	}
	for reason, c := range cases {
		_, err := f.reviews.Review(t.Context(), c.req)
		require.ErrorIs(t, err, c.want, reason)
	}
	got, err := f.Get(t.Context(), report.AnyOrganization(), filed.ID)
	require.NoError(t, err)
	require.Equal(t, filed, got, "nothing was stored")
}

func TestReviewRequest_Validate(t *testing.T) {
	t.Parallel()
	err := report.ReviewRequest{Status: "MAYBE", Actor: -1, Comment: "\x00"}.Validate()
	require.EqualError(t, err, "invalid input: organizationId: must be from 1 to 2^53-1; "+
		"reviewStatus: must be APPROVE, REJECT, SKIP or ESCALATE; actor: must be a user's id; comment: must be valid UTF-8 without NUL")
	req := report.ReviewRequest{Scope: report.InOrganization(acme), Status: skip, Comment: strings.Repeat("x", report.MaxComment)}
	require.NoError(t, req.Validate())
	req.Comment += "x"
	require.EqualError(t, req.Validate(), "invalid input: comment: must be at most 10000 bytes long")
}

func TestReviewCommand_Apply(t *testing.T) {
	t.Parallel()
	filed := report.Report{ID: 9, Proposals: []report.Proposal{
		{ID: 1, ReviewStatus: reject}, {ID: 2}, {ID: 3, ReviewStatus: approve}, {ID: 4, ReviewStatus: skip}, {ID: 5, ReviewStatus: escalate},
	}}
	req := report.ReviewRequest{Status: approve, Actor: 5, Comment: "sure"}
	for reason, c := range map[string]struct {
		proposal int64
		want     []int64
	}{
		"an undecided proposal":     {2, []int64{2}},
		"a decided proposal":        {1, []int64{1}},
		"all undecided proposals":   {0, []int64{2, 4, 5}},
		"no proposal of the report": {6, nil},
	} {
		req.ProposalID = c.proposal
		got, err := report.ReviewCommand{ReviewRequest: req, At: noon.Add(time.Microsecond)}.Apply(filed, nil)
		if c.want == nil {
			require.Equal(t, report.ErrDecided, err, reason)
			continue
		}
		require.NoError(t, err, reason)
		require.Len(t, got, len(c.want), reason)
		for i, id := range c.want {
			require.Equal(t, report.Review{ProposalID: id, Status: approve, ReviewedBy: 5, Comment: "sure", ReviewedAt: noon}, got[i], reason)
		}
	}
	_, err := report.ReviewCommand{ReviewRequest: report.ReviewRequest{Status: escalate}}.Apply(report.Report{Proposals: filed.Proposals[:1]}, nil)
	require.Equal(t, report.ErrDecided, err, "every proposal is decided")
}

func TestReviewCommand_Apply_room(t *testing.T) {
	t.Parallel()
	filed := report.Report{Proposals: []report.Proposal{{ID: 1}, {ID: 2}}}
	full := report.ReviewTotal{Bytes: report.MaxTotalReviewBytes}
	for reason, c := range map[string]struct {
		status  report.ReviewStatus
		comment string
		total   report.ReviewTotal
		want    error
	}{
		"the last decision":              {approve, "", report.ReviewTotal{Reviews: report.MaxReviews - 1}, nil},
		"a decision too many":            {reject, "", report.ReviewTotal{Reviews: report.MaxReviews}, report.ErrTooManyReviews},
		"the last SKIP":                  {skip, "", report.ReviewTotal{Reviews: report.MaxReviews/2 - 1}, nil},
		"a SKIP too many":                {skip, "", report.ReviewTotal{Reviews: report.MaxReviews / 2}, report.ErrTooManyReviews},
		"an ESCALATE too many":           {escalate, "", report.ReviewTotal{Reviews: report.MaxReviews / 2}, report.ErrTooManyReviews},
		"a decision after too many":      {reject, "", report.ReviewTotal{Reviews: report.MaxReviews / 2}, nil},
		"the last bytes":                 {approve, "xx", report.ReviewTotal{Bytes: report.MaxTotalReviewBytes - 2}, nil},
		"a byte too many":                {approve, "xxx", report.ReviewTotal{Bytes: report.MaxTotalReviewBytes - 2}, report.ErrTooManyReviews},
		"no comment after the last byte": {approve, "", full, nil},
		"no comment after too many":      {skip, "", report.ReviewTotal{Bytes: 2 * report.MaxTotalReviewBytes}, nil},
	} {
		for _, proposal := range []int64{2, 0} { // one proposal, or all of them
			cmd := report.ReviewCommand{ReviewRequest: report.ReviewRequest{ProposalID: proposal, Status: c.status, Comment: c.comment}}
			got, err := cmd.Apply(filed, map[int64]report.ReviewTotal{2: c.total})
			require.Equal(t, c.want, err, reason)
			require.Equal(t, c.want != nil, got == nil, reason)
		}
	}
}

func TestReviewService_Review_publicSuffix(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	proposal := f.file(t, acme, "https://com").Proposals[0]
	req := report.ReviewRequest{Scope: report.AnyOrganization(), ProposalID: proposal.ID, Status: approve}
	_, err := f.reviews.Review(t.Context(), req)
	require.ErrorIs(t, err, asset.ErrProtected)
	require.EqualError(t, err, "invalid input: confirmProtected: must be true to block it: com is a public suffix")
	require.Empty(t, f.changes(t), "nothing was stored")

	req.ConfirmProtected = true
	reviewed, err := f.reviews.Review(t.Context(), req)
	require.NoError(t, err)
	require.Equal(t, asset.StatusBlocked, reviewed.Proposals[0].Asset.Status)
}

func TestReviewCommand_Apply_protected(t *testing.T) {
	t.Parallel()
	suffix := asset.Asset{Identity: asset.Identity{Type: asset.TypePage, Canonical: "github.io"}}
	filed := report.Report{ID: 9, Proposals: []report.Proposal{
		{ID: 1, Asset: suffix, ProposedStatus: asset.StatusBlocked},
		{ID: 2, Asset: suffix, ProposedStatus: asset.StatusAllowed},
	}}
	protected := asset.Protections{suffix.Identity: {Reason: asset.ProtectedSuffix, By: "github.io"}}
	for reason, c := range map[string]struct {
		req         report.ReviewRequest
		protections asset.Protections
		want        error
	}{
		"BLOCKED is approved":     {report.ReviewRequest{ProposalID: 1, Status: approve}, protected, asset.ErrProtected},
		"BLOCKED of a free asset": {report.ReviewRequest{ProposalID: 1, Status: approve}, nil, nil},
		"BLOCKED is rejected":     {report.ReviewRequest{ProposalID: 1, Status: reject}, protected, nil},
		"ALLOWED is approved":     {report.ReviewRequest{ProposalID: 2, Status: approve}, protected, nil},
	} {
		_, err := report.ReviewCommand{ReviewRequest: c.req, Protections: c.protections}.Apply(filed, nil)
		require.ErrorIs(t, err, c.want, reason)
	}
}

func TestReview_Sets(t *testing.T) {
	t.Parallel()
	proposal := report.Proposal{ProposedStatus: asset.StatusBlocked}
	for _, status := range []report.ReviewStatus{report.ReviewReject, report.ReviewSkip, report.ReviewEscalate, ""} {
		_, sets := report.Review{Status: status}.Sets(proposal)
		require.False(t, sets, status)
	}
	status, sets := report.Review{Status: report.ReviewApprove}.Sets(proposal)
	require.True(t, sets)
	require.Equal(t, asset.StatusBlocked, status)
}
