package memory

import (
	"cmp"
	"context"
	"slices"

	"github.com/apguard/apguard/report"
)

// Reports implements [report.Store].
func (s *Store) Reports(ctx context.Context, req report.ListRequest) ([]report.Report, error) {
	return read(ctx, s, func(t *tables) ([]report.Report, error) {
		rows := t.reportsByID
		if organizationID, single := req.Scope.OrganizationID(); single {
			rows = t.reportsByOrganization[organizationID]
		}
		var page []report.Report
		for i, row := range slices.Backward(reportsBelow(rows, req.Cursor)) {
			if len(page) >= req.Limit {
				break
			}
			if err := checkScan(ctx, i); err != nil {
				return nil, err
			}
			if full := t.fullReport(row); req.Filter.Match(full) {
				page = append(page, full)
			}
		}
		return page, nil
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
