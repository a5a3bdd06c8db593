package storagetest

import (
	"slices"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/step"
)

func (p *probe) pruneReports(cmd report.PruneCommand) step.Pruned[int64] {
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

func (m *machine) pruneReportsRandomly(t *rapid.T) {
	cmd := report.PruneCommand{
		Scope:  anyScope.Draw(t, "scope"),
		Before: anyBound.Draw(t, "before"),
		After:  rapid.Int64Range(0, m.last["report"]).Draw(t, "after"),
		Limit:  rapid.IntRange(1, 4).Draw(t, "limit"),
		Audit:  m.anyAct(t),
	}
	want := step.Pruned[int64]{Next: cmd.After}
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
	m.model.tell(cmd.Entry(want.Removed))
	m.compareReports(cmd.Scope)
	m.compareReviews()
}
