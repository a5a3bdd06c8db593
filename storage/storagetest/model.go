package storagetest

import (
	"bytes"
	"cmp"
	"slices"
	"time"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/report"
)

// model is what a store must hold: plain lists, in which every question is
// answered by going through all of it. It gives no identifiers; it takes over
// those of the store.
type model struct {
	organizations []account.Organization
	groups        []account.Group
	users         []account.User
	keys          []account.Key
	assets        []asset.Asset
	// changes are in the order of recording.
	changes []asset.Change
	// entries have the identifier alone of their asset.
	entries  []modelEntry
	disputes []modelDispute
	// reports have the identifiers alone of their reporter and assets. They are
	// in the order of filing.
	reports []report.Report
	// reviews are in the order of their identifiers.
	reviews []report.Review
}

type modelEntry struct {
	organizationID int64
	entry          allowlist.Entry
}

type modelDispute struct {
	emailKey string
	dispute  dispute.Dispute
}

func (m *model) empty() bool {
	return len(m.organizations) == 0 && len(m.groups) == 0 && len(m.users) == 0 && len(m.keys) == 0 &&
		len(m.assets) == 0 && len(m.entries) == 0 && len(m.disputes) == 0 && len(m.reports) == 0
}

// find returns the first element that is right, or nil.
func find[T any](list []T, right func(T) bool) *T {
	for i := range list {
		if right(list[i]) {
			return &list[i]
		}
	}
	return nil
}

// put replaces the first element that is the same, or adds a new one.
func put[T any](list []T, element T, same func(T) bool) []T {
	if old := find(list, same); old != nil {
		*old = element
		return list
	}
	return append(list, element)
}

func (m *model) organization(id int64) *account.Organization {
	return find(m.organizations, func(o account.Organization) bool { return o.ID == id })
}

func (m *model) organizationBySlug(slug string) *account.Organization {
	return find(m.organizations, func(o account.Organization) bool { return o.Slug == slug })
}

func (m *model) user(id int64) *account.User {
	return find(m.users, func(u account.User) bool { return u.ID == id })
}

func (m *model) group(id int64) *account.Group {
	return find(m.groups, func(g account.Group) bool { return g.ID == id })
}

func (m *model) key(hash [32]byte) *account.Key {
	return find(m.keys, func(k account.Key) bool { return k.Hash == hash })
}

func (m *model) asset(identity asset.Identity) *asset.Asset {
	return find(m.assets, func(a asset.Asset) bool { return a.Identity == identity })
}

func (m *model) assetByID(id int64) *asset.Asset {
	return find(m.assets, func(a asset.Asset) bool { return a.ID == id })
}

func (m *model) groupsOf(organizationID int64) []account.Group {
	var groups []account.Group
	for _, group := range m.groups {
		if group.OrganizationID == organizationID {
			groups = append(groups, group)
		}
	}
	slices.SortFunc(groups, func(a, b account.Group) int { return cmp.Compare(a.ID, b.ID) })
	return groups
}

func (m *model) keysOf(organizationID int64) []account.Key {
	var keys []account.Key
	for _, key := range m.keys {
		if key.OrganizationID == organizationID {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, func(a, b account.Key) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), bytes.Compare(a.Hash[:], b.Hash[:]))
	})
	return keys
}

func (m *model) keyRecord(key account.Key) account.KeyRecord {
	record := account.KeyRecord{Key: key}
	if o := m.organization(key.OrganizationID); o != nil {
		record.OrganizationSlug = o.Slug
	}
	if u := m.user(key.UserID); u != nil {
		record.Email = u.Email
	}
	return record
}

func (m *model) organizationsAfter(after int64, limit int) []account.Organization {
	var organizations []account.Organization
	for _, organization := range m.organizations {
		if organization.ID > after {
			organizations = append(organizations, organization)
		}
	}
	slices.SortFunc(organizations, func(a, b account.Organization) int { return cmp.Compare(a.ID, b.ID) })
	return organizations[:min(limit, len(organizations))]
}

// register adds an UNKNOWN asset with the identifier that the store gave it.
func (m *model) register(id int64, identity asset.Identity) *asset.Asset {
	m.assets = append(m.assets, asset.Asset{ID: id, Identity: identity, Status: asset.StatusUnknown})
	return &m.assets[len(m.assets)-1]
}

// setStatus records the change, if it is one, without an identifier.
func (m *model) setStatus(a *asset.Asset, status asset.Status, at time.Time, origin asset.Origin) {
	if a.Status == status {
		return
	}
	m.changes = append(m.changes, asset.Change{
		AssetID: a.ID,
		Type:    a.Type,
		Content: a.Canonical,
		From:    a.Status,
		To:      status,
		At:      at,
		Origin:  origin,
	})
	a.Status = status
}

func (m *model) changesAfter(filter asset.ChangeFilter, after asset.ChangeCursor, limit int) []asset.Change {
	var changes []asset.Change
	for _, change := range newestFirst(m.changes) {
		if len(changes) < limit && after.Precedes(change) && filter.Match(change) {
			changes = append(changes, change)
		}
	}
	return changes
}

// latestChange returns the last change of an asset, by time and identifier.
func (m *model) latestChange(assetID int64) asset.Change {
	return *find(newestFirst(m.changes), func(c asset.Change) bool { return c.AssetID == assetID })
}

func (m *model) prune(step asset.PruneCommand) asset.PruneResult {
	pruned := asset.PruneResult{Next: step.After}
	looked, removed := 0, make(map[int64]bool)
	for _, change := range slices.Backward(newestFirst(m.changes)) {
		if looked == step.Limit || !step.Match(change) {
			continue
		}
		looked++
		pruned.Next = change.Cursor()
		removed[change.ID] = change.ID != m.latestChange(change.AssetID).ID
	}
	before := len(m.changes)
	m.changes = slices.DeleteFunc(m.changes, func(c asset.Change) bool { return removed[c.ID] })
	pruned.Removed = before - len(m.changes)
	pruned.Done = looked < step.Limit
	return pruned
}

func (m *model) entry(organizationID, assetID int64) *modelEntry {
	return find(m.entries, func(e modelEntry) bool {
		return e.organizationID == organizationID && e.entry.Asset.ID == assetID
	})
}

// missingGroup returns the first group that the organization does not have, or 0.
func (m *model) missingGroup(organizationID int64, groupIDs []int64) int64 {
	for _, id := range groupIDs {
		if group := m.group(id); group == nil || group.OrganizationID != organizationID {
			return id
		}
	}
	return 0
}

func (m *model) entriesAfter(organizationID, after int64, limit int) []allowlist.Entry {
	var all []allowlist.Entry
	for _, e := range m.entries {
		if e.organizationID == organizationID && e.entry.Asset.ID > after {
			entry := e.entry
			entry.Asset = *m.assetByID(entry.Asset.ID)
			all = append(all, entry)
		}
	}
	slices.SortFunc(all, func(a, b allowlist.Entry) int { return cmp.Compare(a.Asset.ID, b.Asset.ID) })
	return all[:min(limit, len(all))]
}

func (m *model) allowingAfter(assetID, after int64, limit int) []allowlist.AllowingOrganization {
	var all []allowlist.AllowingOrganization
	for _, e := range m.entries {
		if e.entry.Asset.ID == assetID && e.organizationID > after {
			all = append(all, allowlist.AllowingOrganization{OrganizationID: e.organizationID, AddedAt: e.entry.AddedAt})
		}
	}
	slices.SortFunc(all, func(a, b allowlist.AllowingOrganization) int { return cmp.Compare(a.OrganizationID, b.OrganizationID) })
	return all[:min(limit, len(all))]
}

func (m *model) disputeOf(assetID int64, emailKey string) *modelDispute {
	return find(m.disputes, func(d modelDispute) bool {
		return d.dispute.AssetID == assetID && d.emailKey == emailKey
	})
}

// show returns a report with its reporter and assets as they are now.
func (m *model) show(r report.Report) report.Report {
	if user := m.user(r.Reporter.ID); user != nil {
		r.Reporter = report.Reporter{ID: user.ID, FullName: user.FullName, Email: user.Email, Automation: user.Automation}
	}
	r.Proposals = slices.Clone(r.Proposals)
	for i := range r.Proposals {
		r.Proposals[i].Asset = *m.assetByID(r.Proposals[i].Asset.ID)
	}
	return r
}

func (m *model) reportsBelow(organizationID int64, filter report.Filter, cursor int64, limit int) []report.Report {
	var reports []report.Report
	for _, r := range slices.Backward(m.reports) {
		shown := m.show(r)
		if len(reports) < limit && scopeOf(organizationID).Contains(r.OrganizationID) && (cursor == 0 || r.ID < cursor) && filter.Match(shown) {
			reports = append(reports, shown)
		}
	}
	return reports
}
