package sqlstore

import (
	"context"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/asset"
)

// PruneChanges implements asset.Store.
func (s *Store) PruneChanges(ctx context.Context, step asset.PruneStep) (asset.Pruned, error) {
	return write(ctx, s, "prune changes", func(ctx context.Context, on session) (asset.Pruned, error) {
		// What two calls have found is removed by one of them.
		if err := on.Serialize(ctx, "pruning"); err != nil {
			return asset.Pruned{}, err
		}
		found, err := collectBuilt(ctx, on, s.dialect.OldChanges(step), scanOldChange)
		if err != nil {
			return asset.Pruned{}, err
		}
		pruned := asset.Pruned{Next: step.After, Done: len(found) < step.Limit}
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

// OldChanges returns the query for the changes that a step of pruning looks at,
// oldest first, and whether each is followed by another change of its asset.
func (d Dialect) OldChanges(step asset.PruneStep) squirrel.SelectBuilder {
	query := d.selectFrom("apguard_changes c", "c.changed_at", "c.id",
		`EXISTS (SELECT 1 FROM apguard_changes n WHERE n.asset_id = c.asset_id
			AND (n.changed_at, n.id) > (c.changed_at, c.id))`).
		Where(squirrel.Lt{"c.changed_at": ceilMillis(step.Before)}).
		OrderBy("c.changed_at", "c.id").
		Limit(uint64(max(step.Limit, 0)))
	if after := step.After; after != (asset.ChangeCursor{}) {
		at, id := Millis(after.At), after.ID
		if !asset.TruncateTime(after.At).Equal(after.At) {
			id = asset.MaxID // it stands behind all changes of its millisecond
		}
		query = query.Where("(c.changed_at, c.id) > (?, ?)", at, id)
	}
	return query
}

type oldChange struct {
	place      asset.ChangeCursor
	superseded bool
}

func scanOldChange(row Row) (oldChange, error) {
	var (
		c  oldChange
		at int64
	)
	err := row.Scan(&at, &c.place.ID, &c.superseded)
	c.place.At = Time(at)
	return c, err
}

// remove removes the changes with those identifiers and returns how many were
// there.
func (s session) remove(ctx context.Context, ids []int64) (int, error) {
	statement, args, err := squirrel.Delete("apguard_changes").
		Where(s.dialect.AnyOf("id", ids)).
		PlaceholderFormat(s.dialect.Placeholders).ToSql()
	if err != nil {
		return 0, err
	}
	removed, err := s.Exec(ctx, statement, args...)
	return int(removed), err
}
