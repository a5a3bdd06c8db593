package memory

import (
	"context"
	"iter"
	"slices"
	"sort"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
)

// Disputes implements [dispute.QueueStore].
func (s *Store) Disputes(ctx context.Context, req dispute.ListRequest) ([]dispute.Dispute, error) {
	return read(ctx, s, func(t *tables) ([]dispute.Dispute, error) {
		var page []dispute.Dispute
		for i, row := range t.disputesAfterCursor(req) {
			if len(page) >= req.Limit {
				break
			}
			if err := checkScan(ctx, i); err != nil {
				return nil, err
			}
			if req.Match(row.dispute, row.asset.Identity, row.emailKey) {
				page = append(page, row.dispute.Listed())
			}
		}
		return page, nil
	})
}

// disputesAfterCursor yields all disputes after the request's cursor, in the request's
// order.
func (t *tables) disputesAfterCursor(req dispute.ListRequest) iter.Seq2[int, *disputeRow] {
	rows := t.disputesByTime
	all := dispute.ListRequest{Cursor: req.Cursor, OldestFirst: req.OldestFirst}
	cursor := sort.Search(len(rows), func(i int) bool {
		afterCursor := all.Match(rows[i].dispute, asset.Identity{}, "")
		return afterCursor == req.OldestFirst
	})
	if req.OldestFirst {
		return slices.All(rows[cursor:])
	}
	return slices.Backward(rows[:cursor])
}
