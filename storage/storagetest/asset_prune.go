package storagetest

import (
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/step"
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

func pruneChecks() []requirement {
	return []requirement{
		{"cursors work from year 1 to 9999", func(p *probe) {
			all := sampleTimes()
			p.toggle(1, all...)
			cmd := asset.PruneCommand{Before: maxTime, Limit: 1}
			for i, when := range all[:len(all)-1] {
				pruned := p.prune(cmd)
				require.Equal(p, 1, pruned.Removed, "step %d, to %v", i+1, when)
				p.sameTime(when, pruned.Next.At, "the cursor of a step")
				cmd.After = pruned.Next
			}
			require.Equal(p, step.Pruned[asset.ChangeCursor]{Next: cmd.After, Done: true}, p.prune(cmd))
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
			require.Equal(p, step.Pruned[asset.ChangeCursor]{Next: newest[0].Cursor(), Done: true}, pruned)
		})},
	}
}
