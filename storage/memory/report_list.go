package memory

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"time"

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
			for i, row := range reportsAfter(rows, req) {
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

// reportsAfter yields the reports after the cursor of the request, in its order.
func reportsAfter(rows []*reportRow, req report.ListRequest) iter.Seq2[int, *reportRow] {
	if req.OldestFirst {
		return slices.All(above(rows, req.Cursor, func(row *reportRow) int64 { return row.report.ID }))
	}
	end := len(rows)
	if req.Cursor != 0 {
		end, _ = slices.BinarySearchFunc(rows, req.Cursor, func(row *reportRow, id int64) int {
			return cmp.Compare(row.report.ID, id)
		})
	}
	return slices.Backward(rows[:end])
}

// ReportBacklog implements [report.ReviewStore].
func (s *Store) ReportBacklog(ctx context.Context, scope report.Scope) (report.Backlog, error) {
	return read(ctx, s, func(t *tables) (report.Backlog, error) {
		var backlog report.Backlog
		count, oldest := make(map[report.Status]int), make(map[report.Status]time.Time)
		for _, row := range slices.Backward(t.reportsByID) {
			if r := row.report; scope.Contains(r.OrganizationID) {
				count[r.Status]++
				oldest[r.Status] = r.CreatedAt
			}
		}
		for status, n := range count {
			backlog.Add(status, n, oldest[status])
		}
		return backlog, nil
	})
}
