package storagetest

import (
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/dispute"
)

func disputePruneConcurrencyChecks() []requirement {
	return []requirement{
		{"disputes that are created, reopened or erased while others are pruned stay", disputesWhilePruning},
	}
}

// pruneDisputesOnce is a whole pruning for goroutines other than that of the test.
func (p *probe) pruneDisputesOnce(limit int) (removed int, err error) {
	cmd := dispute.PruneCommand{Before: at(50), Limit: limit}
	for {
		step, err := p.PruneDisputes(p.Context(), cmd)
		removed += step.Removed
		if err != nil || step.Done {
			return removed, err
		}
		cmd.After = step.Next
	}
}

// disputesWhilePruning reopens and erases closed disputes and creates new ones while two other
// callers prune. A dispute that was reopened is there with its notes, and one that could not be
// found is gone.
func disputesWhilePruning(p *probe) {
	const size, pruners, workers = 60, 2, 3
	email := func(n int) string { return fmt.Sprintf("%d@acme.example", n) }
	closed := make([]dispute.Dispute, size)
	for n := range closed {
		closed[n] = p.closedDisputeBy(email(n), n%7, at(10))
	}
	var reopened, removed, created atomic.Int64
	isOpen := make([]bool, size)
	p.allSucceed(concurrently(pruners+workers, func(i int) error {
		switch i {
		case 0, 1:
			n, err := p.pruneDisputesOnce(7 + i)
			removed.Add(int64(n))
			return err
		case 2:
			for n := size - 1; n >= 0; n -= 2 { // from the other end, to meet those who prune
				_, err := p.tryTransition(transition(closed[n].ID, dispute.StateOpen, at(100)))
				isOpen[n] = err == nil
				if err == nil {
					reopened.Add(1)
				} else if !errors.Is(err, dispute.ErrNotFound) {
					return err
				}
			}
		case 3:
			for n := range size {
				if _, err := p.EraseDisputes(p.Context(), dispute.EraseCommand{EmailKey: email(size - n), Limit: 2}); err != nil {
					return err
				}
			}
		default:
			for n := range size / 2 {
				if _, err := p.CreateDispute(p.Context(), registeringCommand(n%9, email(size+n))); err != nil {
					return err
				}
				created.Add(1)
			}
		}
		return nil
	}))
	require.EqualValues(p, size, removed.Load()+reopened.Load(), "each closed dispute is removed once or stays")
	require.Len(p, p.allDisputes(dispute.Filter{}), int(reopened.Load()+created.Load()))
	for n, d := range closed {
		got, err := p.DisputeByID(p.Context(), d.ID)
		if !isOpen[n] {
			require.ErrorIs(p, err, dispute.ErrNotFound)
			continue
		}
		require.NoError(p, err)
		require.Equal(p, dispute.StateOpen, got.State)
		require.Len(p, got.Notes, len(d.Notes)+1)
		p.validHistory(got)
	}
}
