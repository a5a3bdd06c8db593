package storagetest

import (
	"slices"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage"
)

// importSuperseded stores n assets with two changes each in an empty store: to BLOCKED at
// at(-1), and to ALLOWED at at(0).
func (p *probe) importSuperseded(n int) {
	p.Helper()
	var seed storage.Seed
	a := addCommand(1, numbersTo(n)...)
	for i := range a.Entries {
		a.Entries[i].Asset.Identity = seedSite(i)
		seed.Assets = append(seed.Assets, storage.SeedAsset{Content: seedSite(i).Canonical, Status: asset.StatusBlocked, ChangedAt: at(-1)})
	}
	p.importSeed(seed)
	p.add(a)
}

// cursors returns the cursors of all changes, from the oldest to the newest.
func (p *probe) cursors() []asset.ChangeCursor {
	p.Helper()
	var list []asset.ChangeCursor
	for _, change := range slices.Backward(p.changes(asset.ChangeFilter{})) {
		list = append(list, change.Cursor())
	}
	return list
}

func pruneChecks() []requirement {
	return []requirement{
		{"an empty store has nothing to prune", func(p *probe) {
			require.Equal(p, asset.Pruned[asset.ChangeCursor]{Done: true}, p.prune(asset.PruneCommand{Before: maxTime, Limit: 10}))
		}},
		{"the latest change of each asset stays, even if it is old", func(p *probe) {
			p.toggle(1, at(10))
			p.toggle(2, at(11), at(20), at(30))
			p.toggle(3, at(12), at(25))
			changes := p.changes(asset.ChangeFilter{})
			require.Equal(p, sites(2, 3, 2, 3, 2, 1), contents(changes))
			require.Equal(p, 3, p.pruneAll(at(1000), 10))
			require.Equal(p, []asset.Change{changes[0], changes[1], changes[5]}, p.changes(asset.ChangeFilter{}))
			require.Equal(p, 0, p.pruneAll(at(1000), 10), "a second time")
		}},
		{"the latest change is the last one by time, then by ID", func(p *probe) {
			p.toggle(1, at(10), at(10), at(10))
			p.toggle(2, at(30), at(10), at(20))
			p.toggle(3, at(10), at(10))
			latest := []asset.Change{
				only(p, p.changesAfter(asset.ChangeFilter{Identity: site(2)}, asset.ChangeCursor{}, 1)),
				only(p, p.changesAfter(asset.ChangeFilter{Identity: site(3)}, asset.ChangeCursor{}, 1)),
				only(p, p.changesAfter(asset.ChangeFilter{Identity: site(1)}, asset.ChangeCursor{}, 1)),
			}
			require.Equal(p, at(30), latest[0].At)
			require.Equal(p, 5, p.pruneAll(at(1000), 10))
			require.Equal(p, latest, p.changes(asset.ChangeFilter{}))
		}},
		{"all changes before the time are removed if the latest one is not before it", func(p *probe) {
			p.toggle(1, at(10), at(20), at(30), at(40))
			changes := p.changes(asset.ChangeFilter{})
			require.Equal(p, 2, p.pruneAll(at(30), 10))
			require.Equal(p, changes[:2], p.changes(asset.ChangeFilter{}))
		}},
		{"only changes before the time are removed", func(p *probe) {
			for i := range 6 {
				p.toggle(i, at(30), at(2000))
			}
			left := 12
			for _, test := range []struct {
				reason string
				before time.Time
				n      int
			}{
				{"the zero time", time.Time{}, 0},
				{"long before", at(-1000), 0},
				{"the time itself", at(30), 0},
				{"the time itself in another time zone", at(30).In(time.FixedZone("", -9*3600)), 0},
				{"shortly before the time", at(30).Add(-time.Microsecond), 0},
				{"shortly after the time", at(30).Add(time.Microsecond), 1},
				{"a millisecond after the time", at(31), 1},
				{"after the time in another time zone", at(31).In(time.FixedZone("", 9*3600)), 1},
				{"long after", at(2000), 1},
				{"the end of year 9999", maxTime, 1},
				{"the year 10000", maxTime.Add(time.Millisecond), 1},
			} {
				pruned := p.prune(asset.PruneCommand{Before: test.before, Limit: 1})
				require.Equal(p, test.n, pruned.Removed, test.reason)
				left -= test.n
				require.Len(p, p.changes(asset.ChangeFilter{}), left, test.reason)
			}
		}},
		{"a step examines no more changes than its limit", func(p *probe) {
			p.toggle(1, at(10), at(20), at(30), at(40), at(50))
			cursors := p.cursors()
			step := asset.PruneCommand{Before: at(1000), Limit: 2}
			require.Equal(p, asset.Pruned[asset.ChangeCursor]{Removed: 2, Next: cursors[1]}, p.prune(step))
			require.Equal(p, cursors[2:], p.cursors())
			step.After = cursors[1]
			require.Equal(p, asset.Pruned[asset.ChangeCursor]{Removed: 2, Next: cursors[3]}, p.prune(step))
			require.Equal(p, cursors[4:], p.cursors())
			step.After = cursors[3]
			require.Equal(p, asset.Pruned[asset.ChangeCursor]{Next: cursors[4], Done: true}, p.prune(step))
			require.Equal(p, cursors[4:], p.cursors())
		}},
		{"the limit counts changes that stay", func(p *probe) {
			p.block(at(10), at(10), at(20), at(20), at(30))
			p.toggle(9, at(40), at(50))
			cursors := p.cursors()
			step := asset.PruneCommand{Before: at(1000), Limit: 3}
			require.Equal(p, asset.Pruned[asset.ChangeCursor]{Next: cursors[2]}, p.prune(step))
			step.After = cursors[2]
			require.Equal(p, asset.Pruned[asset.ChangeCursor]{Removed: 1, Next: cursors[5]}, p.prune(step))
			require.Equal(p, append(cursors[:5:5], cursors[6]), p.cursors())
		}},
		{"a step that reaches its limit is not the last one", func(p *probe) {
			p.toggle(1, at(10), at(20), at(30))
			cursors := p.cursors()
			step := asset.PruneCommand{Before: at(1000), Limit: 3}
			require.Equal(p, asset.Pruned[asset.ChangeCursor]{Removed: 2, Next: cursors[2]}, p.prune(step))
			step.After = cursors[2]
			require.Equal(p, asset.Pruned[asset.ChangeCursor]{Next: cursors[2], Done: true}, p.prune(step))
		}},
		{"a step begins after its cursor", func(p *probe) {
			p.toggle(1, at(10), at(10), at(10), at(20), at(30))
			cursors := p.cursors()
			pruned := p.prune(asset.PruneCommand{Before: at(30), After: cursors[1], Limit: 10})
			require.Equal(p, asset.Pruned[asset.ChangeCursor]{Removed: 2, Next: cursors[3], Done: true}, pruned)
			require.Equal(p, append(cursors[:2:2], cursors[4]), p.cursors())
			require.Equal(p, p.changes(asset.ChangeFilter{}), p.changes(asset.ChangeFilter{Identity: site(1)}))
			require.Equal(p, asset.Pruned[asset.ChangeCursor]{Next: cursors[4], Done: true}, p.prune(asset.PruneCommand{Before: at(30), After: cursors[4], Limit: 10}))
			require.Equal(p, 2, p.pruneAll(at(30), 10), "from the beginning")
		}},
		{"steps of any limit remove the same changes", needs("AddToAllowlist", func(p *probe) {
			p.pageableChanges()
			for limit := 1; limit <= 20; limit++ {
				p.toggle(1, at(10*limit), at(10*limit), at(10*limit+1))
				p.toggle(2, at(10*limit))
				newest := p.newestOfEach()
				removed := len(p.changes(asset.ChangeFilter{})) - len(newest)
				require.Equal(p, removed, p.pruneAll(at(1000), limit), "steps of %d", limit)
				require.Equal(p, newest, p.changes(asset.ChangeFilter{}), "after steps of %d", limit)
			}
		})},
		{"removed changes are in no list", needs("AddToAllowlist", func(p *probe) {
			p.pageableChanges()
			p.toggle(20, at(-10), at(-5), at(100))
			p.pruneAll(at(1000), 4)
			newest := p.newestOfEach()
			require.Len(p, newest, 10)
			for _, filter := range []asset.ChangeFilter{
				{},
				{Type: asset.TypeURL},
				{Identity: site(1)},
				{Identity: site(20)},
				{From: asset.StatusBlocked},
				{To: asset.StatusAllowed},
				{From: asset.StatusUnknown, To: asset.StatusBlocked},
				{Period: asset.Period{Since: at(-10), Before: at(5)}},
			} {
				var want []asset.Change
				for _, change := range newest {
					if filter.Match(change) {
						want = append(want, change)
					}
				}
				require.Equal(p, want, orNil(p.changes(filter)), "filter %+v", filter)
				require.Equal(p, want, orNil(p.changesByPages(filter, 2)), "pages of 2 for filter %+v", filter)
			}
		})},
		{"a cursor at a removed change stays valid", func(p *probe) {
			p.toggle(1, at(10), at(20), at(30), at(40))
			p.toggle(2, at(15))
			page := p.changesAfter(asset.ChangeFilter{}, asset.ChangeCursor{}, 2)
			require.Equal(p, 3, p.pruneAll(at(1000), 10))
			require.Equal(p, sites(2), contents(p.changesAfter(asset.ChangeFilter{}, page[1].Cursor(), 2)))
		}},
		{"new changes are recorded after pruning", func(p *probe) {
			p.toggle(1, at(10), at(20))
			p.pruneAll(at(1000), 10)
			require.Equal(p, asset.StatusAllowed, p.set(site(1), asset.StatusAllowed, at(30)).Status)
			require.Len(p, p.changes(asset.ChangeFilter{}), 1, "the current status of the asset must not be recorded as a change")
			p.set(site(1), asset.StatusUnknown, at(40))
			changes := p.changes(asset.ChangeFilter{Identity: site(1)})
			require.Len(p, changes, 2)
			require.Equal(p, asset.StatusAllowed, changes[0].From)
			require.Equal(p, changes, p.changes(asset.ChangeFilter{}))
		}},
		{"the ID of a removed change is not used again", func(p *probe) {
			p.toggle(1, at(30), at(10))
			largest := p.changes(asset.ChangeFilter{})[1].ID
			require.Equal(p, 1, p.pruneAll(at(1000), 10))
			p.set(site(1), asset.StatusUnknown, at(40))
			require.Greater(p, p.newestChange().ID, largest)
		}},
		{"pruning changes nothing except the changelog", needs("PutOrganization", func(p *probe) {
			p.fill()
			p.toggle(2, at(10), at(20))
			before := p.snapshot()
			require.Equal(p, 3, p.pruneAll(at(1000), 10))
			after := p.snapshot()
			require.Len(p, after.changes, 4, "four assets have changes")
			after.changes = before.changes
			require.Equal(p, before, after)
		})},
		{"imported changes are pruned", needs("Import", func(p *probe) {
			p.importSeed(fullSeed())
			older := asset.Identity{Type: asset.TypeURL, Canonical: "https://older.example/path"}
			p.set(older, asset.StatusBlocked, at(100))
			require.Equal(p, 1, p.pruneAll(at(50), 10))
			changes := p.changes(asset.ChangeFilter{})
			require.Len(p, changes, 2)
			require.Equal(p, at(100), changes[0].At)
			require.Equal(p, asset.CauseImport, changes[1].Origin.Cause)
		})},
		{"cursors work from year 1 to 9999", func(p *probe) {
			all := sampleTimes()
			p.toggle(1, all...)
			step := asset.PruneCommand{Before: maxTime, Limit: 1}
			for i, when := range all[:len(all)-1] {
				pruned := p.prune(step)
				require.Equal(p, 1, pruned.Removed, "step %d, to %v", i+1, when)
				p.sameTime(when, pruned.Next.At, "the cursor of a step")
				step.After = pruned.Next
			}
			require.Equal(p, asset.Pruned[asset.ChangeCursor]{Next: step.After, Done: true}, p.prune(step))
			p.sameTime(maxTime, only(p, p.changes(asset.ChangeFilter{})).At, "the time of the latest change")
		}},
		{"1,000 of 2,000 changes are removed in one step", needs("Import", func(p *probe) {
			p.importSuperseded(1000)
			newest := p.changes(asset.ChangeFilter{To: asset.StatusAllowed})
			require.Len(p, newest, 1000)
			pruned := p.prune(asset.PruneCommand{Before: at(1000), Limit: asset.MaxLimit})
			require.Equal(p, 1000, pruned.Removed)
			require.False(p, pruned.Done)
			require.Equal(p, newest, p.changes(asset.ChangeFilter{}))
			pruned = p.prune(asset.PruneCommand{Before: at(1000), After: pruned.Next, Limit: noLimit})
			require.Equal(p, asset.Pruned[asset.ChangeCursor]{Next: newest[0].Cursor(), Done: true}, pruned)
		})},
	}
}

// newestOfEach returns the latest change of each asset, newest first.
func (p *probe) newestOfEach() []asset.Change {
	p.Helper()
	var newest []asset.Change
	seen := make(map[int64]bool)
	for _, change := range p.changes(asset.ChangeFilter{}) {
		if !seen[change.AssetID] {
			newest = append(newest, change)
		}
		seen[change.AssetID] = true
	}
	return newest
}
