package storagetest

import (
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage"
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
		{"an empty store has an empty feed", func(p *probe) {
			require.Empty(p, p.since(asset.FeedCursor{}, 10))
		}},
		{"changes are in the order of recording, and not of their times", func(p *probe) {
			p.block(at(30), at(10), at(50), at(10), at(40))
			got := changesOf(p.feed(asset.FeedCursor{}, 10))
			require.Equal(p, sites(0, 1, 2, 3, 4), contents(got))
			require.Equal(p, p.changes(asset.ChangeFilter{}), newestFirst(got), "the feed must have all fields of each change")
		}},
		{"changes of every cause are in the feed", needs("Import", func(p *probe) {
			p.importSeed(storage.Seed{Assets: []storage.SeedAsset{
				{Content: seedSite(0).Canonical, Status: asset.StatusBlocked, ChangedAt: at(9)},
				{Content: seedSite(1).Canonical, Status: asset.StatusUnknown},
			}})
			p.set(site(1), asset.StatusBlocked, at(3))
			p.add(addCommand(1, 2, 1, 3))
			f := fileCommand("report", 4)
			p.review(report.Review{ProposalID: p.file(f).Proposals[0].ID, Status: report.ReviewApprove, ReviewedAt: at(2)})
			p.set(site(5), asset.StatusUnknown, at(1))
			got := changesOf(p.feed(asset.FeedCursor{}, 10))
			require.Equal(p, append([]string{seedSite(0).Canonical}, sites(1, 2, 1, 3, 4)...), contents(got))
			require.Equal(p, p.changes(asset.ChangeFilter{}), newestFirst(got))
		})},
		{"pages of every size return the whole feed", needs("AddToAllowlist", func(p *probe) {
			p.pageableChanges()
			want := p.feed(asset.FeedCursor{}, noLimit)
			require.Equal(p, p.changes(asset.ChangeFilter{}), newestFirst(changesOf(want)))
			for size := 1; size <= len(want)+1; size++ {
				require.Equal(p, want, p.feed(asset.FeedCursor{}, size), "pages of %d must return the whole feed", size)
			}
		})},
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
		{"a follower that continues receives new changes once", func(p *probe) {
			p.block(at(0), at(1))
			first := p.feed(asset.FeedCursor{}, 10)
			cursor := first[1].Cursor
			for range 2 {
				require.Empty(p, p.since(cursor, 10))
			}
			p.set(site(7), asset.StatusBlocked, at(-100))
			p.set(site(8), asset.StatusBlocked, at(-200))
			for range 2 {
				require.Equal(p, sites(7, 8), contents(changesOf(p.since(cursor, 10))), "equal calls must return equal pages")
			}
			require.Equal(p, first, p.feed(asset.FeedCursor{}, 10)[:2], "positions must not change")
			cursor = only(p, p.since(cursor, 1)).Cursor
			require.Equal(p, sites(8), contents(changesOf(p.since(cursor, 1))))
		}},
		{"a removed change is omitted, and its cursor stays valid", func(p *probe) {
			p.toggle(1, at(1), at(2), at(3))
			p.toggle(2, at(4), at(5))
			before := p.feed(asset.FeedCursor{}, 10)
			require.Len(p, before, 5)
			require.Equal(p, 3, p.pruneAll(at(1000), 10))
			left := []asset.FeedEntry{before[2], before[4]}
			require.Equal(p, left, p.feed(asset.FeedCursor{}, 10))
			require.Equal(p, left, p.feed(before[1].Cursor, 10), "after a removed change")
			require.Equal(p, left[1:], p.feed(before[3].Cursor, 10))
		}},
		{"a change that is removed before it is read is omitted", func(p *probe) {
			p.toggle(1, at(1), at(2))
			require.Equal(p, 1, p.pruneAll(at(1000), 10))
			require.Equal(p, asset.StatusAllowed, only(p, p.feed(asset.FeedCursor{}, 10)).Change.To)
		}},
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
		{"a cursor ahead of the store is refused", func(p *probe) {
			p.block(at(0), at(1))
			id := p.since(asset.FeedCursor{}, 1)[0].Cursor.Store()
			p.refusesCursor(asset.Feed{Store: id}.Cursor(asset.MaxID), asset.ErrFutureCursor)
		}},
	}
}
