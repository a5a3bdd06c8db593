package storagetest

import (
	"slices"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
)

func (p *probe) pruneReports(cmd report.PruneCommand) asset.Pruned[int64] {
	p.Helper()
	result, err := p.PruneReports(p.Context(), cmd)
	require.NoError(p, err, "PruneReports")
	return result
}

// closedReport files a report of an organization on asset n that is closed at a time.
func (p *probe) closedReport(organizationID int64, n int, closed time.Time) report.Report {
	p.Helper()
	cmd := fileCommand("closed", n)
	cmd.OrganizationID = organizationID
	filed := p.file(cmd)
	got, err := addReview(p.Context(), p, report.Review{ProposalID: filed.Proposals[0].ID, Status: report.ReviewReject, ReviewedAt: closed})
	require.NoError(p, err)
	return got
}

func reportPruneChecks() []requirement {
	anyone := report.AnyOrganization()
	return []requirement{
		{"closed reports before the time are removed with their reviews, others stay", func(p *probe) {
			open := p.file(fileCommand("open", 1))
			old, newer := p.closedReport(1, 1, at(10)), p.closedReport(1, 1, at(20))
			require.Equal(p, asset.Pruned[int64]{Next: newer.ID, Done: true}, p.pruneReports(report.PruneCommand{Scope: anyone, Before: at(10), Limit: 10}))
			pruned := p.pruneReports(report.PruneCommand{Scope: anyone, Before: at(10).Add(time.Microsecond), Limit: 10})
			require.Equal(p, asset.Pruned[int64]{Removed: 1, Next: newer.ID, Done: true}, pruned)
			_, err := p.ReportByID(p.Context(), anyone, old.ID)
			require.ErrorIs(p, err, report.ErrNotFound)
			_, err = p.Reviews(p.Context(), anyone, old.Proposals[0].ID, 0, 10)
			require.ErrorIs(p, err, report.ErrProposalNotFound)
			_, err = p.WithdrawReview(p.Context(), withdrawCommand(1, at(30)))
			require.ErrorIs(p, err, report.ErrReviewNotFound)
			kept := p.reports(1, report.Filter{})
			require.Len(p, kept, 2)
			require.Equal(p, newer, kept[0])
			require.Equal(p, open, kept[1])
			later := p.closedReport(1, 1, at(30))
			require.Greater(p, later.ID, newer.ID)
			require.Greater(p, later.Proposals[0].ID, newer.Proposals[0].ID)
			require.Greater(p, later.Proposals[0].ReviewID, newer.Proposals[0].ReviewID)
		}},
		{"only reports of the scope are examined, up to the limit", func(p *probe) {
			for n := range 4 {
				p.closedReport(1, n, at(10))
				p.closedReport(2, n, at(10))
			}
			cmd := report.PruneCommand{Scope: report.InOrganization(1), Before: maxTime, Limit: 3}
			first := p.pruneReports(cmd)
			require.Equal(p, 3, first.Removed)
			require.False(p, first.Done)
			cmd.After = first.Next
			require.Equal(p, 1, p.pruneReports(cmd).Removed)
			require.Empty(p, p.reports(1, report.Filter{}))
			require.Len(p, p.reports(2, report.Filter{}), 4)
			require.Equal(p, asset.Pruned[int64]{Done: true}, p.pruneReports(report.PruneCommand{Before: maxTime, Limit: 3}), "the zero scope")
		}},
	}
}

func (m *machine) pruneReportsRandomly(t *rapid.T) {
	cmd := report.PruneCommand{
		Scope:  anyScope.Draw(t, "scope"),
		Before: anyBound.Draw(t, "before"),
		After:  rapid.Int64Range(0, m.last["report"]).Draw(t, "after"),
		Limit:  rapid.IntRange(1, 4).Draw(t, "limit"),
	}
	want := asset.Pruned[int64]{Next: cmd.After}
	examined, removed, proposals := 0, make(map[int64]bool), make(map[int64]bool)
	for _, r := range m.model.reports { // ordered by ID
		if r.ID <= cmd.After || examined == cmd.Limit || !cmd.Scope.Contains(r.OrganizationID) {
			continue
		}
		examined++
		want.Next = r.ID
		if removed[r.ID] = r.Status == report.StatusClosed && r.UpdatedAt.Before(cmd.Before); removed[r.ID] {
			want.Removed++
			for _, p := range r.Proposals {
				proposals[p.ID] = true
			}
		}
	}
	want.Done = examined < cmd.Limit
	m.model.reports = slices.DeleteFunc(m.model.reports, func(r report.Report) bool { return removed[r.ID] })
	m.model.reviews = slices.DeleteFunc(m.model.reviews, func(r report.Review) bool { return proposals[r.ProposalID] })
	require.Equal(m, want, m.pruneReports(cmd), "PruneReports with %+v", cmd)
	m.compareReports(cmd.Scope)
	m.compareReviews()
}
