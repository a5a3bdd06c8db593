package sqlstore

import (
	"context"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/step"
)

// PruneDisputes implements dispute.QueueStore.
func (s *Store) PruneDisputes(ctx context.Context, cmd dispute.PruneCommand) (step.Pruned[int64], error) {
	return write(ctx, s, "prune disputes", func(ctx context.Context, on session) (step.Pruned[int64], error) {
		found, err := collect(ctx, on, s.dialect.selectFrom("apguard_disputes", "id", "state", "updated_at").
			Where(squirrel.Gt{"id": cmd.After}).
			OrderBy("id").Limit(uint64(max(cmd.Limit, 0))).Suffix(s.dialect.Lock), scanClosing)
		if err != nil {
			return step.Pruned[int64]{}, err
		}
		result := step.Pruned[int64]{Next: cmd.After, Done: len(found) < cmd.Limit}
		var removed []int64
		for _, d := range found {
			result.Next = d.ID
			if cmd.Removes(d) {
				removed = append(removed, d.ID)
			}
		}
		result.Removed = len(removed)
		if len(removed) == 0 {
			return result, nil
		}
		for _, table := range []string{"apguard_dispute_notes", "apguard_dispute_events"} {
			if err := on.deleteWhere(ctx, table, s.dialect.AnyOf("dispute_id", removed)); err != nil {
				return step.Pruned[int64]{}, err
			}
		}
		if err := on.deleteWhere(ctx, "apguard_disputes", s.dialect.AnyOf("id", removed)); err != nil {
			return step.Pruned[int64]{}, err
		}
		return result, on.record(ctx, cmd.Entry(result.Removed))
	})
}

func scanClosing(row Row) (dispute.Dispute, error) {
	var d dispute.Dispute
	err := row.Scan(&d.ID, (*string)(&d.State), (*timeColumn)(&d.UpdatedAt))
	return d, err
}

// deleteWhere deletes the rows of a table, which are locked or belong to locked ones.
func (s session) deleteWhere(ctx context.Context, table string, condition squirrel.Sqlizer) error {
	return s.queueBuilt(ctx, squirrel.Delete(table).Where(condition))
}
