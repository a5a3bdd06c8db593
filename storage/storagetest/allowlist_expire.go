package storagetest

import (
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
)

// endingCommand returns a command that adds assets at(0), whose entries end at the given
// time.
func endingCommand(organizationID int64, end time.Time, numbers ...int) allowlist.AddCommand {
	cmd := addCommand(organizationID, numbers...)
	for i := range cmd.Entries {
		cmd.Entries[i].ExpiresAt = end
	}
	return cmd
}

func (p *probe) expireEntries(now time.Time, limit int) int {
	p.Helper()
	result, err := p.ExpireEntries(p.Context(), allowlist.ExpireCommand{At: now, Limit: limit})
	require.NoError(p, err, "ExpireEntries")
	return result
}

func (p *probe) setEntryExpiry(organizationID, assetID int64, end, now time.Time) error {
	p.Helper()
	req := allowlist.SetExpiryRequest{OrganizationID: organizationID, AssetID: assetID, ExpiresAt: end}
	return p.SetEntryExpiry(p.Context(), req, now)
}

func allowlistExpireChecks() []requirement {
	return []requirement{
		{"1,000 entries of 100 organizations expire in one step", func(p *probe) {
			for organization := range int64(100) {
				p.add(endingCommand(organization+1, at(20), numbersTo(1000)[organization*10:organization*10+10]...))
			}
			require.Equal(p, 1000, p.expireEntries(at(20), allowlist.MaxItems))
			require.Len(p, p.changes(asset.ChangeFilter{To: asset.StatusUnknown}), 1000)
			require.Zero(p, p.expireEntries(at(20), allowlist.MaxItems))
		}},
	}
}
