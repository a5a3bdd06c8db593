package sqlstore

import (
	"context"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
)

// CountBlocks implements asset.HistoryStore.
func (s *Store) CountBlocks(ctx context.Context, period asset.Period) ([]asset.BlockCount, error) {
	return read(ctx, s, listing("count blocks"), func(ctx context.Context, on session) ([]asset.BlockCount, error) {
		counts, err := collect(ctx, on, s.dialect.Blocks(period), func(row Row) (count asset.BlockCount, err error) {
			return count, row.Scan(scanReason(&count.Reason), &count.Blocks)
		})
		if err != nil {
			return nil, err
		}
		_, err = collect(ctx, on, s.dialect.LiftedBlocks(period), func(row Row) (struct{}, error) {
			var lifted asset.BlockCount
			err := row.Scan(scanReason(&lifted.Reason), &lifted.Lifted)
			for i := range counts {
				if counts[i].Reason == lifted.Reason {
					counts[i].Lifted = lifted.Lifted
					return struct{}{}, err
				}
			}
			counts = append(counts, lifted)
			return struct{}{}, err
		})
		return counts, err
	})
}

// Blocks returns the query for the changes of the period for which asset.Change.IsBlock is true, by their reason.
func (d Dialect) Blocks(period asset.Period) squirrel.SelectBuilder {
	return d.changesOfCauses(period, asset.CauseManual, asset.CauseReview).
		Columns("c.reason", "COUNT(*)").
		Where(squirrel.Eq{"c.to_status + 0": StatusCode(asset.StatusBlocked), "c.source": int64(operators)}).
		GroupBy("c.reason")
}

// LiftedBlocks returns the query for the changes of the period for which asset.Change.Lifts is true, by the reason
// of the previous change.
func (d Dialect) LiftedBlocks(period asset.Period) squirrel.SelectBuilder {
	lifted := d.changesOfCauses(period, asset.CauseDispute).
		Column(squirrel.Expr(`(SELECT CASE WHEN p.source = ? AND p.cause IN (1, 2, 3, 4) THEN p.reason END
			FROM apguard_changes p WHERE p.asset_id = c.asset_id AND (p.changed_at, p.id) < (c.changed_at, c.id)
			ORDER BY p.changed_at DESC, p.id DESC LIMIT 1) AS reason`, int64(operators))).
		Where(squirrel.Eq{"c.from_status + 0": StatusCode(asset.StatusBlocked)}).
		PlaceholderFormat(squirrel.Question) // the outer query numbers them
	return squirrel.Select("reason", "COUNT(*)").FromSelect(lifted, "lifted").
		Where("reason IS NOT NULL").
		GroupBy("reason").
		PlaceholderFormat(d.Placeholders)
}

// changesOfCauses returns a query without columns for the changes of status of the period that have one of the
// causes, which are those of operators. Its conditions are those of an index, and no index has a sum.
func (d Dialect) changesOfCauses(period asset.Period, causes ...asset.Cause) squirrel.SelectBuilder {
	codes := make([]int64, len(causes))
	for i, cause := range causes {
		codes[i] = CauseCode(cause)
	}
	return squirrel.Select().From("apguard_changes c").
		Where(ofStatus).Where(byOperators).
		Where(squirrel.Eq{"c.cause": codes}).
		Where(within("c.changed_at", period)).
		PlaceholderFormat(d.Placeholders)
}

// CountDue implements asset.Store.
func (s *Store) CountDue(ctx context.Context, at time.Time) (asset.DueCount, error) {
	return read(ctx, s, listing("count due decisions"), func(ctx context.Context, on session) (asset.DueCount, error) {
		return collectOne(ctx, on, s.dialect.DueCount(at), func(row Row) (count asset.DueCount, err error) {
			return count, row.Scan(&count.Total, &count.Overdue)
		})
	})
}

// DueCount returns the query for the number of decisions that are due for review, and of those that are overdue.
// The condition on the source is as in EndedDecisions.
func (d Dialect) DueCount(at time.Time) squirrel.SelectBuilder {
	return squirrel.Select("COUNT(*)").Column("COUNT(CASE WHEN review_at <= ? THEN 1 END)", Millis(at)).
		From("apguard_decisions").
		Where("source = 0 AND review_at IS NOT NULL").
		PlaceholderFormat(d.Placeholders)
}

// DecidedDisputes implements dispute.QueueStore.
func (s *Store) DecidedDisputes(ctx context.Context, period asset.Period) (dispute.Decided, error) {
	return read(ctx, s, listing("decided disputes"), func(ctx context.Context, on session) (dispute.Decided, error) {
		var decided dispute.Decided
		counts := s.dialect.Decisions(period).Columns("n.state", "COUNT(*)").GroupBy("n.state")
		_, err := collect(ctx, on, counts, func(row Row) (struct{}, error) {
			var (
				state dispute.State
				count int
			)
			err := row.Scan((*string)(&state), &count)
			decided.Add(state, count)
			return struct{}{}, err
		})
		if err != nil {
			return dispute.Decided{}, err
		}
		return decided, decided.SetTimes(func(n int) (time.Duration, error) {
			return collectOne(ctx, on, s.dialect.DecisionTime(period, n), func(row Row) (time.Duration, error) {
				var millis int64
				err := row.Scan(&millis)
				return time.Duration(millis) * time.Millisecond, err
			})
		})
	})
}

// Decisions returns a query without columns for the notes of the period for which dispute.Note.Decides is true. Its
// condition is that of an index.
func (d Dialect) Decisions(period asset.Period) squirrel.SelectBuilder {
	return squirrel.Select().From("apguard_dispute_notes n").
		Where("n.state IN ('ACCEPTED', 'REJECTED')").
		Where(within("n.created_at", period)).
		PlaceholderFormat(d.Placeholders)
}

// DecisionTime returns the query for the n-th shortest time to a decision of the period, in milliseconds.
func (d Dialect) DecisionTime(period asset.Period, n int) squirrel.SelectBuilder {
	return d.Decisions(period).Column("n.created_at - d.created_at AS taken").
		JoinClause(d.JoinRow("apguard_disputes", "d", "n.dispute_id")).
		OrderBy("taken").Limit(1).Offset(uint64(max(n-1, 0)))
}
