package sqlstore

import (
	"context"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/step"
)

// PruneChanges implements asset.HistoryStore.
func (s *Store) PruneChanges(ctx context.Context, cmd asset.PruneCommand) (step.Pruned[asset.ChangeCursor], error) {
	return write(ctx, s, "prune changes", func(ctx context.Context, on session) (step.Pruned[asset.ChangeCursor], error) {
		// Otherwise two calls could find the same changes.
		if err := on.Serialize(ctx, "pruning"); err != nil {
			return step.Pruned[asset.ChangeCursor]{}, err
		}
		found, err := collect(ctx, on, s.dialect.OldChanges(cmd), scanOldChange)
		if err != nil {
			return step.Pruned[asset.ChangeCursor]{}, err
		}
		pruned := step.Pruned[asset.ChangeCursor]{Next: cmd.After, Done: len(found) < cmd.Limit}
		var superseded []int64
		for _, change := range found {
			pruned.Next = change.place
			if change.superseded {
				superseded = append(superseded, change.place.ID)
			}
		}
		if len(superseded) == 0 {
			return pruned, nil
		}
		pruned.Removed, err = on.remove(ctx, superseded)
		return pruned, err
	})
}

// OldChanges returns the query for the changes that the command looks at, oldest first,
// and whether each is followed by a newer change of its asset.
func (d Dialect) OldChanges(cmd asset.PruneCommand) squirrel.SelectBuilder {
	changedAt := d.Reserved("c.changed_at")
	query := d.selectFrom("apguard_changes c", changedAt, "c.id",
		`EXISTS (SELECT 1 FROM apguard_changes n WHERE n.asset_id = c.asset_id
			AND (n.changed_at, n.id) > (c.changed_at, c.id))`).
		Where(squirrel.Lt{changedAt: ceilMillis(cmd.Before)}).
		OrderBy(changedAt, "c.id").
		Limit(uint64(max(cmd.Limit, 0)))
	if after := cmd.After; after != (asset.ChangeCursor{}) {
		at, id := Millis(after.At), after.ID
		if !step.TruncateTime(after.At).Equal(after.At) {
			id = asset.MaxID // it comes after all changes of its millisecond
		}
		query = query.Where("("+changedAt+", c.id) > (?, ?)", at, id)
	}
	return query
}

type oldChange struct {
	place      asset.ChangeCursor
	superseded bool
}

func scanOldChange(row Row) (oldChange, error) {
	var c oldChange
	err := row.Scan((*timeColumn)(&c.place.At), &c.place.ID, &c.superseded)
	return c, err
}

// remove deletes the changes with the IDs and returns how many there were.
func (s session) remove(ctx context.Context, ids []int64) (int, error) {
	statement, args, err := squirrel.Delete("apguard_changes").
		Where(s.dialect.AnyOf("id", ids)).
		PlaceholderFormat(s.dialect.Placeholders).ToSql()
	if err != nil {
		return 0, err
	}
	removed, err := s.Exec(ctx, statement, args...)
	if err != nil {
		return 0, err
	}
	return int(removed), s.PruneFeed(ctx, ids)
}
