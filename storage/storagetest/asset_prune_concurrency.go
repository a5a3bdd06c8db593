package storagetest

import (
	"errors"
	"fmt"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
)

// pruneOnce is pruneAll for goroutines other than that of the test: it returns the error.
func (p *probe) pruneOnce(before time.Time, limit int) (removed int, err error) {
	step := asset.PruneCommand{Before: before, Limit: limit}
	for {
		pruned, err := p.PruneChanges(p.Context(), step)
		removed += pruned.Removed
		if err != nil || pruned.Done {
			return removed, err
		}
		if pruned.Next == step.After {
			return removed, errors.New("PruneChanges: Next of a step that is not the last must be after the cursor of the step")
		}
		step.After = pruned.Next
	}
}

// prunersRemoveOnce prunes the same changes by four callers.
func prunersRemoveOnce(p *probe) {
	const size = 500
	p.importSuperseded(size)
	removed := make([]int, 4)
	p.allSucceed(concurrently(len(removed), func(i int) (err error) {
		removed[i], err = p.pruneOnce(at(1000), i+5)
		return err
	}))
	require.Equal(p, size, removed[0]+removed[1]+removed[2]+removed[3])
	require.Len(p, p.changes(asset.ChangeFilter{}), size)
}

// pruningKeepsLatest prunes repeatedly while three writers change one asset each. Each
// writer must find its last change, which is the latest of the asset.
func pruningKeepsLatest(p *probe) {
	const writers, writes = 3, 40
	done := make(chan struct{}, writers)
	write := func(n int) error {
		defer func() { done <- struct{}{} }()
		status := asset.StatusUnknown
		for i := range writes {
			from := status
			status = opposite(status)
			// Three changes share each millisecond.
			if _, err := p.SetAssetStatuses(p.Context(), statusCommand(site(n), status, at(i/3))); err != nil {
				return err
			}
			page, err := p.Changes(p.Context(), asset.ListChangesRequest{Filter: asset.ChangeFilter{Identity: site(n)}, Limit: 1})
			if err != nil {
				return err
			}
			latest := page.Items
			if len(latest) != 1 || latest[0].From != from || latest[0].To != status {
				return fmt.Errorf("the latest change of asset %d must be from %s to %s, not %+v", n, from, status, latest)
			}
		}
		return nil
	}
	removed := 0
	prune := func() error {
		for running := writers; running > 0; {
			n, err := p.pruneOnce(at(1000), 5)
			removed += n
			if err != nil {
				return err
			}
			select {
			case <-done:
				running--
			default:
			}
		}
		return nil
	}
	p.allSucceed(concurrently(writers+1, func(i int) error {
		if i == writers {
			return prune()
		}
		return write(i)
	}))
	require.Len(p, p.changes(asset.ChangeFilter{}), writers*writes-removed, "Removed must count each removed change once")
	p.pruneAll(at(1000), 5)
	for n := range writers {
		latest := only(p, p.changes(asset.ChangeFilter{Identity: site(n)}))
		require.Equal(p, p.asset(site(n)).Status, latest.To, "To of the latest change must be the status of the asset")
	}
}

// readersSeeWholePruning reads while another caller removes many changes in each step.
func readersSeeWholePruning(p *probe) {
	const steps, size = 12, 25
	p.importSuperseded(steps * size)
	prune := func() error {
		for range steps {
			if _, err := p.PruneChanges(p.Context(), asset.PruneCommand{Before: at(0), Limit: size}); err != nil {
				return err
			}
		}
		return nil
	}
	read := func() error {
		page, err := p.Changes(p.Context(), asset.ListChangesRequest{Limit: noLimit})
		if changes := page.Items; len(changes)%size != 0 {
			return fmt.Errorf("the number of changes must be a multiple of %d, the limit of the steps, not %d", size, len(changes))
		}
		return err
	}
	p.readWhile(3, prune, read)
	require.Len(p, p.changes(asset.ChangeFilter{}), steps*size)
}
