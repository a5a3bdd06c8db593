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

// listedAt returns the numbers of entries of organization 1 and of organizations that allow
// the asset at a time.
func (p *probe) listedAt(assetID int64, now time.Time) (entries, organizations int) {
	p.Helper()
	page, err := p.AllowlistEntries(p.Context(), allowlist.ListRequest{OrganizationID: 1, Limit: noLimit}, now)
	require.NoError(p, err, "AllowlistEntries")
	allowing, err := p.AllowingOrganizations(p.Context(), allowlist.AllowedByRequest{AssetID: assetID, Limit: noLimit}, now)
	require.NoError(p, err, "AllowingOrganizations")
	return len(page.Items), len(allowing.Items)
}

func allowlistExpireChecks() []requirement {
	return []requirement{
		{"an entry is read back with its end", func(p *probe) {
			cmd := endingCommand(1, at(20), 1)
			cmd.Entries = append(cmd.Entries, entryFor(2))
			p.add(cmd)
			entries := p.entriesByAsset()
			require.Equal(p, at(20), entries[site(1)].ExpiresAt)
			require.Zero(p, entries[site(2)].ExpiresAt)
		}},
		{"from its end on an entry is not there", func(p *probe) {
			p.add(endingCommand(1, at(20), 1))
			id := p.asset(site(1)).ID
			for now, want := range map[time.Time]int{
				at(0): 1, at(19): 1, at(20).Add(-time.Microsecond): 1, at(20): 0, at(20).Add(time.Microsecond): 0, at(21): 0, maxTime: 0,
			} {
				entries, organizations := p.listedAt(id, now)
				require.Equal(p, want, entries, "AllowlistEntries at %v", now)
				require.Equal(p, want, organizations, "AllowingOrganizations at %v", now)
				cmd := dryRun(1)
				cmd.At = now
				require.Equal(p, want == 1, p.add(cmd)[0].Err != nil, "a dry run at %v", now)
			}
			removal := p.removal(1, 1)
			removal.At = at(20)
			require.Empty(p, p.remove(removal), "RemoveFromAllowlist")
			require.ErrorIs(p, p.setEntryExpiry(1, id, at(50), at(20)), allowlist.ErrNotListed, "SetEntryExpiry")
			require.Equal(p, asset.StatusAllowed, p.asset(site(1)).Status, "the status stays until ExpireEntries")
		}},
		{"an entry that has ended is replaced", func(p *probe) {
			p.add(endingCommand(1, at(20), 1, 2))
			again := addCommand(1, 1, 2, 3)
			again.At = at(19)
			require.ErrorIs(p, p.add(again)[0].Err, allowlist.ErrExists)
			again.At = at(20)
			again.Entries[0].Name, again.Entries[1].ExpiresAt = "again", at(30)
			for _, outcome := range p.add(again)[:2] {
				require.NoError(p, outcome.Err)
			}
			entries := p.entriesByAsset()
			require.Len(p, entries, 3)
			require.Equal(p, allowlist.Entry{Asset: p.asset(site(1)), Content: site(1).Canonical, Name: "again", AddedAt: at(20)}, entries[site(1)])
			require.Equal(p, at(30), entries[site(2)].ExpiresAt)
			require.Len(p, p.changes(asset.ChangeFilter{}), 3, "the assets were ALLOWED already")
			require.Zero(p, p.expireEntries(at(29), 10))
		}},
		{"expiry removes what has ended and restores the status", func(p *probe) {
			p.set(site(2), asset.StatusBlocked, at(-1))
			p.add(endingCommand(1, at(20), 1, 2))
			p.add(endingCommand(1, at(21), 3))
			p.add(addCommand(1, 4))
			require.Zero(p, p.expireEntries(at(19), 10))
			require.Equal(p, 2, p.expireEntries(at(20), 10))
			require.Len(p, p.entries(1), 2)
			for n, want := range []asset.Status{1: asset.StatusUnknown, 2: asset.StatusBlocked, 3: asset.StatusAllowed, 4: asset.StatusAllowed} {
				if want != "" {
					require.Equal(p, want, p.asset(site(n)).Status, "asset %d", n)
				}
			}
			for _, change := range p.changes(asset.ChangeFilter{From: asset.StatusAllowed}) {
				require.Equal(p, at(20), change.At)
				require.Equal(p, asset.Origin{Cause: asset.CauseAllowlistRemoval, Reference: "organization/1"}, change.Origin)
			}
			require.Zero(p, p.expireEntries(at(20), 10), "a second time")
		}},
		{"an asset that another organization lists stays ALLOWED", func(p *probe) {
			p.add(endingCommand(1, at(20), 1))
			p.add(addCommand(2, 1))
			require.Equal(p, 1, p.expireEntries(at(30), 10))
			require.Equal(p, asset.StatusAllowed, p.asset(site(1)).Status)
			p.remove(p.removal(2, 1))
			require.Equal(p, asset.StatusUnknown, p.asset(site(1)).Status)
		}},
		{"an entry that has ended no longer holds the asset", func(p *probe) {
			p.add(endingCommand(1, at(20), 1))
			p.add(addCommand(2, 1))
			removal := p.removal(2, 1)
			removal.At = at(20)
			p.remove(removal)
			require.Equal(p, asset.StatusUnknown, p.asset(site(1)).Status)
			require.Equal(p, 1, p.expireEntries(at(30), 10))
			require.Len(p, p.changes(asset.ChangeFilter{}), 2)
		}},
		{"the first of several organizations in a step restores the status", func(p *probe) {
			for _, organization := range []int64{3, 1, 2} {
				p.add(endingCommand(organization, at(20), 1))
			}
			require.Equal(p, 3, p.expireEntries(at(30), 10))
			require.Equal(p, "organization/1", p.newestChange().Origin.Reference)
			require.Len(p, p.changes(asset.ChangeFilter{}), 2)
		}},
		{"a step removes the first entries up to its limit", func(p *probe) {
			p.add(endingCommand(1, at(22), 1))
			p.add(endingCommand(2, at(21), 2))
			p.add(endingCommand(1, at(21), 3))
			p.add(endingCommand(3, at(20), 4))
			for _, want := range [][]int{{4, 3}, {2, 1}} {
				require.Equal(p, 2, p.expireEntries(at(30), 2))
				for _, n := range want {
					require.Equal(p, asset.StatusUnknown, p.asset(site(n)).Status, "asset %d of %v", n, want)
				}
			}
			require.Zero(p, p.expireEntries(at(30), 2))
		}},
		{"an end can be moved, removed and set", func(p *probe) {
			p.add(endingCommand(1, at(20), 1))
			p.add(addCommand(1, 2))
			first, second := p.asset(site(1)).ID, p.asset(site(2)).ID
			require.NoError(p, p.setEntryExpiry(1, first, at(40), at(19)))
			require.Equal(p, at(40), p.entriesByAsset()[site(1)].ExpiresAt)
			require.NoError(p, p.setEntryExpiry(1, first, time.Time{}, at(39)))
			require.Zero(p, p.entriesByAsset()[site(1)].ExpiresAt)
			require.NoError(p, p.setEntryExpiry(1, second, at(20).Add(time.Microsecond), at(1)))
			require.Equal(p, at(20), p.entriesByAsset()[site(2)].ExpiresAt)
			require.Equal(p, 1, p.expireEntries(at(1000), 10))
			require.ErrorIs(p, p.setEntryExpiry(1, second, at(50), at(1)), allowlist.ErrNotListed, "a removed entry")
			require.ErrorIs(p, p.setEntryExpiry(2, first, at(50), at(1)), allowlist.ErrNotListed, "another organization")
			require.ErrorIs(p, p.setEntryExpiry(1, 999, at(50), at(1)), allowlist.ErrNotListed, "an unknown asset")
		}},
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
