package memory

import (
	"context"
	"slices"

	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/step"
)

// PruneReports implements [report.ReviewStore].
func (s *Store) PruneReports(ctx context.Context, cmd report.PruneCommand) (step.Pruned[int64], error) {
	return write(ctx, s, func(t *tables) (step.Pruned[int64], error) {
		rows := t.reportsByID
		if id, one := cmd.Scope.OrganizationID(); one {
			rows = t.reportsByOrganization[id]
		}
		rows = above(rows, cmd.After, func(row *reportRow) int64 { return row.report.ID })
		rows = rows[:min(cmd.Limit, len(rows))]
		result := step.Pruned[int64]{Next: cmd.After, Done: len(rows) < cmd.Limit}
		for _, row := range rows {
			result.Next = row.report.ID
			if cmd.Removes(row.report) {
				t.removeReport(row)
				result.Removed++
			}
		}
		removed := func(row *reportRow) bool { return t.reports[row.report.ID] == nil }
		t.reportsByID = slices.DeleteFunc(t.reportsByID, removed)
		for id, rows := range t.reportsByOrganization {
			t.reportsByOrganization[id] = slices.DeleteFunc(rows, removed)
		}
		t.record(cmd.Entry(result.Removed))
		return result, nil
	})
}

// removeReport removes a report with its proposals and reviews from all maps.
func (t *tables) removeReport(row *reportRow) {
	delete(t.reports, row.report.ID)
	for _, p := range row.proposals {
		delete(t.proposals, p.proposal.ID)
		for _, review := range p.reviews {
			delete(t.reviews, review.review.ID)
		}
	}
}
