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

func TestReviewService_Withdraw(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	scope := report.InOrganization(acme)
	filed := f.file(t, acme, "https://a.example")
	reviewed, err := f.reviews.Review(t.Context(), report.ReviewRequest{
		Scope: scope, ProposalID: filed.Proposals[0].ID, Status: approve, Actor: 5, Comment: "sure",
	})
	require.NoError(t, err)
	id := reviewed.Proposals[0].ReviewID
	got, err := f.reviews.Withdraw(t.Context(), report.WithdrawRequest{Scope: scope, ReviewID: id, Actor: 6, Reason: "mistaken"})
	require.NoError(t, err)
	want := filed
	want.UpdatedAt = reviewed.UpdatedAt.Add(time.Hour)
	require.Equal(t, want, got.Report, "except for the update, the report is as it was filed")

	read, err := f.Get(t.Context(), scope, filed.ID)
	require.NoError(t, err)
	require.Equal(t, want, read)
	changes := f.changes(t)
	require.Len(t, changes, 2)
	require.Equal(t, asset.Origin{Cause: asset.CauseWithdrawal, Actor: 6, Reference: "report/1"}, changes[0].Origin)
	require.Equal(t, asset.StatusUnknown, changes[0].To)
	kept, err := f.reviews.List(t.Context(), scope, filed.Proposals[0].ID)
	require.NoError(t, err)
	require.Equal(t, []report.Review{{
		ID: id, ProposalID: filed.Proposals[0].ID, Status: approve, ReviewedBy: 5, Comment: "sure", ReviewedAt: reviewed.UpdatedAt,
		ChangeID: changes[1].ID, DecidedAt: reviewed.UpdatedAt, WithdrawnAt: want.UpdatedAt, WithdrawnBy: 6, WithdrawnReason: "mistaken",
	}}, kept)
}

func TestReviewService_Withdraw_notFound(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	review := f.review(t, f.file(t, acme, "https://a.example").Proposals[0], approve).Proposals[0].ReviewID
	for reason, req := range map[string]report.WithdrawRequest{
		"another organization's":        {Scope: report.InOrganization(globex), ReviewID: review},
		"a review that does not exist":  {Scope: report.AnyOrganization(), ReviewID: review + 1},
		"the zero ID":                   {Scope: report.AnyOrganization()},
		"a negative ID of organization": {Scope: report.InOrganization(acme), ReviewID: -1},
	} {
		_, err := f.reviews.Withdraw(t.Context(), req)
		require.ErrorIs(t, err, report.ErrReviewNotFound, reason)
	}
}

func TestWithdrawRequest_Validate(t *testing.T) {
	t.Parallel()
	err := report.WithdrawRequest{Actor: -1, Reason: "\x00"}.Validate()
	require.EqualError(t, err, "invalid input: organizationId: must be from 1 to 2^53-1; "+
		"actor: must be a user's id; reason: must be valid UTF-8 without NUL")
	req := report.WithdrawRequest{Scope: report.InOrganization(acme), Reason: strings.Repeat("x", report.MaxComment)}
	require.NoError(t, req.Validate())
	req.Reason += "x"
	require.EqualError(t, req.Validate(), "invalid input: reason: must be at most 10000 bytes long")
	f := newFixture(t)
	_, err = f.reviews.Withdraw(t.Context(), req)
	require.ErrorIs(t, err, asset.ErrInvalid)
}

func TestWithdrawCommand_Apply(t *testing.T) {
	t.Parallel()
	cmd := report.WithdrawCommand{
		WithdrawRequest: report.WithdrawRequest{ReviewID: 1, Actor: 5, Reason: "mistaken"},
		At:              noon.Add(time.Microsecond),
	}
	kept := report.Review{ID: 1, ProposalID: 2, Status: approve, ReviewedBy: 3, Comment: "sure", ReviewedAt: noon.Add(-time.Hour), ChangeID: 4}
	want := kept
	want.WithdrawnAt, want.WithdrawnBy, want.WithdrawnReason = noon, 5, "mistaken"

	got, err := cmd.Apply(report.Withdrawal{ReportID: 12, Review: kept})
	require.NoError(t, err)
	require.Equal(t, report.WithdrawResult{
		Review: want,
		Origin: asset.Origin{Cause: asset.CauseWithdrawal, Actor: 5, Reference: "report/12"},
	}, got)
	_, err = cmd.Apply(report.Withdrawal{Review: got.Review})
	require.ErrorIs(t, err, report.ErrWithdrawn)
	for _, status := range []report.ReviewStatus{skip, escalate} {
		_, err = cmd.Apply(report.Withdrawal{Review: report.Review{ID: 1, Status: status}})
		require.ErrorIs(t, err, report.ErrNotDecision, status)
	}
}

// A withdrawal without a reason is always possible.
func TestWithdrawCommand_Apply_room(t *testing.T) {
	t.Parallel()
	w := report.Withdrawal{
		Review: report.Review{ID: 1, Status: approve},
		Total:  report.ReviewTotal{Reviews: report.MaxReviews, Bytes: report.MaxTotalReviewBytes - 1},
	}
	for reason, want := range map[string]error{"": nil, "x": nil, "xx": report.ErrTooManyReviews} {
		_, err := report.WithdrawCommand{WithdrawRequest: report.WithdrawRequest{Reason: reason}}.Apply(w)
		require.Equal(t, want, err, reason)
	}
	w.Total.Bytes += report.MaxComment
	_, err := report.WithdrawCommand{}.Apply(w)
	require.NoError(t, err)
}

func TestWithdrawCommand_Apply_reverts(t *testing.T) {
	t.Parallel()
	decided := report.Review{ID: 3, Status: approve, DecidedAt: noon}
	decision := func(since time.Time) *asset.Decision {
		return &asset.Decision{Status: asset.StatusBlocked, Since: since}
	}
	for reason, c := range map[string]struct {
		withdrawn, effective report.Review
		decision             *asset.Decision
		want                 bool
	}{
		"an approval alone":                              {decided, report.Review{}, decision(noon), true},
		"an approval, and a SKIP is left":                {decided, report.Review{ID: 4, Status: skip}, decision(noon), true},
		"an approval under a rejection":                  {decided, report.Review{ID: 4, Status: reject}, decision(noon), true},
		"another approval is in effect":                  {decided, report.Review{ID: 4, Status: approve}, decision(noon), false},
		"operators have decided since":                   {decided, report.Review{}, decision(noon.Add(time.Millisecond)), false},
		"operators hold nothing any more":                {decided, report.Review{}, nil, false},
		"an approval that decided nothing":               {report.Review{ID: 3, Status: approve}, report.Review{}, decision(noon), false},
		"an approval that decided nothing, nor others":   {report.Review{ID: 3, Status: approve}, report.Review{}, nil, false},
		"a rejection":                                    {report.Review{ID: 3, Status: reject}, report.Review{}, decision(noon), false},
		"a rejection over an approval that counts again": {report.Review{ID: 3, Status: reject}, decided, decision(noon), false},
	} {
		got, err := report.WithdrawCommand{}.Apply(report.Withdrawal{Review: c.withdrawn, Effective: c.effective, Held: asset.Held{Operators: c.decision}})
		require.NoError(t, err, reason)
		require.Equal(t, c.want, got.Reverts, reason)
	}
}

// Whatever happened before, an approval that is withdrawn at once leaves the asset and
// the proposal as they were.
func TestReviewService_Withdraw_law(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		var (
			ctx     = t.Context()
			any     = report.AnyOrganization()
			store   = memory.New()
			reports = report.NewService(store, report.Options{})
			reviews = report.NewReviewService(store, report.Options{})
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
				_, err = reviews.Review(ctx, report.ReviewRequest{
					Scope: any, ProposalID: proposal.ID, Status: rapid.SampledFrom(report.ReviewStatuses()).Draw(rt, "review"),
				})
				require.NoError(rt, err)
			case "withdraw":
				_, err = reviews.Withdraw(ctx, report.WithdrawRequest{Scope: any, ReviewID: rapid.Int64Range(1, 6).Draw(rt, "withdrawn")})
				if err != nil {
					require.NotErrorIs(rt, err, asset.ErrInvalid)
				}
			default:
				_, err = assets.SetStatus(ctx, asset.SetStatusRequest{Identity: proposal.Asset.Identity, Status: status.Draw(rt, "status")})
				require.NoError(rt, err)
			}
		}
		before, err := reports.Get(ctx, any, filed.ID)
		require.NoError(rt, err)
		approved, err := reviews.Review(ctx, report.ReviewRequest{Scope: any, ProposalID: proposal.ID, Status: approve})
		require.NoError(rt, err)
		after, err := reviews.Withdraw(ctx, report.WithdrawRequest{Scope: any, ReviewID: approved.Proposals[0].ReviewID})
		require.NoError(rt, err)
		if before.Proposals[0].ReviewStatus == approve {
			require.Equal(rt, approved.Proposals[0].Asset, after.Proposals[0].Asset, "the approval before is in effect")
			after.Proposals[0].Asset = before.Proposals[0].Asset
		}
		after.UpdatedAt = before.UpdatedAt
		require.Equal(rt, before, after.Report)
	})
}

// A withdrawal undoes no decision but that of the withdrawn approval.
func TestWithdrawCommand_Apply_revertsLaws(t *testing.T) {
	t.Parallel()
	review := rapid.SampledFrom(append(report.ReviewStatuses(), ""))
	when := rapid.SampledFrom([]time.Time{{}, noon, noon.Add(time.Millisecond)})
	rapid.Check(t, func(t *rapid.T) {
		withdrawn := report.Review{ID: 2, Status: review.Draw(t, "withdrawn"), DecidedAt: when.Draw(t, "decided")}
		effective := report.Review{ID: rapid.Int64Range(0, 3).Draw(t, "effective id"), Status: review.Draw(t, "effective")}
		w := report.Withdrawal{Review: withdrawn, Effective: effective}
		if since := when.Draw(t, "since"); !since.IsZero() {
			w.Held.Operators = &asset.Decision{Since: since}
		}
		got, err := report.WithdrawCommand{}.Apply(w)
		if err != nil {
			require.False(t, withdrawn.Status.Decides())
			return
		}
		if got.Reverts {
			require.NotNil(t, w.Held.Operators)
			require.Equal(t, withdrawn.DecidedAt, w.Held.Operators.Since)
			require.NotEqual(t, approve, effective.Status)
		}
	})
}
