package storagetest

import (
	"fmt"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage"
)

// fullSeed has records of every kind, not in the order of IDs or times.
func fullSeed() storage.Seed {
	return storage.Seed{
		Organizations: []storage.SeedOrganization{
			{ID: 20, Slug: "acme", Name: "Acme", Groups: []storage.SeedGroup{{ID: 900, Name: "Sites"}, {ID: 7, Name: "Handles"}}},
			{ID: 10, Slug: "other", Name: "Other", Groups: []storage.SeedGroup{{ID: 8, Name: "Sites"}}},
		},
		Users: []account.User{
			{ID: 3, FullName: "Ada", Email: "ada@acme.example"},
			{ID: 2, FullName: "Robot", Automation: true},
		},
		Keys: []storage.SeedKey{
			{Key: "apg_all", Organization: "acme", User: 3, Scopes: account.Scopes()},
			{Key: "apg_organization", Organization: "other", Scopes: []account.Scope{account.ScopeReports}, CreatedAt: at(5)},
			{Key: "apg_user", User: 2, Scopes: []account.Scope{account.ScopeDispute}},
			{Key: "apg_without_owner"},
		},
		Assets: []storage.SeedAsset{
			{Content: " https://newer.example/path ", Status: asset.StatusBlocked, ChangedAt: at(20)},
			{Content: "https://unknown.example/path"},
			{Content: "https://older.example/path", Status: asset.StatusAllowed, ChangedAt: at(10).In(time.FixedZone("", 3600))},
		},
		Reports: []storage.SeedReport{
			{
				ID:           500,
				Organization: "acme",
				Title:        "later identifier",
				Description:  "Description",
				BrandID:      4,
				Reporter:     2,
				CreatedAt:    at(30),
				Proposals: []storage.SeedProposal{
					{Content: "https://older.example/path", ProposedStatus: asset.StatusBlocked, ReviewStatus: report.ReviewApprove, ReviewedBy: 3, ReviewedAt: at(40)},
					{Content: "https://unlisted.example/path", ProposedStatus: asset.StatusAllowed},
					{Content: "https://unknown.example/path", ProposedStatus: asset.StatusBlocked, ReviewStatus: report.ReviewSkip},
				},
			},
			{ID: 60, Organization: "acme", Title: "earlier identifier", Reporter: 99, CreatedAt: at(50)},
			{ID: 70, Organization: "other", Title: "of the other", CreatedAt: at(60)},
		},
	}
}

// seedSite returns the identity of the n-th asset of longSeed.
func seedSite(n int) asset.Identity {
	return asset.Identity{Type: asset.TypeURL, Canonical: fmt.Sprintf("https://site-%d.example/path", n)}
}

// longSeed has n elements in each of its lists. Assets and reports are in descending order
// of time.
func longSeed(n int) storage.Seed {
	var seed storage.Seed
	for i := range n {
		id, slug := int64(i+1), fmt.Sprintf("organization-%d", i)
		seed.Organizations = append(seed.Organizations, storage.SeedOrganization{ID: id, Slug: slug, Groups: []storage.SeedGroup{{ID: id}}})
		seed.Users = append(seed.Users, account.User{ID: id, Email: slug + "@acme.example"})
		seed.Keys = append(seed.Keys, storage.SeedKey{Key: slug, Organization: slug, User: id})
		seed.Assets = append(seed.Assets, storage.SeedAsset{Content: seedSite(i).Canonical, Status: asset.StatusBlocked, ChangedAt: at(-i)})
		seed.Reports = append(seed.Reports, storage.SeedReport{
			ID:           id,
			Organization: "organization-0",
			Title:        slug,
			CreatedAt:    at(-i),
			Proposals:    []storage.SeedProposal{{Content: seedSite(i).Canonical, ProposedStatus: asset.StatusBlocked}},
		})
	}
	return seed
}

func importChecks() []requirement {
	return []requirement{
		{"every record is read back", importReadBack},
		{"new IDs are larger than those of the seed", func(p *probe) {
			p.importSeed(fullSeed())
			require.Greater(p, p.newGroup(10, "new"), int64(900))
			newest := p.newestChange()
			added := p.set(site(1), asset.StatusBlocked, at(100))
			require.Greater(p, added.ID, int64(4), "the seed has four assets")
			change := p.newestChange()
			require.Equal(p, added.ID, change.AssetID)
			require.Greater(p, change.ID, newest.ID)
			filed := p.file(fileCommand("new", 1))
			require.Greater(p, filed.ID, int64(500))
			require.Greater(p, filed.Proposals[0].ID, int64(3), "the seed has three proposals")
			reviewed := p.review(reviewOf(filed.Proposals[0], report.ReviewSkip, 1))
			require.Greater(p, reviewed.Proposals[0].ReviewID, int64(2), "the seed has two reviews")
			require.EqualValues(p, 1, p.dispute(disputeCommand(1, "ada@acme.example")).ID)
		}},
		{"imported changes are in the feed, and later ones come after them", func(p *probe) {
			p.importSeed(fullSeed())
			p.set(site(1), asset.StatusBlocked, at(100))
			feed := changesOf(p.feed(asset.FeedCursor{}, noLimit))
			require.NotEmpty(p, feed[1:])
			require.Equal(p, p.changes(asset.ChangeFilter{}), changelogOf(feed))
			require.Equal(p, sites(1), contents(feed[len(feed)-1:]))
		}},
		{"imported records can be changed and found", func(p *probe) {
			p.importSeed(fullSeed())
			unlisted := asset.Identity{Type: asset.TypeURL, Canonical: "https://unlisted.example/path"}
			imported := p.newestReport(20)
			require.Len(p, imported.Proposals, 3)
			p.review(report.Review{ProposalID: imported.Proposals[1].ID, Status: report.ReviewApprove, ReviewedAt: at(70)})
			require.Equal(p, asset.StatusAllowed, p.asset(unlisted).Status)
			require.Equal(p, "report/500", p.newestChange().Origin.Reference)

			a := addCommand(20)
			a.GroupIDs = []int64{900}
			a.Entries = append(a.Entries, entryFor(1))
			a.Entries[0].GroupID = 900
			p.add(a)
			require.EqualValues(p, 900, only(p, p.entries(20)).GroupID)
			err := p.PutOrganization(p.Context(), account.Organization{ID: 1, Slug: "acme"}, audit.Entry{})
			require.ErrorIs(p, err, account.ErrSlugTaken)
			require.Equal(p, []string{"later identifier"}, titles(p.reports(20, report.Filter{SearchQuery: "UNLISTED", ReporterQuery: "ROBOT"})))
		}},
		{"no ID above 2^53-1 is assigned", func(p *probe) {
			p.importSeed(storage.Seed{
				Organizations: []storage.SeedOrganization{{ID: 1, Slug: "acme"}},
				Reports:       []storage.SeedReport{{ID: asset.MaxID, Organization: "acme", CreatedAt: at(0)}},
			})
			filed, err := p.FileReport(p.Context(), fileCommand("one too many", 1))
			if err == nil {
				require.True(p, asset.ValidID(filed.ID) && filed.ID != asset.MaxID, "FileReport assigned the ID %d", filed.ID)
			} else {
				require.Len(p, p.reports(1, report.Filter{}), 1, "a refused report must not be stored")
				p.noAsset(site(1))
			}
		}},
		{"an empty seed succeeds and leaves the store empty", func(p *probe) {
			p.importSeed(storage.Seed{})
			p.importSeed(storage.Seed{})
			p.importSeed(fullSeed())
		}},
		{"an invalid seed is an error and leaves the store empty", func(p *probe) {
			seed := fullSeed()
			seed.Reports = append(seed.Reports, storage.SeedReport{ID: 500, Organization: "unknown"})
			require.ErrorIs(p, p.Import(p.Context(), seed), asset.ErrInvalid)
			require.Empty(p, p.groups(20))
			require.Empty(p, p.changes(asset.ChangeFilter{}))
			p.importSeed(fullSeed())
		}},
		{"1,000 records of each kind, in descending order of time", func(p *probe) {
			seed := longSeed(1000)
			p.importSeed(seed)
			changes := p.changes(asset.ChangeFilter{})
			require.Len(p, changes, 1000)
			reports := p.reports(1, report.Filter{})
			require.Len(p, reports, 1000)
			for n := range 1000 {
				require.Equal(p, seed.Assets[n].Content, changes[n].Content)
				filed := reports[999-n]
				require.Equal(p, seed.Reports[n].Title, filed.Title)
				require.Equal(p, seedSite(n), only(p, filed.Proposals).Asset.Identity)
			}
			for _, n := range []int{0, 500, 999} {
				require.Equal(p, account.Principal{
					OrganizationID:   int64(n + 1),
					OrganizationSlug: seed.Organizations[n].Slug,
					UserID:           int64(n + 1),
					Email:            seed.Users[n].Email,
				}, p.principal(seed.Keys[n].Key))
				require.EqualValues(p, n+1, only(p, p.groups(int64(n+1))).ID)
			}
		}},
		importRefused("an organization", func(p *probe) { p.putOrganization(1, "acme") }),
		importRefused("a group", func(p *probe) { p.newGroup(1, "group") }),
		importRefused("a user", func(p *probe) { p.putUser(account.User{ID: 1}) }),
		importRefused("a key", func(p *probe) { p.putKey(newKey("key", 0, 0)) }),
		importRefused("an asset", func(p *probe) { p.set(site(1), asset.StatusUnknown, at(0)) }),
		importRefused("a report", func(p *probe) { p.file(fileCommand("report")) }),
		importRefused("a record of an idempotency key", func(p *probe) {
			cmd := addCommand(1)
			cmd.Claim = claimOf(1, "key")
			p.add(cmd)
		}),
		importRefused("a list", func(p *probe) { p.addList(newList("a")) }),
		importRefused("an endpoint", func(p *probe) { p.addEndpoint(newEndpoint("https://a.example")) }),
		importRefused("an import", func(p *probe) { p.importSeed(fullSeed()) }),
	}
}

// importRefused tests that Import stores nothing if the store has a record.
func importRefused(record string, fill func(p *probe)) requirement {
	return requirement{"a store that has " + record + " is not empty", func(p *probe) {
		fill(p)
		seed := storage.Seed{Organizations: []storage.SeedOrganization{{ID: 77, Slug: "new", Groups: []storage.SeedGroup{{ID: 77}}}}}
		require.ErrorIs(p, p.Import(p.Context(), seed), storage.ErrNotEmpty)
		require.Empty(p, p.groups(77))
		require.ErrorIs(p, p.Import(p.Context(), storage.Seed{}), storage.ErrNotEmpty, "an empty seed")
	}}
}

func (p *probe) importSeed(seed storage.Seed) {
	p.Helper()
	require.NoError(p, p.Import(p.Context(), seed), "Import")
}

func importReadBack(p *probe) {
	p.importSeed(fullSeed())
	require.Equal(p, account.Organization{ID: 20, Slug: "acme", Name: "Acme"}, p.organization(20))
	require.Equal(p, account.Organization{ID: 10, Slug: "other", Name: "Other"}, p.organization(10))
	importedKey := newKey("apg_organization", 10, 0, account.ScopeReports)
	importedKey.CreatedAt = at(5)
	require.Equal(p, []account.Key{importedKey}, p.keys(10))
	require.Equal(p, []account.Group{
		{ID: 7, OrganizationID: 20, Name: "Handles"},
		{ID: 900, OrganizationID: 20, Name: "Sites"},
	}, p.groups(20))
	require.Equal(p, []account.Group{{ID: 8, OrganizationID: 10, Name: "Sites"}}, p.groups(10))
	require.Equal(p, account.Principal{
		OrganizationID:   20,
		OrganizationSlug: "acme",
		UserID:           3,
		Email:            "ada@acme.example",
		Scopes:           account.Scopes(),
	}, p.principal("apg_all"))
	require.Equal(p, account.Principal{
		OrganizationID:   10,
		OrganizationSlug: "other",
		Scopes:           []account.Scope{account.ScopeReports},
	}, p.principal("apg_organization"))
	require.Equal(p, account.Principal{UserID: 2, Scopes: []account.Scope{account.ScopeDispute}}, p.principal("apg_user"))
	require.Empty(p, p.principal("apg_without_owner").Scopes)

	url := func(id int64, name string, status asset.Status) asset.Asset {
		content := "https://" + name + ".example/path"
		got := asset.Asset{ID: id, Identity: asset.Identity{Type: asset.TypeURL, Canonical: content}, Status: status}
		require.Equal(p, got, p.asset(got.Identity))
		return got
	}
	newer := url(1, "newer", asset.StatusBlocked)
	unknown := url(2, "unknown", asset.StatusUnknown)
	older := url(3, "older", asset.StatusAllowed)
	unlisted := url(4, "unlisted", asset.StatusUnknown)

	imported := asset.Origin{Cause: asset.CauseImport}
	changes := []asset.Change{
		{ID: 1, AssetID: 1, Type: asset.TypeURL, Content: newer.Canonical, From: asset.StatusUnknown, To: asset.StatusBlocked, At: at(20), Origin: imported},
		{ID: 2, AssetID: 3, Type: asset.TypeURL, Content: older.Canonical, From: asset.StatusUnknown, To: asset.StatusAllowed, At: at(10), Origin: imported},
	}
	require.Equal(p, changes, p.changes(asset.ChangeFilter{}), "a review in a seed must not change its asset")
	require.Equal(p, changes[1:], p.changes(asset.ChangeFilter{Identity: older.Identity}))

	reports := p.reports(20, report.Filter{})
	require.Len(p, reports, 2)
	require.Equal(p, report.Report{
		ID:             500,
		OrganizationID: 20,
		Title:          "later identifier",
		Description:    "Description",
		Status:         report.StatusInProgress,
		BrandID:        4,
		Reporter:       report.Reporter{ID: 2, FullName: "Robot", Automation: true},
		Proposals: []report.Proposal{
			{ID: 1, Asset: older, Content: "https://older.example/path", ProposedStatus: asset.StatusBlocked, ReviewID: 1, ReviewStatus: report.ReviewApprove, ReviewedBy: 3, ReviewedAt: at(40)},
			{ID: 2, Asset: unlisted, Content: "https://unlisted.example/path", ProposedStatus: asset.StatusAllowed},
			{ID: 3, Asset: unknown, Content: "https://unknown.example/path", ProposedStatus: asset.StatusBlocked, ReviewID: 2, ReviewStatus: report.ReviewSkip},
		},
		CreatedAt: at(30),
		UpdatedAt: at(40),
	}, reports[0])
	require.Equal(p, []report.Review{{ID: 1, ProposalID: 1, Status: report.ReviewApprove, ReviewedBy: 3, ReviewedAt: at(40)}}, p.reviewsOf(1))
	require.Empty(p, p.reviewsOf(2))
	require.Equal(p, []report.Review{{ID: 2, ProposalID: 3, Status: report.ReviewSkip}}, p.reviewsOf(3))
	require.Empty(p, reports[1].Proposals)
	reports[1].Proposals = nil
	require.Equal(p, report.Report{
		ID:             60,
		OrganizationID: 20,
		Title:          "earlier identifier",
		Status:         report.StatusTodo,
		Reporter:       report.Reporter{ID: 99},
		CreatedAt:      at(50),
		UpdatedAt:      at(50),
	}, reports[1])
	require.Equal(p, []string{"of the other"}, titles(p.reports(10, report.Filter{})))
}
