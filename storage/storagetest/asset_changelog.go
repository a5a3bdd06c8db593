package storagetest

import (
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
)

func changelogChecks() []requirement {
	return []requirement{
		{"an empty store has no changes", func(p *probe) {
			require.Empty(p, p.changes(asset.ChangeFilter{}))
			require.Empty(p, p.changes(asset.ChangeFilter{Identity: site(1)}))
			require.Empty(p, p.changesAfter(asset.ChangeFilter{}, asset.ChangeCursor{At: at(0), ID: 1}, 10))
		}},
		{"changes are ordered by time, newest first, not in the order of recording", func(p *probe) {
			p.block(at(30), at(10), at(50), at(20), at(40))
			require.Equal(p, sites(2, 4, 0, 3, 1), contents(p.changes(asset.ChangeFilter{})))
		}},
		{"changes of one millisecond are ordered by ID, descending", func(p *probe) {
			p.block(at(5), at(5), at(4), at(5), at(6), at(5))
			changes := p.changes(asset.ChangeFilter{})
			require.Equal(p, sites(4, 5, 3, 1, 0, 2), contents(changes))
			require.Equal(p, newestFirst(changes), changes)
		}},
		{"a change is never before the last one of its asset", func(p *probe) {
			statuses := []asset.Status{asset.StatusBlocked, asset.StatusAllowed, asset.StatusUnknown, asset.StatusBlocked}
			for i, status := range statuses {
				p.set(site(1), status, at(-10*i))
			}
			p.set(site(2), asset.StatusBlocked, at(-50))
			changes := p.changes(asset.ChangeFilter{})
			require.Equal(p, sites(1, 1, 1, 1, 2), contents(changes))
			for i, status := range statuses {
				require.Equal(p, status, changes[3-i].To)
				require.Equal(p, at(0), changes[3-i].At)
			}
			require.Equal(p, at(-50), changes[4].At, "other assets do not count")
		}},
		{"IDs grow in the order of recording", func(p *probe) {
			p.block(at(30), at(10), at(20))
			byContent := make(map[string]int64)
			for _, change := range p.changes(asset.ChangeFilter{}) {
				byContent[change.Content] = change.ID
			}
			require.GreaterOrEqual(p, byContent[site(0).Canonical], int64(1))
			require.Greater(p, byContent[site(1).Canonical], byContent[site(0).Canonical])
			require.Greater(p, byContent[site(2).Canonical], byContent[site(1).Canonical])
		}},
		{"pages of every size return the whole changelog", needs("AddToAllowlist", func(p *probe) {
			p.pageableChanges()
			for _, filter := range []asset.ChangeFilter{
				{},
				{To: asset.StatusAllowed},
				{Identity: site(2)},
				{Period: asset.Period{Since: at(2), Before: at(7)}},
			} {
				whole := p.changes(filter)
				require.NotEmpty(p, whole)
				for size := 1; size <= len(whole)+1; size++ {
					require.Equal(p, whole, p.changesByPages(filter, size), "pages of %d for filter %+v must return the whole list", size, filter)
				}
			}
		})},
		{"a cursor may be at a change that the filter does not match", func(p *probe) {
			p.block(at(10), at(20), at(20), at(30))
			newest := p.newestChange()
			require.Equal(p, sites(0), contents(p.changesAfter(asset.ChangeFilter{Identity: site(0)}, newest.Cursor(), 10)))
		}},
		{"a cursor may be between changes", func(p *probe) {
			p.block(at(10), at(20), at(20), at(30))
			for _, test := range []struct {
				reason string
				after  asset.ChangeCursor
				want   []string
			}{
				{"after everything", asset.ChangeCursor{At: at(10), ID: 1}, sites()},
				{"between two times", asset.ChangeCursor{At: at(25), ID: 1}, sites(2, 1, 0)},
				{"at a time, above its IDs", asset.ChangeCursor{At: at(20), ID: asset.MaxID}, sites(2, 1, 0)},
				{"at a time, below its IDs", asset.ChangeCursor{At: at(20), ID: 1}, sites(0)},
				{"a time without an ID", asset.ChangeCursor{At: at(20)}, sites(0)},
				{"between two milliseconds", asset.ChangeCursor{At: at(20).Add(time.Microsecond), ID: 1}, sites(2, 1, 0)},
				{"before everything", asset.ChangeCursor{At: at(1000), ID: 1}, sites(3, 2, 1, 0)},
			} {
				require.Equal(p, test.want, contents(p.changesAfter(asset.ChangeFilter{}, test.after, 10)), test.reason)
			}
		}},
		{"a newer change that is recorded between two pages is not in the second", func(p *probe) {
			p.block(at(10), at(20), at(30))
			first := p.changesAfter(asset.ChangeFilter{}, asset.ChangeCursor{}, 2)
			require.Equal(p, sites(2, 1), contents(first))
			p.set(site(9), asset.StatusBlocked, at(40))
			require.Equal(p, sites(0), contents(p.changesAfter(asset.ChangeFilter{}, first[1].Cursor(), 2)))
		}},
		{"a cursor at the zero time is not the start of the changelog", func(p *probe) {
			var first time.Time
			p.block(first, first, first)
			changes := p.changes(asset.ChangeFilter{})
			require.Equal(p, sites(2, 1, 0), contents(changes))
			require.Equal(p, changes, p.changesByPages(asset.ChangeFilter{}, 1))
		}},
	}
}

// pageableChanges records changes of a few assets, many in the same millisecond.
func (p *probe) pageableChanges() {
	p.Helper()
	for i := range 12 {
		p.set(site(i%4), []asset.Status{asset.StatusBlocked, asset.StatusAllowed, asset.StatusUnknown}[(i/4)%3], at(i*7%10))
	}
	cmd := addCommand(1, 10, 11, 12, 13, 14)
	cmd.At = at(5)
	p.add(cmd)
}
