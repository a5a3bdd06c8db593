package storagetest

import (
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
)

func dryRunChecks() []requirement {
	return []requirement{
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
