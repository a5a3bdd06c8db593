package report_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage/memory"
)

func TestADecisionIsWithdrawn(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	filed := f.file(t, acme, "https://a.example")
	reviewed, err := f.Review(t.Context(), report.ReviewRequest{
		OrganizationID: acme, ProposalID: filed.Proposals[0].ID, Status: approve, By: 5, Comment: "sure",
	})
	require.NoError(t, err)
	id := reviewed.Proposals[0].ReviewID
	got, err := f.Withdraw(t.Context(), report.WithdrawRequest{OrganizationID: acme, ReviewID: id, By: 6, Reason: "mistaken"})
	require.NoError(t, err)
	want := filed
	want.UpdatedAt = reviewed.UpdatedAt.Add(time.Hour)
	require.Equal(t, want, got, "but for the update, the report is as it was filed")

	read, err := f.Get(t.Context(), acme, filed.ID)
	require.NoError(t, err)
	require.Equal(t, want, read)
	kept, err := f.Reviews(t.Context(), acme, filed.Proposals[0].ID)
	require.NoError(t, err)
	require.Equal(t, []report.Review{{
		ID: id, ProposalID: filed.Proposals[0].ID, Status: approve, By: 5, Comment: "sure", At: reviewed.UpdatedAt,
		WithdrawnAt: want.UpdatedAt, WithdrawnBy: 6, WithdrawnReason: "mistaken",
	}}, kept)
	changes, err := f.assets.ChangePage(t.Context(), asset.ChangeFilter{}, asset.ChangeCursor{}, 10)
	require.NoError(t, err)
	require.Len(t, changes, 2)
	require.Equal(t, asset.Origin{Cause: asset.CauseWithdrawal, Actor: 6, Reference: "report/1"}, changes[0].Origin)
	require.Equal(t, asset.StatusUnknown, changes[0].To)
}

func TestAReportIsEscalated(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	filed := f.file(t, acme, "https://a.example", "https://b.example")
	f.review(t, filed.Proposals[0], reject)
	got, err := f.Escalate(t.Context(), report.EscalateRequest{OrganizationID: acme, ReportID: filed.ID, By: 5, Comment: "too hard"})
	require.NoError(t, err)
	require.Equal(t, report.StatusInProgress, got.Status)
	require.Equal(t, reject, got.Proposals[0].ReviewStatus)
	require.Equal(t, escalate, got.Proposals[1].ReviewStatus)
	kept, err := f.Reviews(t.Context(), 0, filed.Proposals[1].ID)
	require.NoError(t, err)
	require.Equal(t, []report.Review{{
		ID: 2, ProposalID: filed.Proposals[1].ID, Status: escalate, By: 5, Comment: "too hard", At: got.UpdatedAt,
	}}, kept)
}

func TestReviewsAreReadToTheEnd(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	proposal := f.file(t, acme, "https://a.example").Proposals[0]
	for _, more := range []int{999, 1, 1} {
		for range more {
			f.review(t, proposal, skip)
		}
		kept, err := f.Reviews(t.Context(), acme, proposal.ID)
		require.NoError(t, err)
		for i, review := range kept {
			require.EqualValues(t, i+1, review.ID)
		}
	}
	kept, err := f.Reviews(t.Context(), acme, proposal.ID)
	require.NoError(t, err)
	require.Len(t, kept, 1001)
}

func TestWhatIsNotThereOrNotOnesOwn(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	filed := f.file(t, acme, "https://a.example")
	proposal := filed.Proposals[0].ID
	review := f.review(t, filed.Proposals[0], approve).Proposals[0].ReviewID
	for reason, c := range map[string]struct{ organization, report, proposal, review int64 }{
		"another organization's": {globex, filed.ID, proposal, review},
		"nobody's":               {0, filed.ID + 1, proposal + 1, review + 1},
	} {
		_, err := f.Get(t.Context(), c.organization, c.report)
		require.ErrorIs(t, err, report.ErrNotFound, reason)
		_, err = f.Escalate(t.Context(), report.EscalateRequest{OrganizationID: c.organization, ReportID: c.report})
		require.ErrorIs(t, err, report.ErrNotFound, reason)
		_, err = f.Reviews(t.Context(), c.organization, c.proposal)
		require.ErrorIs(t, err, report.ErrProposalNotFound, reason)
		_, err = f.Review(t.Context(), report.ReviewRequest{OrganizationID: c.organization, ProposalID: c.proposal, Status: skip})
		require.ErrorIs(t, err, report.ErrProposalNotFound, reason)
		_, err = f.Withdraw(t.Context(), report.WithdrawRequest{OrganizationID: c.organization, ReviewID: c.review})
		require.ErrorIs(t, err, report.ErrReviewNotFound, reason)
	}
}

func TestReviewingRefuses(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	filed := f.file(t, acme, "https://a.example")
	review := f.review(t, filed.Proposals[0], approve).Proposals[0].ReviewID
	before, err := f.Get(t.Context(), acme, filed.ID)
	require.NoError(t, err)
	for reason, c := range map[string]struct {
		call func() error
		want string
	}{
		"a review": {func() error {
			_, err := f.Review(t.Context(), report.ReviewRequest{
				OrganizationID: -1, ProposalID: filed.Proposals[0].ID, Status: "MAYBE", By: -1, Comment: "\x00",
			})
			return err
		}, "organization: must be an organization's id; reviewStatus: must be APPROVE, REJECT, SKIP or ESCALATE; " +
			"reviewedBy: must be a user's id; comment: must be valid UTF-8 without NUL"},
		"a withdrawal": {func() error {
			_, err := f.Withdraw(t.Context(), report.WithdrawRequest{OrganizationID: -1, ReviewID: review, By: -1, Reason: "\x00"})
			return err
		}, "organization: must be an organization's id; withdrawnBy: must be a user's id; reason: must be valid UTF-8 without NUL"},
		"an escalation": {func() error {
			_, err := f.Escalate(t.Context(), report.EscalateRequest{OrganizationID: -1, ReportID: filed.ID, By: 1 << 53, Comment: "\xff"})
			return err
		}, "organization: must be an organization's id; escalatedBy: must be a user's id; comment: must be valid UTF-8 without NUL"},
		"a look at a report": {func() error {
			_, err := f.Get(t.Context(), -1, filed.ID)
			return err
		}, "organization: must be an organization's id"},
		"a look at reviews": {func() error {
			_, err := f.Reviews(t.Context(), 1<<53, filed.Proposals[0].ID)
			return err
		}, "organization: must be an organization's id"},
	} {
		err := c.call()
		require.ErrorIs(t, err, asset.ErrInvalid, reason)
		require.EqualError(t, err, "invalid input: "+c.want, reason)
	}
	after, err := f.Get(t.Context(), acme, filed.ID)
	require.NoError(t, err)
	require.Equal(t, before, after)
}

func TestACommentHasALimit(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		call  func(f fixture, filed report.Report, text string) error
		field string
	}{
		"a review": {func(f fixture, filed report.Report, text string) error {
			_, err := f.Review(t.Context(), report.ReviewRequest{ProposalID: filed.Proposals[0].ID, Status: skip, Comment: text})
			return err
		}, "comment"},
		"an escalation": {func(f fixture, filed report.Report, text string) error {
			_, err := f.Escalate(t.Context(), report.EscalateRequest{ReportID: filed.ID, Comment: text})
			return err
		}, "comment"},
		"a withdrawal": {func(f fixture, filed report.Report, text string) error {
			review := f.review(t, filed.Proposals[0], reject).Proposals[0].ReviewID
			_, err := f.Withdraw(t.Context(), report.WithdrawRequest{ReviewID: review, Reason: text})
			return err
		}, "reason"},
	} {
		f := newFixture(t)
		filed := f.file(t, acme, "https://a.example")
		err := c.call(f, filed, strings.Repeat("x", report.MaxComment+1))
		require.ErrorIs(t, err, asset.ErrInvalid, reason)
		require.EqualError(t, err, "invalid input: "+c.field+": must be at most 10000 bytes long", reason)
		require.NoError(t, c.call(f, filed, strings.Repeat("x", report.MaxComment)), reason)
	}
}

// Whatever happened before, an approval that is withdrawn at once leaves the asset and
// the proposal as they were.
func TestLawOfApprovalAndWithdrawal(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		var (
			ctx     = t.Context()
			store   = memory.New()
			reports = report.NewService(store, report.Options{})
			assets  = asset.NewService(store, asset.Options{})
			status  = rapid.SampledFrom(asset.Statuses())
		)
		filed, err := reports.File(ctx, report.FileRequest{OrganizationID: acme, Proposals: []report.ProposalRequest{
			{Content: "https://a.example", ProposedStatus: status.Draw(rt, "proposed")},
		}})
		require.NoError(rt, err)
		proposal := filed.Proposals[0]
		for range rapid.IntRange(0, 8).Draw(rt, "steps before") {
			switch rapid.SampledFrom([]string{"review", "review", "withdraw", "set"}).Draw(rt, "step") {
			case "review":
				_, err = reports.Review(ctx, report.ReviewRequest{
					ProposalID: proposal.ID, Status: rapid.SampledFrom(report.ReviewStatuses()).Draw(rt, "review"),
				})
				require.NoError(rt, err)
			case "withdraw":
				_, err = reports.Withdraw(ctx, report.WithdrawRequest{ReviewID: rapid.Int64Range(1, 6).Draw(rt, "withdrawn")})
				if err != nil {
					require.NotErrorIs(rt, err, asset.ErrInvalid)
				}
			default:
				_, err = assets.SetStatus(ctx, asset.StatusRequest{Identity: proposal.Asset.Identity, Status: status.Draw(rt, "status")})
				require.NoError(rt, err)
			}
		}
		before, err := reports.Get(ctx, acme, filed.ID)
		require.NoError(rt, err)
		approved, err := reports.Review(ctx, report.ReviewRequest{ProposalID: proposal.ID, Status: approve})
		require.NoError(rt, err)
		after, err := reports.Withdraw(ctx, report.WithdrawRequest{ReviewID: approved.Proposals[0].ReviewID})
		require.NoError(rt, err)
		if before.Proposals[0].ReviewStatus == approve {
			require.Equal(rt, approved.Proposals[0].Asset, after.Proposals[0].Asset, "the approval before stands for the status")
			after.Proposals[0].Asset = before.Proposals[0].Asset
		}
		after.UpdatedAt = before.UpdatedAt
		require.Equal(rt, before, after)
	})
}
