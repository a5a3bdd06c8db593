package report_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
)

func TestAftermath(t *testing.T) {
	t.Parallel()
	const (
		unknown = asset.StatusUnknown
		allowed = asset.StatusAllowed
		blocked = asset.StatusBlocked
	)
	effect := report.Effect{ChangeID: 7, From: unknown, Since: 3}
	for reason, c := range map[string]struct {
		after report.Aftermath
		want  asset.Status
	}{
		"an approval alone": {
			report.Aftermath{Withdrawn: approve, Effect: effect, LastChange: 7, Proposed: blocked, Now: blocked}, unknown,
		},
		"an approval, and a SKIP is left": {
			report.Aftermath{Withdrawn: approve, Standing: stands(4, skip), Effect: effect, LastChange: 7, Proposed: blocked, Now: blocked}, unknown,
		},
		"an approval under a rejection": {
			report.Aftermath{Withdrawn: approve, Standing: stands(4, reject), Effect: effect, LastChange: 7, Proposed: blocked, Now: blocked}, unknown,
		},
		"another approval stands": {
			report.Aftermath{Withdrawn: approve, Standing: stands(4, approve), LastApproval: 4, Effect: effect, LastChange: 7, Proposed: blocked, Now: blocked}, blocked,
		},
		"an approval since the change is left under a rejection": {
			report.Aftermath{Withdrawn: approve, Standing: stands(5, reject), LastApproval: 3, Effect: effect, LastChange: 7, Proposed: blocked, Now: blocked}, blocked,
		},
		"an approval from before the change is left under a rejection": {
			report.Aftermath{Withdrawn: approve, Standing: stands(5, reject), LastApproval: 2, Effect: effect, LastChange: 7, Proposed: blocked, Now: blocked}, unknown,
		},
		"a rejection over an approval that stands again": {
			report.Aftermath{Withdrawn: reject, Standing: stands(4, approve), LastApproval: 4, Effect: effect, LastChange: 7, Proposed: blocked, Now: blocked}, blocked,
		},
		"a rejection over another one": {
			report.Aftermath{Withdrawn: reject, Standing: stands(4, reject), Effect: effect, LastChange: 7, Proposed: blocked, Now: blocked}, blocked,
		},
		"a rejection alone, of an asset that was put back": {
			report.Aftermath{Withdrawn: reject, LastChange: 8, Proposed: blocked, Now: unknown}, unknown,
		},
		"an approval that changed nothing": {
			report.Aftermath{Withdrawn: approve, LastChange: 7, Proposed: blocked, Now: blocked}, blocked,
		},
		"an approval that changed nothing, of an asset without changes": {
			report.Aftermath{Withdrawn: approve, Proposed: unknown, Now: unknown}, unknown,
		},
		"the asset was changed since": {
			report.Aftermath{Withdrawn: approve, Effect: effect, LastChange: 8, Proposed: blocked, Now: allowed}, allowed,
		},
		"the asset was changed since and back again": {
			report.Aftermath{Withdrawn: approve, Effect: effect, LastChange: 9, Proposed: blocked, Now: blocked}, blocked,
		},
		"the change was pruned, and an earlier one was not": {
			report.Aftermath{Withdrawn: approve, Effect: effect, LastChange: 6, Proposed: blocked, Now: blocked}, blocked,
		},
		"the asset has another status without a change, by the hand of the host": {
			report.Aftermath{Withdrawn: approve, Effect: effect, LastChange: 7, Proposed: blocked, Now: allowed}, allowed,
		},
	} {
		got, left := c.after.Settle()
		require.Equal(t, c.want, got, reason)
		if got == c.after.Now {
			require.Equal(t, c.after.Effect, left, reason)
		} else {
			require.Zero(t, left, reason)
		}
	}
}

func TestLastApproval(t *testing.T) {
	t.Parallel()
	withdrawn := stands(9, approve)
	withdrawn.WithdrawnAt = noon
	for reason, c := range map[string]struct {
		reviews []report.Review
		want    int64
	}{
		"no review":                   {nil, 0},
		"no approval":                 {[]report.Review{stands(1, reject), stands(2, skip), stands(3, escalate)}, 0},
		"a withdrawn approval":        {[]report.Review{withdrawn}, 0},
		"one before a withdrawn one":  {[]report.Review{stands(3, approve), withdrawn}, 3},
		"one that a rejection covers": {[]report.Review{stands(3, approve), stands(4, reject)}, 3},
		"several, in any order":       {[]report.Review{stands(4, approve), stands(5, approve), stands(3, approve)}, 5},
	} {
		require.Equal(t, c.want, report.LastApproval(c.reviews), reason)
	}
}

func stands(id int64, status report.ReviewStatus) report.Review {
	return report.Review{ID: id, Status: status}
}

// What an older approval holds from now on begins with it.
func TestAnOlderApprovalTakesOver(t *testing.T) {
	t.Parallel()
	after := report.Aftermath{
		Withdrawn: approve, Standing: stands(2, approve), LastApproval: 2,
		Effect:     report.Effect{ChangeID: 7, From: asset.StatusUnknown, Since: 3},
		LastChange: 7, Proposed: asset.StatusBlocked, Now: asset.StatusBlocked,
	}
	status, effect := after.Settle()
	require.Equal(t, asset.StatusBlocked, status)
	require.Equal(t, report.Effect{ChangeID: 7, From: asset.StatusUnknown, Since: 2}, effect)
}

// A withdrawal leaves the asset or gives it the status from before, and the latter
// only for an approval whose change is the last.
func TestLawsOfAftermath(t *testing.T) {
	t.Parallel()
	status := rapid.SampledFrom(asset.Statuses())
	review := rapid.SampledFrom(append(report.ReviewStatuses(), ""))
	id := rapid.Int64Range(0, 3)
	rapid.Check(t, func(t *rapid.T) {
		after := report.Aftermath{
			Withdrawn:    review.Draw(t, "withdrawn"),
			Standing:     stands(id.Draw(t, "standing id"), review.Draw(t, "standing")),
			LastApproval: id.Draw(t, "last approval"),
			Effect:       report.Effect{ChangeID: id.Draw(t, "change"), From: status.Draw(t, "from"), Since: id.Draw(t, "since")},
			LastChange:   id.Draw(t, "last change"),
			Proposed:     status.Draw(t, "proposed"),
			Now:          status.Draw(t, "now"),
		}
		got, _ := after.Settle()
		if got == after.Now {
			return
		}
		require.Equal(t, after.Effect.From, got)
		require.Equal(t, after.Proposed, after.Now)
		require.Equal(t, after.Effect.ChangeID, after.LastChange)
		require.NotZero(t, after.LastChange)
		require.Equal(t, approve, after.Withdrawn)
		require.NotEqual(t, approve, after.Standing.Status)
		require.Less(t, after.LastApproval, after.Effect.Since)
	})
}

func TestWhatAWithdrawalCanConcern(t *testing.T) {
	t.Parallel()
	changed := report.Effect{ChangeID: 7, From: asset.StatusUnknown, Since: 3}
	for _, status := range report.ReviewStatuses() {
		require.Equal(t, status == report.ReviewApprove, changed.Concerns(status), status)
		require.False(t, report.Effect{}.Concerns(status), "%s without an effect", status)
	}
}
