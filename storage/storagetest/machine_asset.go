package storagetest

import (
	"cmp"
	"slices"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/step"
)

func (m *machine) readChanges(t *rapid.T) {
	filter := anyChangeFilter.Draw(t, "filter")
	var after asset.ChangeCursor
	if rapid.Bool().Draw(t, "continued") {
		after = asset.ChangeCursor{At: anyBound.Draw(t, "after"), ID: rapid.Int64Range(1, m.last["change"]+1).Draw(t, "after ID")}
	}
	req := asset.ListChangesRequest{Filter: filter, Cursor: after, Limit: anyLimit.Draw(t, "limit")}
	if rapid.Bool().Draw(t, "of some assets") {
		req.Assets = rapid.SliceOfN(rapid.Int64Range(1, m.last["asset"]+1), 0, 4).Draw(t, "assets")
	}
	if rapid.Bool().Draw(t, "of a user") {
		req.Actor = anyUser.Draw(t, "actor")
	}
	want := slices.DeleteFunc(changelogOf(m.model.changes), func(c asset.Change) bool { return !after.Precedes(c) || !req.Selects(c) })
	got, err := m.Changes(m.Context(), req)
	require.NoError(m, err, "Changes with %+v", req)
	samePage(m, want, req.Limit, got, "Changes with %+v", req)
}

func (m *machine) pruneRandomly(t *rapid.T) {
	step := asset.PruneCommand{
		Before: anyBound.Draw(t, "before"),
		Limit:  anyLimit.Draw(t, "limit"),
		Audit:  m.anyAct(t),
	}
	if rapid.Bool().Draw(t, "continued") {
		step.After = m.pruned
	}
	if !m.follows {
		return // nothing tells the IDs of changes that are not of the status
	}
	m.publish() // only published changes leave the feed
	m.compareFeed()
	want := m.model.prune(step)
	require.Equal(m, want, m.prune(step), "PruneChanges with %+v", step)
	m.model.tell(step.Entry(want.Removed))
	m.pruned = want.Next
	m.compareChanges()
}

// compareChanges copies the IDs of new changes to the model and compares the changelogs.
func (m *machine) compareChanges() {
	m.Helper()
	got := m.changes(asset.ChangeFilter{})
	byID := slices.SortedFunc(slices.Values(got), func(a, b asset.Change) int { return cmp.Compare(a.ID, b.ID) })
	i := 0
	for n := range m.model.changes {
		if known := &m.model.changes[n]; known.OfStatus() {
			require.Less(m, i, len(byID), "the number of recorded changes")
			if known.ID == 0 {
				m.assigned("change", byID[i].ID)
				known.ID = byID[i].ID
			}
			i++
		}
	}
	require.Len(m, byID, i, "the number of recorded changes")
	require.Equal(m, orNil(changelogOf(m.model.changes)), orNil(got), "the changelog")
	for _, changed := range got {
		of := m.model.assetByID(changed.AssetID)
		require.Equal(m, of.Status, m.model.latestChange(of.ID).To, "the newest change of %v must have its status", of.Identity)
	}
}

func (m *machine) compareAssets() {
	m.Helper()
	for n := range assetCount {
		m.compareAsset(machineAsset(n))
	}
	require.Equal(m, m.model.listed(), orNil(m.list(asset.Filter{})), "the list of assets")
}

func (m *machine) compareAsset(identity asset.Identity) {
	m.Helper()
	if want := m.model.asset(identity); want != nil {
		known := asset.Known{Asset: *want, Basis: m.model.named(m.model.bases[want.ID])}
		require.Equal(m, []asset.Known{known}, m.assetsByIdentity(identity), "AssetsByIdentity of %v", identity)
	} else {
		m.noAsset(identity)
	}
}

func (m *model) asset(identity asset.Identity) *asset.Asset {
	return find(m.assets, func(a asset.Asset) bool { return a.Identity == identity })
}

func (m *model) assetByID(id int64) *asset.Asset {
	return find(m.assets, func(a asset.Asset) bool { return a.ID == id })
}

// register adds an UNKNOWN asset with the ID that the store assigned.
func (m *model) register(id int64, identity asset.Identity) *asset.Asset {
	m.assets = append(m.assets, asset.Asset{ID: id, Identity: identity, Status: asset.StatusUnknown})
	return &m.assets[len(m.assets)-1]
}

// latestChange returns the latest change of the status of an asset, by time and ID.
func (m *model) latestChange(assetID int64) asset.Change {
	return orZero(find(changelogOf(m.changes), func(c asset.Change) bool { return c.AssetID == assetID }))
}

func (m *model) prune(cmd asset.PruneCommand) step.Pruned[asset.ChangeCursor] {
	pruned := step.Pruned[asset.ChangeCursor]{Next: cmd.After}
	looked, removed := 0, make(map[int64]bool)
	for _, change := range slices.Backward(newestFirst(m.changes)) {
		if looked == cmd.Limit || !cmd.Match(change) {
			continue
		}
		looked++
		pruned.Next = change.Cursor()
		latest := *find(newestFirst(m.changes), func(c asset.Change) bool { return c.AssetID == change.AssetID })
		if change.OfStatus() {
			latest = m.latestChange(change.AssetID)
		}
		removed[change.ID] = change.ID != latest.ID
	}
	before := len(m.changes)
	m.changes = slices.DeleteFunc(m.changes, func(c asset.Change) bool {
		if removed[c.ID] {
			m.pruned = max(m.pruned, c.ID)
		}
		return removed[c.ID]
	})
	if pruned.Removed = before - len(m.changes); pruned.Removed > 0 {
		m.prunings++
	}
	pruned.Done = looked < cmd.Limit
	return pruned
}
