package memory

import (
	"context"

	"github.com/apguard/apguard/dispute"
)

// EraseDisputes implements [dispute.QueueStore].
func (s *Store) EraseDisputes(ctx context.Context, cmd dispute.EraseCommand) (int, error) {
	return write(ctx, s, func(t *tables) (int, error) {
		erased := 0
		for _, row := range t.disputesByTime {
			if row.emailKey != cmd.EmailKey || erased == cmd.Limit {
				continue
			}
			delete(t.disputeKeys, disputeKey{row.asset.ID, row.emailKey})
			row.dispute, row.emailKey = row.dispute.Erased(row.asset.Canonical), dispute.ErasedKey(row.dispute.ID)
			t.disputeKeys[disputeKey{row.asset.ID, row.emailKey}] = true
			erased++
		}
		t.record(cmd.Entry(erased))
		return erased, nil
	})
}
