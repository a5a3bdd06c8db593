package main

import (
	"time"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage"
)

// demo returns a small organization with reports, assets to dispute, and a key with all
// scopes.
func demo(key string) storage.Seed {
	at := func(day, hour int) time.Time {
		return time.Date(2025, time.January, day, hour, 0, 0, 0, time.UTC)
	}
	return storage.Seed{
		Organizations: []storage.SeedOrganization{{
			ID: demoOrganization, Slug: "acme", Name: "Acme",
			Groups: []storage.SeedGroup{{ID: 1, Name: "Sites"}},
		}},
		Users: []account.User{
			{ID: 1, FullName: "Ada Acme", Email: "ada@acme.example"},
			{ID: 2, FullName: "Crawler", Automation: true},
		},
		Keys: []storage.SeedKey{{Key: key, Organization: "acme", User: 1, Name: demoKeyName, Scopes: account.Scopes()}},
		Assets: []storage.SeedAsset{
			{Content: "https://bad.example", Status: asset.StatusBlocked, ChangedAt: at(5, 10)},
			{Content: "0x00000000219ab540356cBB839Cbe05303d7705Fa", Status: asset.StatusAllowed, ChangedAt: at(6, 9)},
		},
		Reports: []storage.SeedReport{
			{
				ID: 1, Organization: "acme", Title: "Fake shop", Description: "It copies our front page.",
				BrandID: 3, Reporter: 1, CreatedAt: at(4, 18),
				Proposals: []storage.SeedProposal{{
					Content: "https://bad.example", ProposedStatus: asset.StatusBlocked,
					ReviewStatus: report.ReviewApprove, ReviewedBy: 1, ReviewedAt: at(5, 10),
				}},
			},
			{
				ID: 2, Organization: "acme", Title: "Look-alike handle", Reporter: 2, CreatedAt: at(7, 12),
				Proposals: []storage.SeedProposal{{Content: "@acme_support", ProposedStatus: asset.StatusBlocked}},
			},
		},
	}
}
