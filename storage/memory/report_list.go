package memory

import (
	"cmp"
	"context"
	"slices"

	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/step"
)

// Reports implements [report.Store].
func (s *Store) Reports(ctx context.Context, req report.ListRequest) (report.Page, error) {
	return read(ctx, s, func(t *tables) (report.Page, error) {
		rows := t.reportsByID
		if organizationID, single := req.Scope.OrganizationID(); single {
			rows = t.reportsByOrganization[organizationID]
		}
		var last int64
		found, err := step.ReadPage(req.Limit, func(yield func(report.Report, error) bool) {
			var examined int
			var previous int64
			for i, row := range slices.Backward(reportsBelow(rows, req.Cursor)) {
				if err := checkScan(ctx, i); err != nil {
					yield(report.Report{}, err)
					return
				}
				if !req.Examines(row.report) {
					continue
				}
				if examined == report.MaxScan {
					last = previous
					return
				}
				examined, previous = examined+1, row.report.ID
				if full := t.fullReport(row); req.Filter.Match(full) && !yield(full, nil) {
					return
				}
			}
		})
		return report.NewPage(found, last), err
	})
}

// reportsBelow returns the reports with an ID below the cursor, or all if it is 0.
func reportsBelow(rows []*reportRow, cursor int64) []*reportRow {
	if cursor == 0 {
		return rows
	}
	end, _ := slices.BinarySearchFunc(rows, cursor, func(row *reportRow, id int64) int {
		return cmp.Compare(row.report.ID, id)
	})
	return rows[:end]
}
