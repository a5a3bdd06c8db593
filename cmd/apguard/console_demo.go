package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage"
)

// The organization and the users of the console's demo.
const (
	consoleOrganization = 1
	consoleMember       = 1
	consoleCrawler      = 2
	consoleOperator     = 3
	consoleColleague    = 4
)

// consoleDays is how many days before the first start the demo begins.
const consoleDays = 42

// fillConsole fills an empty store with the demo of the console. A store that has records stays as it is.
func fillConsole(ctx context.Context, store storage.Store, now time.Time) error {
	start := now.UTC().Truncate(24*time.Hour).AddDate(0, 0, -consoleDays)
	err := store.Import(ctx, consoleSeed(start))
	if errors.Is(err, storage.ErrNotEmpty) {
		return nil
	}
	if err != nil {
		return err
	}
	// Each step of the story has a time of its own.
	clock := start
	guard := apguard.New(store, apguard.Options{Clock: func() time.Time { return clock }})
	for _, step := range consoleStory() {
		clock = start.Add(step.after)
		if err := step.do(ctx, guard); err != nil {
			return fmt.Errorf("fill the console: %w", err)
		}
	}
	return nil
}

// consoleSeed returns an organization with users, many assets and some reports.
func consoleSeed(start time.Time) storage.Seed {
	return storage.Seed{
		Organizations: []storage.SeedOrganization{{
			ID: consoleOrganization, Slug: "acme", Name: "Acme",
			Groups: []storage.SeedGroup{{ID: 1, Name: "Sites"}},
		}},
		Users: []account.User{
			{ID: consoleMember, FullName: "Ada Acme", Email: "ada@acme.example"},
			{ID: consoleCrawler, FullName: "Crawler", Automation: true},
			{ID: consoleOperator, FullName: "Otto Operator", Email: "otto@desk.example"},
			{ID: consoleColleague, FullName: "Grace Colleague", Email: "grace@desk.example"},
		},
		Assets:  consoleAssets(start),
		Reports: consoleReports(start),
	}
}

// consoleAssets returns assets whose status changed over the weeks, fewer on weekends.
func consoleAssets(start time.Time) []storage.SeedAsset {
	assets := []storage.SeedAsset{
		{Content: "bad.example.com", Status: asset.StatusBlocked, ChangedAt: start.Add(10 * time.Hour)},
		{Content: "acme.example.com", Status: asset.StatusAllowed, ChangedAt: start.Add(11 * time.Hour)},
		{Content: "0x00000000219ab540356cBB839Cbe05303d7705Fa", Status: asset.StatusAllowed, ChangedAt: start.Add(12 * time.Hour)},
		{Content: "@acme_giveaway", Status: asset.StatusBlocked, ChangedAt: start.Add(13 * time.Hour)},
	}
	for day := range consoleDays - 1 {
		date := start.AddDate(0, 0, day)
		many := 4 + day*7%5
		if date.Weekday() == time.Saturday || date.Weekday() == time.Sunday {
			many = 1
		}
		for i := range many {
			assets = append(assets, storage.SeedAsset{
				Content: consoleLure(day, i), Status: asset.StatusBlocked,
				ChangedAt: date.Add(time.Duration(8+i) * time.Hour).Add(time.Duration(day*i%60) * time.Minute),
			})
		}
	}
	return assets
}

// consoleLure returns an asset that was blocked on a day. Each day has one with i = 0.
func consoleLure(day, i int) string {
	lures := []string{"wallet-restore", "claim-airdrop", "acme-login", "support-acme", "free-mint", "token-bonus", "verify-account"}
	host := fmt.Sprintf("%s-%d.phish.example.net", lures[(day*3+i)%len(lures)], day*10+i)
	if i%2 == 0 {
		return "https://" + host + "/login"
	}
	return host
}

func consoleReports(start time.Time) []storage.SeedReport {
	at := func(days int, hour int) time.Time {
		return start.AddDate(0, 0, days).Add(time.Duration(hour) * time.Hour)
	}
	blocked := func(content string) storage.SeedProposal {
		return storage.SeedProposal{Content: content, ProposedStatus: asset.StatusBlocked}
	}
	reviewed := blocked("bad.example.com")
	reviewed.ReviewStatus, reviewed.ReviewedBy, reviewed.ReviewedAt = report.ReviewApprove, consoleOperator, at(0, 10)
	return []storage.SeedReport{
		{
			ID: 1, Organization: "acme", Title: "Fake shop", Description: "It copies our front page.",
			BrandID: 3, Reporter: consoleMember, CreatedAt: at(0, 9), Proposals: []storage.SeedProposal{reviewed},
		},
		{
			ID: 2, Organization: "acme", Title: "Look-alike handles", Reporter: consoleCrawler, CreatedAt: at(30, 12),
			Description: "Found by the nightly crawl. Three accounts use our logo and answer customers.",
			Proposals:   []storage.SeedProposal{blocked("@acme_support"), blocked("@acme_helpdesk"), blocked("https://t.me/acme_refunds")},
		},
		{
			ID: 3, Organization: "acme", Title: "Airdrop page with a wallet drainer", Reporter: consoleMember, CreatedAt: at(39, 15),
			Description: "A customer lost funds. The page asks for a signature that transfers everything.",
			Proposals:   []storage.SeedProposal{blocked("https://acme-airdrop.example.org/claim"), blocked("0x1111111111111111111111111111111111111111")},
		},
		{
			ID: 4, Organization: "acme", Title: "<script>alert('not markup')</script> \u202egnp.exe", Reporter: consoleCrawler, CreatedAt: at(40, 9),
			Description: "The text of this report tries to be markup: <img src=x onerror=alert(1)>. It must stay text.",
			Proposals:   []storage.SeedProposal{blocked("https://xn--80ak6aa92e.com/")},
		},
	}
}
