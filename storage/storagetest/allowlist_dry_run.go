package storagetest

import (
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
)

func dryRunChecks() []requirement {
	return []requirement{
		{"a dry run has the outcomes in the order of the entries", func(p *probe) {
			listed := p.add(addCommand(1, 1, 2))
			p.add(addCommand(2, 3))
			p.set(site(2), asset.StatusBlocked, at(1))
			p.set(site(5), asset.StatusUnknown, at(1))
			require.Equal(p, []allowlist.Outcome{
				{AssetID: p.asset(site(5)).ID, Status: asset.StatusUnknown},
				{},
				{AssetID: listed[1].AssetID, Status: asset.StatusBlocked, Err: allowlist.ErrExists},
				{AssetID: p.asset(site(3)).ID, Status: asset.StatusAllowed},
				{AssetID: listed[0].AssetID, Status: asset.StatusAllowed, Err: allowlist.ErrExists},
			}, p.add(dryRun(5, 4, 2, 3, 1)))
		}},
		{"an asset of another type is another asset", func(p *probe) {
			p.add(addCommand(1, 1))
			cmd := dryRun(1)
			cmd.Entries[0].Asset.Type = asset.TypePage
			require.Zero(p, only(p, p.add(cmd)))
		}},
		{"a dry run without entries has no outcomes", func(p *probe) {
			require.Empty(p, p.add(dryRun()))
		}},
		{"a dry run with an unknown group is a GroupNotFoundError", func(p *probe) {
			mine, other := p.newGroup(1, "mine"), p.newGroup(2, "other")
			cmd := dryRun(1)
			cmd.GroupIDs = []int64{mine}
			p.add(cmd)
			for _, missing := range []int64{998, other} {
				cmd.GroupIDs = []int64{mine, missing, 999}
				p.refusedGroup(cmd, missing)
			}
		}},
		{"a dry run stores nothing", func(p *probe) {
			before := p.add(dryRun(1, 2))
			require.Equal(p, before, p.add(dryRun(1, 2)))
			p.noAsset(site(1))
			require.Empty(p, p.entries(1))
		}},
		{"a dry run of 1,000 entries", func(p *probe) {
			numbers := numbersTo(allowlist.MaxItems)
			require.Equal(p, make([]allowlist.Outcome, allowlist.MaxItems), p.add(dryRun(numbers...)))
			outcomes := p.add(addCommand(1, numbers...))
			for i, outcome := range p.add(dryRun(numbers...)) {
				require.Equal(p, allowlist.Outcome{AssetID: outcomes[i].AssetID, Status: asset.StatusAllowed, Err: allowlist.ErrExists}, outcome)
			}
		}},
	}
}

// dryRun is addCommand for a dry run of organization 1.
func dryRun(numbers ...int) allowlist.AddCommand {
	cmd := addCommand(1, numbers...)
	cmd.DryRun = true
	return cmd
}
