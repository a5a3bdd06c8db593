package storagetest

import (
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
)

// refusesCursor requires that Since refuses the cursor with the error.
func (p *probe) refusesCursor(after asset.FeedCursor, want error) {
	p.Helper()
	page, err := p.Since(p.Context(), after, 10)
	require.ErrorIs(p, err, want)
	require.ErrorIs(p, err, asset.ErrInvalid)
	require.Empty(p, page.Items)
}

func feedChecks() []requirement {
	return []requirement{
		{"each cursor is directly after its change, also when parsed from its text", needs("AddToAllowlist", func(p *probe) {
			p.pageableChanges()
			all := p.feed(asset.FeedCursor{}, noLimit)
			for i, entry := range all {
				written, err := asset.ParseFeedCursor(entry.Cursor.String())
				require.NoError(p, err)
				require.Equal(p, entry.Cursor, written)
				require.Equal(p, changesOf(all[i+1:]), changesOf(p.feed(written, 10)))
				require.NotContains(p, all[:i], entry, "each entry must have its own position")
			}
		})},
		{"a follower that starts at the end receives all later changes", func(p *probe) {
			start := p.feedEnd()
			stored, err := asset.ParseFeedCursor(start.String())
			require.NoError(p, err, "the end of an empty feed must have a valid text")
			require.Equal(p, start, stored)
			require.Empty(p, p.since(start, 10))
			p.set(site(1), asset.StatusBlocked, at(1))
			p.set(site(2), asset.StatusBlocked, at(2))
			end := p.feedEnd()
			require.Equal(p, p.since(asset.FeedCursor{}, 1)[0].Cursor.Store(), end.Store())
			require.Empty(p, p.since(end, 10))
			p.set(site(1), asset.StatusAllowed, at(-1))
			require.Equal(p, sites(1), contents(changesOf(p.since(end, 10))))
			p.set(site(3), asset.StatusAllowed, at(3))
			require.Equal(p, sites(1, 3), contents(changesOf(p.since(end, 10))))
		}},
		{"a cursor of another store is refused", func(p *probe) {
			p.block(at(0), at(1))
			id := p.since(asset.FeedCursor{}, 1)[0].Cursor.Store()
			require.NotEqual(p, asset.StoreID{}, id, "a store must have an ID")
			id[len(id)-1]++
			for _, position := range []int64{1, 2, asset.MaxID} {
				p.refusesCursor(asset.Feed{Store: id}.Cursor(position), asset.ErrForeignCursor)
				p.refusesCursor(asset.Feed{}.Cursor(position), asset.ErrForeignCursor)
			}
		}},
		{"a cursor is refused if changes after it were pruned since", func(p *probe) {
			p.toggle(1, at(1), at(2), at(3), at(4))
			p.toggle(2, at(1), at(2), at(3), at(4))
			before := p.feed(asset.FeedCursor{}, noLimit)
			require.Equal(p, 2, p.prune(asset.PruneCommand{Before: at(2), Limit: noLimit}).Removed)
			end := p.feedEnd()
			for i, entry := range before {
				if i < 4 {
					p.refusesCursor(entry.Cursor, asset.ErrPrunedCursor)
				} else {
					require.Equal(p, changesOf(before[i+1:]), changesOf(p.since(entry.Cursor, noLimit)), "no change after it was pruned")
				}
			}
			later := p.feed(asset.FeedCursor{}, 1)
			require.Equal(p, end, later[len(later)-1].Cursor)
			for i, entry := range later {
				require.Equal(p, changesOf(later[i+1:]), changesOf(p.since(entry.Cursor, noLimit)), "a follower that started later has missed nothing")
			}
			require.Equal(p, 2, p.prune(asset.PruneCommand{Before: at(3), Limit: noLimit}).Removed)
			p.refusesCursor(later[0].Cursor, asset.ErrPrunedCursor)
			require.Empty(p, p.since(end, noLimit))
		}},
		{"a step of pruning that removes nothing refuses no cursor", func(p *probe) {
			p.toggle(1, at(1), at(2))
			p.feedEnd()
			before, err := p.Feed(p.Context())
			require.NoError(p, err)
			require.Zero(p, p.prune(asset.PruneCommand{Before: at(1), Limit: noLimit}).Removed)
			after, err := p.Feed(p.Context())
			require.NoError(p, err)
			require.Equal(p, before.End(), after.End())
		}},
		{"a cursor ahead of the store is refused", func(p *probe) {
			p.block(at(0), at(1))
			id := p.since(asset.FeedCursor{}, 1)[0].Cursor.Store()
			p.refusesCursor(asset.Feed{Store: id}.Cursor(asset.MaxID), asset.ErrFutureCursor)
		}},
	}
}
