package sqlstore

import (
	"context"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/step"
)

// PruneReports implements report.ReviewStore.
func (s *Store) PruneReports(ctx context.Context, cmd report.PruneCommand) (step.Pruned[int64], error) {
	return write(ctx, s, "prune reports", func(ctx context.Context, on session) (step.Pruned[int64], error) {
		found, err := collect(ctx, on, s.dialect.ReportsToPrune(cmd), scanClosingReport)
		if err != nil {
			return step.Pruned[int64]{}, err
		}
		result := step.Pruned[int64]{Next: cmd.After, Done: len(found) < cmd.Limit}
		var removed []int64
		for _, r := range found {
			result.Next = r.ID
			if cmd.Removes(r) {
				removed = append(removed, r.ID)
			}
		}
		result.Removed = len(removed)
		if len(removed) == 0 {
			return result, nil
		}
		if err := on.deleteReports(ctx, removed); err != nil {
			return step.Pruned[int64]{}, err
		}
		return result, on.record(ctx, cmd.Entry(result.Removed))
	})
}

// ReportsToPrune returns the query for the reports that a step examines, with a lock.
func (d Dialect) ReportsToPrune(cmd report.PruneCommand) squirrel.SelectBuilder {
	query := d.selectFrom("apguard_reports", "id", "status", "updated_at").
		Where(squirrel.Gt{"id": cmd.After}).
		OrderBy("id").Limit(uint64(max(cmd.Limit, 0))).Suffix(d.Lock)
	if id, one := cmd.Scope.OrganizationID(); one {
		query = query.Where(squirrel.Eq{"organization_id": id})
	}
	return query
}

func scanClosingReport(row Row) (report.Report, error) {
	var r report.Report
	err := row.Scan(&r.ID, (*string)(&r.Status), (*timeColumn)(&r.UpdatedAt))
	return r, err
}

// deleteReports deletes reports with their proposals and reviews.
func (s session) deleteReports(ctx context.Context, ids []int64) error {
	proposals, err := collect(ctx, s, s.dialect.selectFrom("apguard_proposals", "id").Where(s.dialect.AnyOf("report_id", ids)), scanID)
	if err != nil {
		return err
	}
	if err := s.deleteWhere(ctx, "apguard_reviews", s.dialect.AnyOf("proposal_id", proposals)); err != nil {
		return err
	}
	if err := s.deleteWhere(ctx, "apguard_proposals", s.dialect.AnyOf("report_id", ids)); err != nil {
		return err
	}
	return s.deleteWhere(ctx, "apguard_reports", s.dialect.AnyOf("id", ids))
}
