package storagetest

import (
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage"
)

// The steps of the state machine: each draws what it needs, calls the store, asks
// the model for what must come of it, and compares.

func (m *machine) putRandomOrganization(t *rapid.T) {
	organization := account.Organization{
		ID:   anyOrganization.Draw(t, "id"),
		Slug: rapid.SampledFrom(slugs[:]).Draw(t, "slug"),
	}
	err := m.PutOrganization(m.Context(), organization)
	if owner := m.model.organizationBySlug(organization.Slug); owner != nil && owner.ID != organization.ID {
		require.ErrorIs(m, err, account.ErrSlugTaken)
		return
	}
	require.NoError(m, err)
	m.model.organizations = put(m.model.organizations, organization, func(o account.Organization) bool { return o.ID == organization.ID })
}

func (m *machine) putRandomGroup(t *rapid.T) {
	group := account.Group{
		ID:             rapid.Int64Range(0, 12).Draw(t, "id"),
		OrganizationID: anyOrganization.Draw(t, "organization"),
		Name:           anyWord.Draw(t, "name"),
	}
	got, err := m.PutGroup(m.Context(), group)
	if old := m.model.group(group.ID); old != nil && old.OrganizationID != group.OrganizationID {
		require.ErrorIs(m, err, account.ErrGroupTaken)
		return
	}
	require.NoError(m, err)
	if group.ID == 0 {
		m.give("group", got.ID)
		group.ID = got.ID
	}
	require.Equal(m, group, got)
	m.last["group"] = max(m.last["group"], group.ID)
	m.model.groups = put(m.model.groups, group, func(g account.Group) bool { return g.ID == group.ID })
}

func (m *machine) putRandomUser(t *rapid.T) {
	user := account.User{
		ID:         anyUser.Draw(t, "id"),
		FullName:   anyWord.Draw(t, "name"),
		Email:      anyWord.Draw(t, "email"),
		Automation: rapid.Bool().Draw(t, "automation"),
	}
	m.putUser(user)
	m.model.users = put(m.model.users, user, func(u account.User) bool { return u.ID == user.ID })
}

func (m *machine) setRandomStatus(t *rapid.T) {
	write := asset.SetStatusCommand{
		SetStatusRequest: asset.SetStatusRequest{
			Identity: anyIdentity.Draw(t, "identity"),
			Status:   anyStatus.Draw(t, "status"),
			Origin:   asset.Origin{Cause: asset.CauseManual, Actor: maybe(anyUser).Draw(t, "actor"), Reference: anyWord.Draw(t, "reference")},
		},
		At: anyMoment.Draw(t, "at"),
	}
	got := m.write(write)
	want := m.model.asset(write.Identity)
	if want == nil {
		m.give("asset", got.ID)
		want = m.model.register(got.ID, write.Identity)
	}
	m.model.setStatus(want, write.Status, write.At, write.Origin)
	require.Equal(m, *want, got)
	m.compareChanges()
}

func (m *machine) readChanges(t *rapid.T) {
	filter := anyChangeFilter.Draw(t, "filter")
	var after asset.ChangeCursor
	if rapid.Bool().Draw(t, "continued") {
		after = asset.ChangeCursor{At: anyMoment.Draw(t, "after"), ID: rapid.Int64Range(1, m.last["change"]+1).Draw(t, "after ID")}
	}
	limit := rapid.IntRange(1, 4).Draw(t, "limit")
	require.Equal(m, m.model.changesAfter(filter, after, limit), orNil(m.changesAfter(filter, after, limit)))
}

func (m *machine) pruneRandomly(t *rapid.T) {
	step := asset.PruneCommand{
		Before: anyBound.Draw(t, "before"),
		Limit:  rapid.IntRange(1, 4).Draw(t, "limit"),
	}
	if rapid.Bool().Draw(t, "continued") {
		step.After = m.pruned
	}
	want := m.model.prune(step)
	require.Equal(m, want, m.prune(step), "PruneChanges with %+v", step)
	m.pruned = want.Next
	m.compareChanges()
}

func (m *machine) addRandomly(t *rapid.T) {
	cmd := allowlist.AddCommand{
		OrganizationID: anyOrganization.Draw(t, "organization"),
		RefuseBlocked:  rapid.Bool().Draw(t, "refuse blocked"),
		Status:         asset.StatusAllowed,
		At:             anyMoment.Draw(t, "at"),
		Origin:         asset.Origin{Cause: asset.CauseAllowlist, Actor: maybe(anyUser).Draw(t, "actor")},
	}
	for _, id := range rapid.SliceOfNDistinct(anyIdentity, 0, assetCount, rapid.ID).Draw(t, "identities") {
		c := allowlist.Candidate{Identity: id, Item: allowlist.Item{
			Content: rapid.SampledFrom([]string{id.Canonical, "HTTPS://other"}).Draw(t, "content"),
			Name:    anyWord.Draw(t, "name"),
		}}
		if groups := m.model.groupsOf(cmd.OrganizationID); len(groups) > 0 && rapid.Bool().Draw(t, "in a group") {
			c.GroupID = rapid.SampledFrom(groups).Draw(t, "group").ID
			cmd.GroupIDs = append(cmd.GroupIDs, c.GroupID)
		}
		cmd.Candidates = append(cmd.Candidates, c)
	}
	cmd.GroupIDs = append(cmd.GroupIDs, rapid.SliceOfN(rapid.Int64Range(1, 12), 0, 1).Draw(t, "more groups")...)
	if missing := m.model.missingGroup(cmd.OrganizationID, cmd.GroupIDs); missing != 0 {
		m.refusedGroup(cmd, missing)
		m.compareChanges()
		return
	}
	m.addToModel(cmd, m.add(cmd))
	m.compareChanges()
}

// addToModel executes the command on the model and compares the outcomes.
func (m *machine) addToModel(cmd allowlist.AddCommand, outcomes []allowlist.Outcome) {
	m.Helper()
	var registered []int64
	for i, c := range cmd.Candidates {
		known := m.model.asset(c.Identity)
		if known == nil {
			registered = append(registered, outcomes[i].AssetID)
			known = m.model.register(outcomes[i].AssetID, c.Identity)
		}
		require.Equal(m, known.ID, outcomes[i].AssetID, "the asset of candidate %d", i)
		switch {
		case m.model.entry(cmd.OrganizationID, known.ID) != nil:
			require.ErrorIs(m, outcomes[i].Err, allowlist.ErrExists, "candidate %d", i)
		case cmd.RefuseBlocked && known.Status == asset.StatusBlocked:
			require.ErrorIs(m, outcomes[i].Err, allowlist.ErrBlocked, "candidate %d", i)
		default:
			require.NoError(m, outcomes[i].Err, "candidate %d", i)
			m.model.setStatus(known, cmd.Status, cmd.At, cmd.Origin)
			m.model.entries = append(m.model.entries, modelEntry{cmd.OrganizationID, allowlist.Entry{
				Asset:       asset.Asset{ID: known.ID},
				Content:     c.Content,
				Name:        c.Name,
				Description: c.Description,
				GroupID:     c.GroupID,
				AddedAt:     cmd.At,
			}})
		}
	}
	m.give("asset", registered...)
}

func (m *machine) readEntries(t *rapid.T) {
	organization := anyOrganization.Draw(t, "organization")
	after := rapid.Int64Range(0, m.last["asset"]+1).Draw(t, "after")
	limit := rapid.IntRange(1, 4).Draw(t, "limit")
	require.Equal(m, m.model.entriesAfter(organization, after, limit), orNil(m.entriesAfter(organization, after, limit)))
}

func (m *machine) readAllowing(t *rapid.T) {
	assetID := rapid.Int64Range(1, m.last["asset"]+1).Draw(t, "asset")
	after := rapid.Int64Range(0, 3).Draw(t, "after")
	limit := rapid.IntRange(1, 3).Draw(t, "limit")
	require.Equal(m, m.model.allowingAfter(assetID, after, limit), orNil(m.allowingAfter(assetID, after, limit)))
}

func (m *machine) disputeRandomly(t *rapid.T) {
	d := dispute.CreateCommand{
		Identity:    anyIdentity.Draw(t, "identity"),
		Content:     anyWord.Draw(t, "content"),
		Register:    rapid.Bool().Draw(t, "register"),
		Email:       anyWord.Draw(t, "email"),
		EmailKey:    anyEmailKey.Draw(t, "email key"),
		Description: anyWord.Draw(t, "description"),
		Notes:       rapid.SliceOfN(anySystemNote, 0, 3).Draw(t, "notes"),
		At:          anyMoment.Draw(t, "at"),
	}
	got, err := m.CreateDispute(m.Context(), d)
	known := m.model.asset(d.Identity)
	switch {
	case known == nil && !d.Register:
		require.ErrorIs(m, err, asset.ErrNotFound)
		return
	case known != nil && m.model.disputeOf(known.ID, d.EmailKey) != nil:
		require.ErrorIs(m, err, dispute.ErrExists)
		return
	}
	require.NoError(m, err)
	m.give("dispute", got.ID)
	if known == nil {
		m.give("asset", got.AssetID)
		known = m.model.register(got.AssetID, d.Identity)
	}
	want := dispute.Dispute{
		ID:          got.ID,
		AssetID:     known.ID,
		Content:     d.Content,
		Email:       d.Email,
		Description: d.Description,
		State:       dispute.StateOpen,
		CreatedAt:   d.At,
		UpdatedAt:   d.At,
	}
	for _, note := range d.Notes {
		if note.Kind != dispute.NoteKindExternalList || known.Status != asset.StatusBlocked {
			note.CreatedAt = d.At
			want.Notes = append(want.Notes, note)
		}
	}
	m.sameDispute(want, got)
	m.model.disputes = append(m.model.disputes, modelDispute{emailKey: d.EmailKey, dispute: want})
}

func (m *machine) importRandomly(t *rapid.T) {
	organization := account.Organization{ID: anyOrganization.Draw(t, "organization"), Slug: "a"}
	group := account.Group{ID: rapid.Int64Range(1, 12).Draw(t, "group"), OrganizationID: organization.ID}
	user := account.User{ID: anyUser.Draw(t, "user"), FullName: anyWord.Draw(t, "name")}
	review := report.Review{ID: 1, ProposalID: 1, Status: anyReviewStatus.Draw(t, "review"), ReviewedBy: user.ID, ReviewedAt: at(0)}
	reported := asset.Asset{ID: 1, Identity: asset.Identity{Type: asset.TypeURL, Canonical: "https://imported.example"}, Status: asset.StatusUnknown}
	filed := report.Report{
		ID:             rapid.Int64Range(1, 1000).Draw(t, "report"),
		OrganizationID: organization.ID,
		Title:          "imported",
		Reporter:       report.Reporter{ID: user.ID},
		Proposals:      []report.Proposal{{ID: 1, Asset: asset.Asset{ID: 1}, Content: reported.Canonical, ProposedStatus: asset.StatusBlocked}},
		CreatedAt:      at(0),
	}
	err := m.Import(m.Context(), storage.Seed{
		Organizations: []storage.SeedOrganization{{ID: organization.ID, Slug: organization.Slug, Groups: []storage.SeedGroup{{ID: group.ID}}}},
		Users:         []storage.SeedUser{{ID: user.ID, FullName: user.FullName}},
		Reports: []storage.SeedReport{{
			ID: filed.ID, Organization: organization.Slug, Title: filed.Title, Reporter: user.ID, CreatedAt: at(0),
			Proposals: []storage.SeedProposal{{
				Content: reported.Canonical, ProposedStatus: asset.StatusBlocked, ReviewStatus: review.Status, ReviewedBy: user.ID, ReviewedAt: at(0),
			}},
		}},
	})
	if !m.model.empty() {
		require.ErrorIs(m, err, storage.ErrNotEmpty)
		return
	}
	require.NoError(m, err)
	m.last["group"], m.last["report"] = group.ID, filed.ID
	m.last["asset"], m.last["proposal"], m.last["review"] = 1, 1, 1
	m.model.organizations = append(m.model.organizations, organization)
	m.model.groups = append(m.model.groups, group)
	m.model.users = append(m.model.users, user)
	m.model.assets = append(m.model.assets, reported)
	m.model.reviews = append(m.model.reviews, review)
	m.model.update(&filed, at(0))
	m.model.reports = append(m.model.reports, filed)
}
