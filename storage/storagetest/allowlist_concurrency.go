package storagetest

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/test/testsize"
)

func allowlistConcurrencyChecks() []requirement {
	const rounds, size = 5, 100
	return []requirement{
		{"assets that one organization lists while the last other one leaves them stay ALLOWED", func(p *probe) {
			p.ensureOrganizations(ids(2)...)
			for range rounds {
				p.add(addCommand(1, numbersTo(size)...))
				removal := p.removal(1, numbersTo(size)...)
				p.allSucceed(concurrently(2, func(i int) (err error) {
					if i == 0 {
						_, err = p.RemoveFromAllowlist(p.Context(), removal)
					} else {
						_, err = p.AddToAllowlist(p.Context(), addCommand(2, numbersTo(size)...))
					}
					return err
				}))
				p.allHaveStatus(asset.StatusAllowed, size)
				p.remove(p.removal(2, numbersTo(size)...))
			}
		}},
		{"assets that their last two organizations leave at the same time are as before", func(p *probe) {
			for range rounds {
				removals := make([]allowlist.RemoveCommand, 2)
				for i := range removals {
					p.add(addCommand(int64(i+1), numbersTo(size)...))
					removals[i] = p.removal(int64(i+1), numbersTo(size)...)
				}
				p.allSucceed(concurrently(len(removals), func(i int) error {
					_, err := p.RemoveFromAllowlist(p.Context(), removals[i])
					return err
				}))
				p.allHaveStatus(asset.StatusUnknown, size)
			}
		}},
		{"concurrent additions, removals and expiries keep entries and statuses in step", listersLeaversAndExpirers},
		{"the newest change of each asset has its status after concurrent additions and removals", listersAndLeavers},
	}
}

// allHaveStatus requires a status of the first assets.
func (p *probe) allHaveStatus(status asset.Status, assets int) {
	p.Helper()
	for n := range assets {
		require.Equal(p, status, p.asset(site(n)).Status)
		p.validChanges(site(n))
	}
}

// listersAndLeavers lets organizations add and remove the same assets. As the clocks of several
// servers do, their clocks differ, and each command has the time of before it waited.
func listersAndLeavers(p *probe) {
	const organizations, rounds = 4, 6
	assets := testsize.Of(100, 200, 400)
	p.setStatuses(statusesCommand(at(0), asset.StatusUnknown, numbersTo(min(assets, asset.MaxItems))...))
	batches := slices.Collect(slices.Chunk(numbersTo(assets), 100))
	p.ensureOrganizations(ids(organizations)...)
	p.allSucceed(concurrently(organizations, func(i int) error {
		random := rand.New(rand.NewPCG(uint64(i), 2)) //nolint:gosec // it must be repeatable
		for round := range rounds * len(batches) {
			cmd := addCommand(int64(i+1), batches[random.IntN(len(batches))]...)
			cmd.At = at(10*round - i)
			outcomes, err := p.AddToAllowlist(p.Context(), cmd)
			if err != nil {
				return err
			}
			var listed []int64
			for _, outcome := range outcomes {
				listed = append(listed, outcome.AssetID)
			}
			leaving := removeCommand(int64(i+1), sorted(listed)...)
			leaving.At = at(10*round - 2*i)
			if _, err := p.RemoveFromAllowlist(p.Context(), leaving); err != nil {
				return err
			}
		}
		return nil
	}))
	newest := make(map[asset.Identity]asset.Status)
	for _, change := range slices.Backward(p.changes(asset.ChangeFilter{})) {
		newest[change.Identity()] = change.To
	}
	contradictions := 0
	for _, listed := range p.list(asset.Filter{}) {
		if to, changed := newest[listed.Identity]; changed && to != listed.Status {
			contradictions++
		}
	}
	require.Zero(p, contradictions, "of %d assets", assets)
}

// listersLeaversAndExpirers lets organizations add and remove the same assets while other
// callers expire entries. Each organization knows which of its entries must be left. In the end
// an asset is ALLOWED if an organization lists it, and else as it was in the beginning.
func listersLeaversAndExpirers(p *probe) {
	const organizations, expirers, assets = 6, 2, 8
	before, listed := make([]asset.Asset, assets), make([]map[int]bool, organizations)
	for n := range before {
		before[n] = p.set(site(n), []asset.Status{asset.StatusUnknown, asset.StatusBlocked}[n%2], at(0))
	}
	p.ensureOrganizations(ids(organizations)...)
	p.allSucceed(concurrently(organizations+expirers, func(i int) (err error) {
		if i < organizations {
			listed[i], err = p.addAndRemoveRandomly(int64(i+1), before)
			return err
		}
		for range 40 {
			_, err = p.ExpireEntries(p.Context(), allowlist.ExpireCommand{At: at(20), Limit: 3})
			if err != nil {
				return err
			}
		}
		return nil
	}))
	p.expireEntries(at(20), noLimit)
	allowed := make(map[int]bool)
	for i, want := range listed {
		got := make(map[int]bool)
		for _, entry := range p.entries(int64(i + 1)) {
			got[slices.IndexFunc(before, func(a asset.Asset) bool { return a.ID == entry.Asset.ID })] = true
		}
		require.Equal(p, want, got, "the entries of organization %d", i+1)
		maps.Copy(allowed, want)
	}
	for n, want := range before {
		if allowed[n] {
			want.Status = asset.StatusAllowed
		}
		require.Equal(p, want, p.asset(site(n)))
		p.validChanges(site(n))
	}
}

// addAndRemoveRandomly adds and removes entries of an organization repeatedly. It returns the
// numbers of the assets whose entries are left and do not end. Every second organization adds
// entries that have ended for those who expire them, and then removes the ends of some.
func (p *probe) addAndRemoveRandomly(organizationID int64, assets []asset.Asset) (map[int]bool, error) {
	random := rand.New(rand.NewPCG(uint64(organizationID), 1)) //nolint:gosec // it must be repeatable
	some := func() []int { return random.Perm(len(assets))[:len(assets)/2] }
	listed := make(map[int]bool)
	for range 12 {
		cmd := addCommand(organizationID, some()...)
		if organizationID%2 == 0 {
			cmd = endingCommand(organizationID, at(10), some()...)
		}
		outcomes, err := p.AddToAllowlist(p.Context(), cmd)
		if err != nil {
			return nil, err
		}
		for i, outcome := range outcomes {
			n := slices.IndexFunc(assets, func(a asset.Asset) bool { return a.Identity == cmd.Entries[i].Asset.Identity })
			if isListed := errors.Is(outcome.Err, allowlist.ErrExists); listed[n] && !isListed || outcome.Err != nil && !isListed {
				return nil, fmt.Errorf("asset %d, listed before: %v: %w", n, listed[n], outcome.Err)
			}
			switch err := p.keepEntry(organizationID, outcome.AssetID, cmd.Entries[i]); {
			case err == nil:
				listed[n] = true
			case listed[n] || !errors.Is(err, allowlist.ErrNotListed):
				return nil, fmt.Errorf("the entry of asset %d: %w", n, err)
			}
		}
		var leaving, want []int64
		for _, n := range slices.Sorted(slices.Values(some())) {
			leaving = append(leaving, assets[n].ID)
			if listed[n] {
				want = append(want, assets[n].ID)
			}
			delete(listed, n)
		}
		removed, err := p.RemoveFromAllowlist(p.Context(), removeCommand(organizationID, leaving...))
		if got := assetIDs(removed); err != nil || !slices.Equal(want, got) {
			return nil, fmt.Errorf("the removal must return %v, not %v: %w", want, got, err)
		}
	}
	return listed, nil
}

// keepEntry removes the end of an entry, if it has one.
func (p *probe) keepEntry(organizationID, assetID int64, added allowlist.Entry) error {
	if added.ExpiresAt.IsZero() {
		return nil
	}
	return p.SetEntryExpiry(p.Context(), allowlist.SetExpiryRequest{OrganizationID: organizationID, AssetID: assetID}, at(0))
}
