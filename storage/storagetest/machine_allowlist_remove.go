package storagetest

import (
	"slices"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	verdicts "github.com/apguard/apguard/check"
	"github.com/apguard/apguard/idempotency"
)

func (m *machine) removeRandomly(t *rapid.T) {
	assetIDs := rapid.SliceOfNDistinct(rapid.Int64Range(1, m.last["asset"]+1), 0, assetCount, rapid.ID).Draw(t, "assets")
	cmd := allowlist.RemoveCommand{
		OrganizationID: anyOrganization.Draw(t, "organization"),
		AssetIDs:       sorted(assetIDs),
		At:             anyTime.Draw(t, "at"),
		Origin:         asset.Origin{Cause: asset.CauseAllowlistRemoval, Actor: maybe(anyUser).Draw(t, "actor")},
		Claim:          anyClaim("remove").Draw(t, "claim"),
	}
	for i := range assetIDs {
		cmd.Places = append(cmd.Places, asset.Place{Index: i})
	}
	if refusal := m.model.checkClaim(cmd.Claim); refusal != nil {
		_, err := m.RemoveFromAllowlist(m.Context(), cmd)
		m.refusedClaim(refusal, err)
		return
	}
	m.removeAssets(cmd)
}

// removeAssets executes the command on the store and on the model.
func (m *machine) removeAssets(cmd allowlist.RemoveCommand) {
	m.Helper()
	removed := m.remove(cmd)
	require.Equal(m, m.model.remove(cmd), removed, "RemoveFromAllowlist with %+v", cmd)
	m.model.keep(cmd.Claim, cmd.Record(removed))
	m.compareChanges()
}

// addAndRemove adds assets and removes those that were added. Then all lists are as before, and
// so are all statuses and checks.
func (m *machine) addAndRemove(t *rapid.T) {
	cmd := m.anyAddCommand(t)
	cmd.Claim = idempotency.Claim{}
	for i := range cmd.Entries {
		cmd.Entries[i].ExpiresAt = time.Time{}
	}
	if m.model.organizationRefusal(cmd) != nil {
		return
	}
	assets, entries := slices.Clone(m.model.assets), slices.Clone(m.model.entries)
	verdictsBefore, listedBefore := m.check(cmd), m.withStatuses()
	outcomes := m.add(cmd)
	m.addToModel(cmd, outcomes)
	m.compareChanges()
	removal := allowlist.RemoveCommand{OrganizationID: cmd.OrganizationID, At: cmd.At, Origin: asset.Origin{Cause: asset.CauseAllowlistRemoval}}
	for _, outcome := range outcomes {
		if outcome.Err == nil {
			removal.AssetIDs = append(removal.AssetIDs, outcome.AssetID)
		}
	}
	slices.Sort(removal.AssetIDs)
	m.removeAssets(removal)
	require.Equal(m, m.entriesOf(entries, removal), m.entriesOf(m.model.entries, removal))
	ends := func(assetID int64) bool { // time may have ended the effect of an entry
		return slices.ContainsFunc(entries, func(e modelEntry) bool { return e.entry.Asset.ID == assetID && !e.entry.ExpiresAt.IsZero() })
	}
	someEnd := false
	for i, got := range m.model.assets {
		want := asset.Asset{ID: got.ID, Identity: got.Identity, Status: asset.StatusUnknown}
		if i < len(assets) {
			want = assets[i]
		}
		if ends(got.ID) {
			someEnd = true
			continue
		}
		require.Equal(m, want, got)
		m.compareAsset(got.Identity)
	}
	if !someEnd {
		require.Equal(m, verdictsBefore, m.check(cmd))
		require.Equal(m, listedBefore, m.withStatuses())
	}
}

// entriesOf returns the entries, without those of the command's organization that had ended and were replaced.
func (m *machine) entriesOf(entries []modelEntry, cmd allowlist.RemoveCommand) []modelEntry {
	return orNil(slices.DeleteFunc(slices.Clone(entries), func(e modelEntry) bool {
		return e.organizationID == cmd.OrganizationID && !e.lasts(cmd.At) && slices.Contains(cmd.AssetIDs, e.entry.Asset.ID)
	}))
}

// check checks the assets of a command, and contents that they cover.
func (m *machine) check(cmd allowlist.AddCommand) []verdicts.Verdict {
	m.Helper()
	service := verdicts.NewService(m.Store, verdicts.Options{})
	if len(cmd.Entries) == 0 {
		return nil
	}
	contents := make([]string, 0, 2*len(cmd.Entries))
	for _, one := range cmd.Entries {
		contents = append(contents, one.Asset.Canonical, one.Asset.Canonical+"/path?query")
	}
	results, err := service.CheckBatch(m.Context(), contents)
	require.NoError(m, err, "CheckBatch")
	found := make([]verdicts.Verdict, len(results))
	for i, result := range results {
		require.NoError(m, result.Err)
		one, err := service.Check(m.Context(), contents[i])
		require.NoError(m, err, "Check")
		require.Equal(m, result.Verdict, one, "Check and CheckBatch")
		found[i] = one
	}
	return found
}

// withStatuses returns the assets that are in the lists of BLOCKED and ALLOWED ones.
func (m *machine) withStatuses() []asset.Asset {
	m.Helper()
	var listed []asset.Asset
	for _, status := range []asset.Status{asset.StatusBlocked, asset.StatusAllowed} {
		page, err := m.Assets(m.Context(), asset.ListRequest{Filter: asset.Filter{Status: status}, Limit: noLimit})
		require.NoError(m, err, "Assets")
		for _, one := range page.Items {
			listed = append(listed, one.Asset) // the times of the changes are others
		}
	}
	return listed
}

// remove removes the entries of a command and returns them.
func (m *model) remove(cmd allowlist.RemoveCommand) []allowlist.RemovedEntry {
	var removed []allowlist.RemovedEntry
	for _, id := range cmd.AssetIDs {
		if m.entry(cmd.OrganizationID, id, cmd.At) == nil {
			continue
		}
		from := m.assetByID(id).Status
		m.deleteEntry(cmd.OrganizationID, id)
		m.settle(m.assetByID(id), cmd.At, cmd.Origin)
		removed = append(removed, allowlist.RemovedEntry{AssetID: id, From: from, To: m.assetByID(id).Status})
	}
	return removed
}
