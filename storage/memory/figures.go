package memory

import (
	"context"
	"slices"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
)

// CountBlocks implements [asset.HistoryStore].
func (s *Store) CountBlocks(ctx context.Context, period asset.Period) ([]asset.BlockCount, error) {
	return read(ctx, s, func(t *tables) ([]asset.BlockCount, error) {
		previous := make(map[int64]*asset.Change)
		counts := make(map[asset.Reason]asset.BlockCount)
		for i, change := range t.changes {
			if err := checkScan(ctx, i); err != nil {
				return nil, err
			}
			before := previous[change.AssetID]
			previous[change.AssetID] = change
			switch {
			case !period.Contains(change.At):
			case change.IsBlock():
				count := counts[change.Reason]
				count.Blocks++
				counts[change.Reason] = count
			case before != nil && change.Lifts(*before):
				count := counts[before.Reason]
				count.Lifted++
				counts[before.Reason] = count
			}
		}
		var all []asset.BlockCount
		for reason, count := range counts {
			count.Reason = reason
			all = append(all, count)
		}
		return all, nil
	})
}

// CountDue implements [asset.Store].
func (s *Store) CountDue(ctx context.Context, at time.Time) (asset.DueCount, error) {
	return read(ctx, s, func(t *tables) (asset.DueCount, error) {
		var count asset.DueCount
		for _, row := range t.assetsByID {
			if row.operators != nil {
				count.Add(row.operators.ReviewAt, at)
			}
		}
		return count, nil
	})
}

// DecidedDisputes implements [dispute.QueueStore].
func (s *Store) DecidedDisputes(ctx context.Context, period asset.Period) (dispute.Decided, error) {
	return read(ctx, s, func(t *tables) (dispute.Decided, error) {
		var (
			decided dispute.Decided
			times   []time.Duration
		)
		for i, row := range t.disputesByTime {
			if err := checkScan(ctx, i); err != nil {
				return dispute.Decided{}, err
			}
			for _, note := range row.dispute.Notes {
				if !note.Decides() || !period.Contains(note.CreatedAt) {
					continue
				}
				decided.Add(note.State, 1)
				times = append(times, note.CreatedAt.Sub(row.dispute.CreatedAt))
			}
		}
		slices.Sort(times)
		return decided, decided.SetTimes(func(n int) (time.Duration, error) { return times[n-1], nil })
	})
}
