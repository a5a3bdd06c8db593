package main

import (
	"context"
	"time"

	"github.com/urfave/cli/v3"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage"
)

// demo returns the command that serves a demo.
func (p program) demo() *cli.Command {
	c := &config{defaultDB: demoDB, demo: true, operator: "127.0.0.1:8081"}
	command := p.server(c, func(ctx context.Context, c config) error { return runServer(ctx, c, p.stdout, p.stderr) })
	command.Name = "demo"
	command.Usage = "serve a demo, and print its keys and requests to try"
	command.Description = `Fills an empty database with a demo. Listens only on loopback addresses, because everyone who sees the output
can use its keys.`
	return command
}

// demoKeys are the keys of the demo: one of the organization with all its scopes, and one of an operator.
type demoKeys struct{ organization, operator string }

// demoSeed returns a small organization with reports, assets to dispute, an operator, and the keys.
func demoSeed(keys demoKeys) storage.Seed {
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
			{ID: 3, FullName: "Olga Operator", Email: "olga@acme.example"},
		},
		Keys: []storage.SeedKey{
			{Key: keys.organization, Organization: "acme", User: 1, Name: demoKeyName, Scopes: account.Scopes()},
			{
				Key: keys.operator, User: 3, Name: demoKeyName,
				Scopes: []account.Scope{account.ScopeOperatorRead, account.ScopeOperatorWrite},
			},
		},
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
