package storagetest

import (
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage"
)

func (m *machine) importRandomly(t *rapid.T) {
	organization := account.Organization{ID: anyOrganization.Draw(t, "organization"), Slug: "a"}
	group := account.Group{ID: rapid.Int64Range(1, 12).Draw(t, "group"), OrganizationID: organization.ID}
	user := account.User{ID: anyUser.Draw(t, "user"), FullName: anyText.Draw(t, "name")}
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
	entry := m.anyAct(t)
	err := m.Import(m.Context(), storage.Seed{
		Audit:         entry,
		Organizations: []storage.SeedOrganization{{ID: organization.ID, Slug: organization.Slug, Groups: []storage.SeedGroup{{ID: group.ID}}}},
		Users:         []account.User{{ID: user.ID, FullName: user.FullName}},
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
	m.model.tell(entry)
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

func (m *model) empty() bool {
	return len(m.organizations) == 0 && len(m.groups) == 0 && len(m.users) == 0 && len(m.keys) == 0 &&
		len(m.assets) == 0 && len(m.entries) == 0 && len(m.disputes) == 0 && len(m.reports) == 0 &&
		len(m.records) == 0 && len(m.lists) == 0 && len(m.endpoints) == 0 && len(m.trail) == 0
}
