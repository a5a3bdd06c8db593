package report_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
)

const (
	approve  = report.ReviewApprove
	reject   = report.ReviewReject
	skip     = report.ReviewSkip
	escalate = report.ReviewEscalate
)

// reviews returns reviews with these statuses, numbered from 1.
func reviews(statuses ...report.ReviewStatus) []report.Review {
	list := make([]report.Review, len(statuses))
	for i, status := range statuses {
		list[i] = report.Review{ID: int64(i + 1), Status: status}
	}
	return list
}

func TestStanding(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		reviews   []report.ReviewStatus
		withdrawn []int64
		want      int64
	}{
		"no review":                               {nil, nil, 0},
		"a single one, that decides nothing":      {[]report.ReviewStatus{skip}, nil, 1},
		"the last of several that decide nothing": {[]report.ReviewStatus{skip, escalate}, nil, 2},
		"a decision over an earlier SKIP":         {[]report.ReviewStatus{skip, reject}, nil, 2},
		"a decision over a later ESCALATE":        {[]report.ReviewStatus{approve, escalate}, nil, 1},
		"the last decision":                       {[]report.ReviewStatus{approve, reject, skip}, nil, 2},
		"the decision before a withdrawn one":     {[]report.ReviewStatus{approve, reject}, []int64{2}, 1},
		"the last SKIP when no decision is left":  {[]report.ReviewStatus{skip, approve, skip, reject}, []int64{2, 4}, 3},
		"none when all are withdrawn":             {[]report.ReviewStatus{approve, reject}, []int64{1, 2}, 0},
	} {
		list := reviews(c.reviews...)
		for _, id := range c.withdrawn {
			list[id-1].WithdrawnAt = noon
		}
		require.Equal(t, c.want, report.Standing(list).ID, reason)
	}
}

// anyReviews draws reviews of one proposal, some of them withdrawn.
var anyReviews = rapid.Custom(func(t *rapid.T) []report.Review {
	list := reviews(rapid.SliceOfN(rapid.SampledFrom(report.ReviewStatuses()), 0, 8).Draw(t, "statuses")...)
	for i := range list {
		if list[i].Status.Decides() && rapid.Bool().Draw(t, "withdrawn") {
			list[i].WithdrawnAt = noon
		}
	}
	return list
})

func TestLawsOfStanding(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		list := anyReviews.Draw(t, "reviews")
		standing := report.Standing(list)

		require.Equal(t, standing, report.Standing(rapid.Permutation(list).Draw(t, "in another order")), "the order does not matter")
		for _, review := range list {
			if review.Withdrawn() {
				continue
			}
			require.NotZero(t, standing.ID, "one stands as long as one is left")
			require.False(t, standing.Withdrawn())
			require.True(t, standing.Status.Decides() || !review.Status.Decides(), "what decides nothing stands under no decision")
			if review.Status.Decides() == standing.Status.Decides() {
				require.LessOrEqual(t, review.ID, standing.ID, "a later one is %s", review.Status)
			}
		}
		for i, review := range list {
			if !review.Withdrawn() && review.ID != standing.ID {
				without := slices.Delete(slices.Clone(list), i, i+1)
				require.Equal(t, standing, report.Standing(without), "what does not stand can be taken away")
			}
		}
		next := report.Review{ID: int64(len(list) + 1), Status: rapid.SampledFrom(report.ReviewStatuses()).Draw(t, "next")}
		all := append(slices.Clone(list), next)
		require.Equal(t, report.Standing([]report.Review{standing, next}), report.Standing(all), "a new one is weighed against the standing one alone")
		if next.Status.Decides() {
			require.Equal(t, next, report.Standing(all), "a new decision stands")
			next.WithdrawnAt = noon
			all[len(list)] = next
			require.Equal(t, standing, report.Standing(all), "a decision and its withdrawal leave what stood")
		}
	})
}

func TestUpdatedAt(t *testing.T) {
	t.Parallel()
	require.Equal(t, noon.Add(time.Hour), asset.UpdatedAt(noon, noon.Add(time.Hour+time.Microsecond)), "in whole milliseconds")
	require.Equal(t, noon, asset.UpdatedAt(noon, noon))
	require.Equal(t, noon, asset.UpdatedAt(noon, noon.Add(-time.Hour)), "the clock was set back")
}

func TestVisible(t *testing.T) {
	t.Parallel()
	require.True(t, report.Visible(acme, acme))
	require.True(t, report.Visible(acme, 0), "0 asks for that of any organization")
	require.False(t, report.Visible(acme, globex))
}

func TestWithdrawalOf(t *testing.T) {
	t.Parallel()
	withdrawal := report.Withdrawal{ReviewID: 1, By: 5, Reason: "mistaken", At: noon.Add(time.Microsecond)}
	kept := report.Review{ID: 1, ProposalID: 2, Status: approve, By: 3, Comment: "sure", At: noon.Add(-time.Hour)}
	want := kept
	want.WithdrawnAt, want.WithdrawnBy, want.WithdrawnReason = noon, 5, "mistaken"

	got, err := withdrawal.Of(kept)
	require.NoError(t, err)
	require.Equal(t, want, got)
	_, err = withdrawal.Of(got)
	require.ErrorIs(t, err, report.ErrWithdrawn)
	for _, status := range []report.ReviewStatus{skip, escalate} {
		_, err = withdrawal.Of(report.Review{ID: 1, Status: status})
		require.ErrorIs(t, err, report.ErrNotDecision, status)
	}
	require.Equal(t, asset.Origin{Cause: asset.CauseWithdrawal, Actor: 5, Reference: "report/12"}, withdrawal.Origin(12))
}

func TestEscalationDrafts(t *testing.T) {
	t.Parallel()
	escalation := report.Escalation{OrganizationID: acme, ReportID: 1, By: 5, Comment: "too hard", At: noon}
	proposals := []report.Proposal{
		{ID: 1, ReviewStatus: approve}, {ID: 2}, {ID: 3, ReviewStatus: skip}, {ID: 4, ReviewStatus: reject}, {ID: 5, ReviewStatus: escalate},
	}
	got, err := escalation.Drafts(proposals)
	require.NoError(t, err)
	require.Len(t, got, 3)
	for i, proposal := range []int64{2, 3, 5} {
		require.Equal(t, report.ReviewDraft{
			OrganizationID: acme, ProposalID: proposal, Status: escalate, By: 5, Comment: "too hard", At: noon,
		}, got[i])
	}
	for reason, proposals := range map[string][]report.Proposal{
		"no proposal at all":  nil,
		"all are decided now": {proposals[0], proposals[3]},
	} {
		_, err := escalation.Drafts(proposals)
		require.ErrorIs(t, err, report.ErrDecided, reason)
	}
}
