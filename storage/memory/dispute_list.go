package memory

import (
	"context"
	"iter"
	"slices"
	"sort"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/step"
)

// Disputes implements [dispute.QueueStore].
func (s *Store) Disputes(ctx context.Context, req dispute.ListRequest) (step.Page[dispute.Dispute], error) {
	return read(ctx, s, func(t *tables) (step.Page[dispute.Dispute], error) {
		return step.ReadPage(req.Limit, t.matchingDisputes(ctx, req))
	})
}

// DisputeBacklog implements [dispute.QueueStore].
func (s *Store) DisputeBacklog(ctx context.Context) (dispute.Backlog, error) {
	return read(ctx, s, func(t *tables) (dispute.Backlog, error) {
		var backlog dispute.Backlog
		for i, row := range t.disputesByTime {
			if err := checkScan(ctx, i); err != nil {
				return dispute.Backlog{}, err
			}
			backlog.Add(row.dispute.State, 1, row.dispute.CreatedAt)
		}
		return backlog, nil
	})
}

// matchingDisputes yields the disputes for which the request asks.
func (t *tables) matchingDisputes(ctx context.Context, req dispute.ListRequest) iter.Seq2[dispute.Dispute, error] {
	return func(yield func(dispute.Dispute, error) bool) {
		for i, row := range t.disputesAfterCursor(req) {
			if err := checkScan(ctx, i); err != nil {
				yield(dispute.Dispute{}, err)
				return
			}
			if req.Match(row.dispute, row.asset.Identity, row.emailKey) && !yield(row.dispute.Listed(), nil) {
				return
			}
		}
	}
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
