package storagetest

import (
	"cmp"
	"slices"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/allowlist"
)

func (m *machine) setExpiryRandomly(t *rapid.T) {
	organization := anyOrganization.Draw(t, "organization")
	assetID := rapid.Int64Range(1, m.last["asset"]+1).Draw(t, "asset")
	end, now := sometimes(anyTime).Draw(t, "end"), anyTime.Draw(t, "at")
	err := m.setEntryExpiry(organization, assetID, end, now)
	if entry := m.model.entry(organization, assetID, now); entry != nil {
		require.NoError(m, err)
		entry.entry.ExpiresAt = end
	} else {
		require.ErrorIs(m, err, allowlist.ErrNotListed)
	}
}

func (m *machine) expireRandomly(t *rapid.T) {
	now, limit := anyTime.Draw(t, "at"), rapid.IntRange(1, 4).Draw(t, "limit")
	cmd := allowlist.ExpireCommand{At: now, Limit: limit}
	require.Equal(m, m.model.expireEntries(cmd), m.expireEntries(now, limit), "ExpireEntries with %+v", cmd)
	m.compareChanges()
}

func (m *model) expireEntries(cmd allowlist.ExpireCommand) int {
	ended := slices.DeleteFunc(slices.Clone(m.entries), func(e modelEntry) bool { return e.lasts(cmd.At) })
	byAsset := func(a, b modelEntry) int {
		return cmp.Or(cmp.Compare(a.organizationID, b.organizationID), cmp.Compare(a.entry.Asset.ID, b.entry.Asset.ID))
	}
	slices.SortFunc(ended, func(a, b modelEntry) int {
		return cmp.Or(a.entry.ExpiresAt.Compare(b.entry.ExpiresAt), byAsset(a, b))
	})
	ended = ended[:min(cmd.Limit, len(ended))]
	slices.SortFunc(ended, byAsset)
	for _, e := range ended {
		m.deleteEntry(e.organizationID, e.entry.Asset.ID)
		origin := cmd.Removal(e.organizationID, nil).Origin
		m.settle(m.assetByID(e.entry.Asset.ID), cmd.At, origin)
	}
	return len(ended)
}
