package sqlstore

import (
	"context"
	"fmt"

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
		if pruned.Removed, err = on.remove(ctx, superseded); err != nil {
			return step.Pruned[asset.ChangeCursor]{}, err
		}
		return pruned, on.record(ctx, cmd.Entry(pruned.Removed))
	})
}

// OldChanges returns the query for the changes that the command looks at, oldest first,
// and whether it removes each. The changes of statuses and the others are in two indexes.
func (d Dialect) OldChanges(cmd asset.PruneCommand) squirrel.SelectBuilder {
	order := fmt.Sprintf("ORDER BY changed_at, id LIMIT %d", max(cmd.Limit, 0))
	part := func(at string, of squirrel.Sqlizer) squirrel.SelectBuilder {
		changes := oldChanges(cmd, at).Where(of)
		if d.OrderedParts {
			changes = squirrel.Select("*").FromSelect(changes.Suffix(order), "part")
		}
		return changes
	}
	others := part("c.changed_at", squirrel.Expr("c.from_status = c.to_status"))
	return part(d.Reserved("c.changed_at"), ofStatus).
		SuffixExpr(squirrel.Expr("UNION ALL ?", others)).
		Suffix(order).PlaceholderFormat(d.Placeholders)
}

// oldChanges returns the query for the changes before the command's time and after its place. Their time is at.
func oldChanges(cmd asset.PruneCommand, at string) squirrel.SelectBuilder {
	query := squirrel.Select(at+" AS changed_at", "c.id AS id",
		`EXISTS (SELECT 1 FROM apguard_changes n WHERE n.asset_id = c.asset_id AND (n.changed_at, n.id) > (c.changed_at, c.id)
			AND (n.from_status <> n.to_status OR c.from_status = c.to_status))`).
		From("apguard_changes c").
		Where(squirrel.Lt{at: ceilMillis(cmd.Before)})
	after := cmd.After
	if after == (asset.ChangeCursor{}) {
		return query
	}
	millis, id := Millis(after.At), after.ID
	if !step.TruncateTime(after.At).Equal(after.At) {
		id = asset.MaxID // it comes after all changes of its millisecond
	}
	return query.Where("("+at+", c.id) > (?, ?)", millis, id)
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
