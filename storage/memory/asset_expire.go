package memory

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/step"
)

// ExpireDecisions implements [asset.Store].
func (s *Store) ExpireDecisions(ctx context.Context, cmd asset.ExpireCommand) (int, error) {
	return write(ctx, s, func(t *tables) (int, error) {
		removed := 0
		for _, row := range t.endedDecisions(cmd) {
			held, n := row.held(cmd.At).Expire(cmd.At)
			removed += n
			row.operators, row.lists = held.Operators, held.Lists
			t.settle(row, held, cmd.At, cmd.Origin())
		}
		if removed > 0 {
			for _, list := range t.lists {
				list.removeEnded()
			}
		}
		return removed, nil
	})
}

// endedDecisions returns the assets of the decisions that the command looks for, ordered by ID.
func (t *tables) endedDecisions(cmd asset.ExpireCommand) []*assetRow {
	type ended struct {
		at  time.Time
		row *assetRow
	}
	var found []ended
	for _, row := range t.assetsByID {
		if row.operators != nil && row.operators.Ended(cmd.At) {
			found = append(found, ended{row.operators.ExpiresAt, row})
		}
		for _, list := range row.lists {
			if list.Ended(cmd.At) {
				found = append(found, ended{list.ExpiresAt, row})
			}
		}
	}
	slices.SortFunc(found, func(a, b ended) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.row.ID, b.row.ID)) })
	found = found[:min(cmd.Limit, len(found))]
	rows := make([]*assetRow, len(found))
	for i, one := range found {
		rows[i] = one.row
	}
	slices.SortFunc(rows, func(a, b *assetRow) int { return cmp.Compare(a.ID, b.ID) })
	return slices.Compact(rows)
}

// DueDecisions implements [asset.Store].
func (s *Store) DueDecisions(ctx context.Context, req asset.DueRequest) (step.Page[asset.Due], error) {
	return read(ctx, s, func(t *tables) (step.Page[asset.Due], error) {
		var found []asset.Due
		for _, row := range t.assetsByID {
			if row.operators == nil || row.operators.ReviewAt.IsZero() || row.operators.ReviewAt.After(req.Before) {
				continue
			}
			due := asset.Due{Asset: row.Asset, Decision: *row.operators}
			due.Decision.Replaced = nil
			if due.Cursor().Compare(req.Cursor) > 0 {
				found = append(found, due)
			}
		}
		slices.SortFunc(found, func(a, b asset.Due) int { return a.Cursor().Compare(b.Cursor()) })
		return page(found, req.Limit, func(due asset.Due) asset.Due { return due })
	})
}
