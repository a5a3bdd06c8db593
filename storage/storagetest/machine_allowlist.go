package storagetest

import (
	"slices"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/idempotency"
	"github.com/apguard/apguard/step"
)

func (m *machine) addRandomly(t *rapid.T) {
	cmd := m.anyAddCommand(t)
	if refusal := m.model.checkClaim(cmd.Claim); refusal != nil {
		_, err := m.AddToAllowlist(m.Context(), cmd)
		m.refusedClaim(refusal, err)
		return
	}
	if refusal := m.model.organizationRefusal(cmd); refusal != nil {
		m.refusedAdd(cmd, refusal)
		m.compareChanges()
		return
	}
	outcomes := m.add(cmd)
	m.addToModel(cmd, outcomes)
	m.model.keep(cmd.Claim, cmd.Record(outcomes))
	m.compareChanges()
}

// anyAdder draws an organization. If it does not exist, it is usually stored first.
func (m *machine) anyAdder(t *rapid.T) int64 {
	id := anyOrganization.Draw(t, "organization")
	if m.model.organization(id) == nil && rapid.IntRange(0, 3).Draw(t, "existing") > 0 {
		m.ensureOrganizations(id)
		m.model.organizations = append(m.model.organizations, m.organization(id))
	}
	return id
}

// anyAddCommand draws a command. Each entry is one item.
func (m *machine) anyAddCommand(t *rapid.T) allowlist.AddCommand {
	cmd := allowlist.AddCommand{
		OrganizationID: m.anyAdder(t),
		RefuseBlocked:  make(map[asset.Identity]bool),
		CoverBlocks:    make(map[asset.Identity]bool),
		At:             anyTime.Draw(t, "at"),
		Origin:         asset.Origin{Cause: asset.CauseAllowlist, Actor: maybe(anyUser).Draw(t, "actor"), Reference: anyText.Draw(t, "reference")},
		Claim:          anyClaim("add").Draw(t, "claim"),
	}
	for _, id := range rapid.SliceOfNDistinct(anyIdentity, 0, assetCount, rapid.ID).Draw(t, "identities") {
		entry := allowlist.Entry{
			Asset:       asset.Asset{Identity: id},
			Content:     rapid.SampledFrom([]string{id.Canonical, "HTTPS://other"}).Draw(t, "content"),
			Name:        anyText.Draw(t, "name"),
			Description: anyText.Draw(t, "description"),
			ExpiresAt:   sometimes(anyTime).Draw(t, "end"),
		}
		if !entry.ExpiresAt.IsZero() && !entry.ExpiresAt.After(cmd.At) {
			entry.ExpiresAt = cmd.At.Add(time.Millisecond) // a new entry has not ended
		}
		if rapid.Bool().Draw(t, "refuse blocked") {
			cmd.RefuseBlocked[id] = true
			cmd.CoverBlocks[id] = rapid.Bool().Draw(t, "a cover blocks")
		}
		if groups := m.model.groupsOf(cmd.OrganizationID); len(groups) > 0 && rapid.Bool().Draw(t, "in a group") {
			entry.GroupID = rapid.SampledFrom(groups).Draw(t, "group").ID
			cmd.GroupIDs = append(cmd.GroupIDs, entry.GroupID)
		}
		cmd.Places = append(cmd.Places, asset.Place{Index: len(cmd.Entries)})
		cmd.Entries = append(cmd.Entries, entry)
	}
	cmd.GroupIDs = append(cmd.GroupIDs, rapid.SliceOfN(rapid.Int64Range(1, 12), 0, 1).Draw(t, "more groups")...)
	return cmd
}

// previewAdditions requires the outcomes that the command would have.
func (m *machine) previewAdditions(t *rapid.T) {
	cmd := m.anyAddCommand(t)
	cmd.DryRun, cmd.Claim = true, idempotency.Claim{}
	if refusal := m.model.organizationRefusal(cmd); refusal != nil {
		m.refusedAdd(cmd, refusal)
		return
	}
	for i, outcome := range m.add(cmd) {
		want := allowlist.Outcome{Err: m.model.refusal(cmd, cmd.Entries[i].Asset.Identity)}
		if known := m.model.asset(cmd.Entries[i].Asset.Identity); known != nil {
			want.AssetID, want.Status = known.ID, known.Status
		}
		require.Equal(m, want, outcome, "the outcome of entry %d", i)
	}
}

// refusal returns why the asset must not be added, or nil.
func (m *model) refusal(cmd allowlist.AddCommand, identity asset.Identity) error {
	status := asset.StatusUnknown
	if known := m.asset(identity); known != nil {
		if m.entry(cmd.OrganizationID, known.ID, cmd.At) != nil {
			return allowlist.ErrExists
		}
		status = known.Status
	}
	if cmd.RefuseBlocked[identity] && (status == asset.StatusBlocked || cmd.CoverBlocks[identity]) {
		return allowlist.ErrBlocked
	}
	return nil
}

// addToModel executes the command on the model and compares the outcomes.
func (m *machine) addToModel(cmd allowlist.AddCommand, outcomes []allowlist.Outcome) {
	m.Helper()
	var registered []int64
	for i, entry := range cmd.Entries {
		want := allowlist.Outcome{AssetID: outcomes[i].AssetID, Err: m.model.refusal(cmd, entry.Asset.Identity)}
		known := m.model.asset(entry.Asset.Identity)
		if known == nil {
			registered = append(registered, want.AssetID)
			known = m.model.register(want.AssetID, entry.Asset.Identity)
		} else {
			want.AssetID, want.Status = known.ID, known.Status
		}
		require.Equal(m, want, outcomes[i], "the outcome of entry %d", i)
		if want.Err == nil {
			m.model.deleteEntry(cmd.OrganizationID, known.ID)
			entry.Asset, entry.AddedAt = asset.Asset{ID: known.ID}, m.model.addedAt(known.ID, cmd.At)
			m.model.entries = append(m.model.entries, modelEntry{cmd.OrganizationID, entry})
			m.model.settle(known, cmd.At, cmd.Origin)
		}
	}
	m.assigned("asset", registered...)
}

func (m *machine) readEntries(t *rapid.T) {
	now := anyTime.Draw(t, "at")
	req := allowlist.ListRequest{
		OrganizationID: anyOrganization.Draw(t, "organization"),
		Filter: allowlist.Filter{
			Status:      sometimes(anyStatus).Draw(t, "status"),
			GroupID:     sometimes(rapid.Int64Range(1, 12)).Draw(t, "group"),
			Prefix:      rapid.SampledFrom([]string{"", "https://site-", "https://site-1", "HTTPS"}).Draw(t, "prefix"),
			AddedSince:  sometimes(anyBound).Draw(t, "since"),
			AddedBefore: sometimes(anyBound).Draw(t, "before"),
		},
		Cursor: rapid.Int64Range(0, m.last["asset"]+1).Draw(t, "after"),
		Limit:  anyLimit.Draw(t, "limit"),
	}
	page, err := m.AllowlistEntries(m.Context(), req, now)
	require.NoError(m, err, "AllowlistEntries")
	page.Entries = orNil(page.Entries)
	want := allowlist.NewPage(firstPage(m.model.entriesAfter(req, now), req.Limit), 0)
	require.Equal(m, want, page, "AllowlistEntries with %+v at %v", req, now)
}

func (m *machine) readAllowing(t *rapid.T) {
	now := anyTime.Draw(t, "at")
	req := allowlist.AllowedByRequest{
		AssetID: rapid.Int64Range(1, m.last["asset"]+1).Draw(t, "asset"),
		Cursor:  rapid.Int64Range(0, 3).Draw(t, "after"),
		Limit:   rapid.IntRange(1, 3).Draw(t, "limit"),
	}
	page, err := m.AllowingOrganizations(m.Context(), req, now)
	require.NoError(m, err, "AllowingOrganizations")
	samePage(m, m.model.allowingAfter(req, now), req.Limit, page, "AllowingOrganizations with %+v at %v", req, now)
}

// compareEntries compares the entries of the organization, also those that have ended.
func (m *machine) compareEntries(organizationID int64) {
	m.Helper()
	want := m.model.entriesAfter(allowlist.ListRequest{OrganizationID: organizationID}, time.Time{})
	sameList(m, orNil(want), func(last allowlist.Entry) step.Page[allowlist.Entry] {
		return m.entriesAfter(organizationID, last.Asset.ID, m.pageSize)
	})
}

// compareAllowing compares the organizations that list an asset, which are few, in pages of one.
func (m *machine) compareAllowing() {
	m.Helper()
	for id := range m.last["asset"] + 2 {
		want := m.model.allowingAfter(allowlist.AllowedByRequest{AssetID: id}, time.Time{})
		require.Equal(m, orNil(want), allPages(m.probe, 1, func(last allowlist.AllowingOrganization) step.Page[allowlist.AllowingOrganization] {
			return m.allowingAfter(id, last.OrganizationID, 1)
		}), "the organizations that list asset %d", id)
	}
}

// entry returns the entry unless it has ended.
func (m *model) entry(organizationID, assetID int64, at time.Time) *modelEntry {
	return find(m.entries, func(e modelEntry) bool {
		return e.organizationID == organizationID && e.entry.Asset.ID == assetID && e.lasts(at)
	})
}

// lasts reports whether the entry has not ended.
func (e modelEntry) lasts(at time.Time) bool {
	end := e.entry.ExpiresAt
	return end.IsZero() || at.Before(end)
}

func (m *model) deleteEntry(organizationID, assetID int64) {
	m.entries = slices.DeleteFunc(m.entries, func(e modelEntry) bool {
		return e.organizationID == organizationID && e.entry.Asset.ID == assetID
	})
}

// organizationRefusal returns why the organization cannot add to these groups, or nil.
func (m *model) organizationRefusal(cmd allowlist.AddCommand) error {
	if m.organization(cmd.OrganizationID) == nil {
		return account.ErrOrganizationNotFound
	}
	for _, id := range cmd.GroupIDs {
		if group := m.group(id); group == nil || group.OrganizationID != cmd.OrganizationID {
			return &allowlist.GroupNotFoundError{GroupID: id}
		}
	}
	return nil
}

func (m *model) entriesAfter(req allowlist.ListRequest, now time.Time) []allowlist.Entry {
	var all []allowlist.Entry
	for _, e := range m.entries {
		if e.organizationID == req.OrganizationID && e.entry.Asset.ID > req.Cursor && e.lasts(now) {
			entry := m.withGroup(e.organizationID, e.entry)
			entry.Asset = *m.assetByID(entry.Asset.ID)
			if req.Filter.Match(entry) {
				all = append(all, entry)
			}
		}
	}
	return above(all, 0, func(e allowlist.Entry) int64 { return e.Asset.ID })
}

func (m *model) allowingAfter(req allowlist.AllowedByRequest, now time.Time) []allowlist.AllowingOrganization {
	var all []allowlist.AllowingOrganization
	for _, e := range m.entries {
		if e.entry.Asset.ID == req.AssetID && e.organizationID > req.Cursor && e.lasts(now) {
			all = append(all, allowlist.AllowingOrganization{OrganizationID: e.organizationID, AddedAt: e.entry.AddedAt, ExpiresAt: e.entry.ExpiresAt})
		}
	}
	return above(all, 0, func(o allowlist.AllowingOrganization) int64 { return o.OrganizationID })
}
