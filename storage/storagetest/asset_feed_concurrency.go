package storagetest

import (
	"cmp"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
)

// followUntil publishes changes and reads the feed from its start in pages of the given size. It
// returns when done is true and there are no more changes.
func (p *probe) followUntil(done func() bool, size int) ([]asset.FeedEntry, error) {
	var (
		all   []asset.FeedEntry
		after asset.FeedCursor
	)
	for {
		last := done()
		if _, err := p.PublishChanges(p.Context(), size); err != nil {
			return all, err
		}
		page, err := p.Since(p.Context(), after, size)
		if err != nil {
			return all, err
		}
		all = append(all, page.Items...)
		if len(page.Items) > 0 {
			after = page.Last().Cursor
		} else if last {
			return all, nil
		}
	}
}

// followersMissNothing runs followers concurrently with writers of long and short steps.
func followersMissNothing(p *probe) {
	const (
		adders, batches, size = 4, 8, 60
		setters, sets         = 4, 60
		followers             = 3
	)
	var (
		writing atomic.Int64
		seen    [followers][]asset.FeedEntry
	)
	writing.Store(adders + setters)
	p.ensureOrganizations(ids(adders)...)
	p.allSucceed(concurrently(adders+setters+followers, func(i int) (err error) {
		switch {
		case i < adders:
			defer writing.Add(-1)
			for n := range batches {
				// Half of the assets are also those of the next adder.
				first := (i+n*adders)*size/2 + 100
				if _, err = p.AddToAllowlist(p.Context(), addCommand(int64(i+1), numbersTo(first + size)[first:]...)); err != nil {
					return err
				}
			}
		case i < adders+setters:
			defer writing.Add(-1)
			for n := range sets {
				write := statusCommand(site((i+n)%6), asset.Statuses()[n%3], at(n))
				if _, err = p.SetAssetStatuses(p.Context(), write); err != nil {
					return err
				}
			}
		default:
			n := i - adders - setters
			seen[n], err = p.followUntil(func() bool { return writing.Load() == 0 }, 1+n*40)
		}
		return err
	}))
	for _, feed := range seen {
		p.receivedAll(feed)
	}
	// All followers see the same order.
	for n, feed := range seen {
		require.Equal(p, p.feed(asset.FeedCursor{}, noLimit), feed, "follower %d", n)
	}
}

// receivedAll requires that a follower received every change once, and the changes of each
// asset in order.
func (p *probe) receivedAll(feed []asset.FeedEntry) {
	p.Helper()
	status := make(map[int64]asset.Status)
	ids := make(map[int64]bool)
	for _, entry := range feed {
		c := entry.Change
		require.False(p, ids[c.ID], "a follower must not receive change %d twice", c.ID)
		ids[c.ID] = true
		require.Equal(p, cmp.Or(status[c.AssetID], asset.StatusUnknown), c.From, "a follower must receive the change of asset %d before change %d", c.AssetID, c.ID)
		status[c.AssetID] = c.To
	}
	require.Equal(p, p.changes(asset.ChangeFilter{}), changelogOf(changesOf(feed)), "a follower must receive every change of the changelog")
}

// stepsFollowInOrder runs writers that number their steps. Each step is committed before
// the next one of the same writer begins.
func stepsFollowInOrder(p *probe) {
	const writers, steps = 6, 30
	var writing atomic.Int64
	writing.Store(writers)
	var seen []asset.FeedEntry
	p.allSucceed(concurrently(writers+1, func(i int) (err error) {
		if i == writers {
			seen, err = p.followUntil(func() bool { return writing.Load() == 0 }, 7)
			return err
		}
		defer writing.Add(-1)
		for n := range steps {
			write := statusCommand(site(i*steps+n), asset.StatusBlocked, at(-n))
			write.Origin.Actor, write.Origin.Reference = int64(i+1), fmt.Sprintf("%03d", n)
			if _, err := p.SetAssetStatuses(p.Context(), write); err != nil {
				return err
			}
		}
		return nil
	}))
	require.Len(p, seen, writers*steps)
	for i := range writers {
		var references []string
		for _, entry := range seen {
			if entry.Change.Origin.Actor == int64(i+1) {
				references = append(references, entry.Change.Origin.Reference)
			}
		}
		require.True(p, slices.IsSorted(references), "the changes of writer %d must be in order, not %v", i, references)
	}
}

// feedConcurrencyChecks are about followers that run concurrently with writers.
func feedConcurrencyChecks() []requirement {
	return []requirement{
		{"concurrent followers receive every change in the same order", followersMissNothing},
		{"a change that was committed before another began comes first", stepsFollowInOrder},
	}
}
