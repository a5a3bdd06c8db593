package memory

import (
	"context"
	"maps"
	"slices"

	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/step"
)

// PruneDisputes implements [dispute.QueueStore].
func (s *Store) PruneDisputes(ctx context.Context, cmd dispute.PruneCommand) (step.Pruned[int64], error) {
	return write(ctx, s, func(t *tables) (step.Pruned[int64], error) {
		ids := above(slices.Sorted(maps.Keys(t.disputes)), cmd.After, func(id int64) int64 { return id })
		ids = ids[:min(cmd.Limit, len(ids))]
		result := step.Pruned[int64]{Next: cmd.After, Done: len(ids) < cmd.Limit}
		for _, id := range ids {
			result.Next = id
			if row := t.disputes[id]; cmd.Removes(row.dispute) {
				delete(t.disputes, id)
				delete(t.disputeKeys, disputeKey{row.asset.ID, row.emailKey})
				result.Removed++
			}
		}
		t.disputeEvents = slices.DeleteFunc(t.disputeEvents, func(e dispute.Event) bool { return t.disputes[e.DisputeID] == nil })
		t.disputesByTime = slices.DeleteFunc(t.disputesByTime, func(row *disputeRow) bool { return t.disputes[row.dispute.ID] == nil })
		t.record(cmd.Entry(result.Removed))
		return result, nil
	})
}
