package report_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

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

func TestEffectiveReview(t *testing.T) {
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
		require.Equal(t, c.want, report.EffectiveReview(list).ID, reason)
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

func TestEffectiveReview_laws(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		list := anyReviews.Draw(t, "reviews")
		effective := report.EffectiveReview(list)

		require.Equal(t, effective, report.EffectiveReview(rapid.Permutation(list).Draw(t, "in another order")), "the order does not matter")
		for _, review := range list {
			if review.Withdrawn() {
				continue
			}
			require.NotZero(t, effective.ID, "one is in effect as long as one is left")
			require.False(t, effective.Withdrawn())
			require.True(t, effective.Status.Decides() || !review.Status.Decides(), "a decision outweighs what decides nothing")
			if review.Status.Decides() == effective.Status.Decides() {
				require.LessOrEqual(t, review.ID, effective.ID, "a later one is %s", review.Status)
			}
		}
		for i, review := range list {
			if !review.Withdrawn() && review.ID != effective.ID {
				without := slices.Delete(slices.Clone(list), i, i+1)
				require.Equal(t, effective, report.EffectiveReview(without), "what is not in effect can be taken away")
			}
		}
		shown := report.Proposal{}.Showing(effective)
		next := report.Review{ID: int64(len(list) + 1), Status: rapid.SampledFrom(report.ReviewStatuses()).Draw(t, "next")}
		all := append(slices.Clone(list), next)
		require.Equal(t, report.Proposal{}.Showing(report.EffectiveReview(all)), next.Apply(shown), "a new one is weighed against the shown one alone")
		if next.Status.Decides() {
			require.Equal(t, next, report.EffectiveReview(all), "a new decision is in effect")
			next.WithdrawnAt = noon
			all[len(list)] = next
			require.Equal(t, effective, report.EffectiveReview(all), "a decision and its withdrawal leave what was in effect")
		}
	})
}
