package pending_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/pending"
	"github.com/apguard/apguard/report"
)

// protectedPages are protected in the fixture, and not by entries of allowlists.
var protectedPages = []string{"github.io", "bank.com"}

// Whatever operators ask for, approve and reject, a protected asset becomes BLOCKED only when two of them have acted, and
// each approved act is executed once.
func TestService_law(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		f := newFixture(t.Context(), rt)
		f.addList("evil.example.com\n")
		contents := rapid.SampledFrom(append([]string{"evil.example.com"}, protectedPages...))
		operators := rapid.Int64Range(0, cyd)
		acts := rapid.Int64Range(1, 6)
		var proposals []int64
		rt.Repeat(map[string]func(*rapid.T){
			"set": func(rt *rapid.T) {
				_, _ = f.Assets.SetStatus(f.ctx, asset.SetStatusRequest{
					Identity: page(contents.Draw(rt, "content")), Status: rapid.SampledFrom(asset.Statuses()).Draw(rt, "status"),
					Origin: asset.Origin{Actor: operators.Draw(rt, "actor")}, ConfirmProtected: rapid.Bool().Draw(rt, "confirm"),
				})
			},
			"set several": func(rt *rapid.T) {
				req := asset.SetStatusesRequest{
					Origin: asset.Origin{Actor: operators.Draw(rt, "actor")}, ConfirmProtected: rapid.Bool().Draw(rt, "confirm"),
					DryRun: rapid.Bool().Draw(rt, "dry"), NotPending: rapid.Bool().Draw(rt, "import"),
				}
				for _, content := range rapid.SliceOfN(contents, 1, 3).Draw(rt, "contents") {
					req.Items = append(req.Items, asset.StatusItem{Identity: page(content), Status: asset.StatusBlocked})
				}
				_, _ = f.Assets.SetStatuses(f.ctx, req)
			},
			"file": func(rt *rapid.T) {
				filed, err := f.Reports.File(f.ctx, report.FileRequest{OrganizationID: 7, Proposals: []report.ProposalRequest{
					{Content: contents.Draw(rt, "content"), ProposedStatus: rapid.SampledFrom(asset.Statuses()).Draw(rt, "status")},
				}})
				require.NoError(rt, err)
				proposals = append(proposals, filed.Proposals[0].ID)
			},
			"review": func(rt *rapid.T) {
				if len(proposals) == 0 {
					return
				}
				_, _ = f.Reviews.Review(f.ctx, report.ReviewRequest{
					Scope: report.AnyOrganization(), ProposalID: rapid.SampledFrom(proposals).Draw(rt, "proposal"), Status: report.ReviewApprove,
					Actor: operators.Draw(rt, "actor"), ConfirmProtected: rapid.Bool().Draw(rt, "confirm"),
				})
			},
			"sync": func(rt *rapid.T) {
				_ = f.sync("github.io\nbank.com\nevil.example.com\n", lists.SyncRequest{Actor: operators.Draw(rt, "actor"), Confirm: true})
			},
			"approve": func(rt *rapid.T) { _ = f.approve(acts.Draw(rt, "act"), operators.Draw(rt, "actor")) },
			"reject":  func(rt *rapid.T) { _ = f.reject(acts.Draw(rt, "act"), operators.Draw(rt, "actor")) },
			"wait": func(rt *rapid.T) {
				*f.now = f.now.Add(time.Duration(rapid.IntRange(1, 13).Draw(rt, "hours")) * time.Hour)
			},
			"": func(*rapid.T) { require.Equal(rt, f.blockedByTwo(), f.becameBlocked()) },
		})
	})
}

// blocked is that a protected asset became BLOCKED.
type blocked struct {
	canonical string
	actor     int64
	at        time.Time
}

// becameBlocked returns when protected assets became BLOCKED, and how often.
func (f fixture) becameBlocked() map[blocked]int {
	found := make(map[blocked]int)
	for _, canonical := range protectedPages {
		changes, err := f.Assets.ListChanges(f.ctx, asset.ListChangesRequest{Filter: asset.ChangeFilter{Identity: page(canonical)}, Limit: asset.MaxLimit})
		require.NoError(f.t, err)
		for _, change := range changes.Changes {
			if change.To == asset.StatusBlocked {
				found[blocked{canonical, change.Origin.Actor, change.At}]++
			}
		}
	}
	return found
}

// blockedByTwo returns what acts say that two operators have approved.
func (f fixture) blockedByTwo() map[blocked]int {
	found := make(map[blocked]int)
	acts, err := f.Pending.List(f.ctx, pending.ListRequest{State: pending.StateApproved, Limit: pending.MaxLimit})
	require.NoError(f.t, err)
	require.False(f.t, acts.More)
	for _, act := range acts.Items {
		require.NotZero(f.t, act.Actor)
		require.NotZero(f.t, act.DecidedBy)
		require.NotEqual(f.t, act.Actor, act.DecidedBy)
		for _, one := range act.Assets {
			if one.Status != asset.StatusBlocked {
				found[blocked{one.Identity.Canonical, act.Actor, act.DecidedAt}]++
			}
		}
	}
	return found
}
