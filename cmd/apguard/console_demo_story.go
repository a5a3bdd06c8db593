package main

import (
	"context"
	"errors"
	"time"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/dispute"
)

// consoleStep is something that somebody did, some time after the start of the demo.
type consoleStep struct {
	after time.Duration
	do    func(context.Context, *apguard.Guard) error
}

// consoleStory returns what happened to the assets and disputes of the demo of the console, in order.
func consoleStory() []consoleStep {
	day := 24 * time.Hour
	return []consoleStep{
		{2*day + 8*time.Hour, createsKey(consoleCrawler, "Nightly crawl", 365*day, account.ScopeCheck, account.ScopeChangelog, account.ScopeReports)},
		{5*day + 9*time.Hour, createsKey(consoleMember, "Trial of the feed", 14*day, account.ScopeChangelog)},
		{9*day + 13*time.Hour, createsKey(consoleMember, oldLaptop, 90*day, account.ScopeCheck, account.ScopeAllowlist)},
		{11*day + 17*time.Hour, revokesKeys(oldLaptop)},
		{12*day + 9*time.Hour, allowsAssets("https://acme.example.com/shop", "https://status.acme.example.com", "https://github.com/acme")},
		{20*day + 10*time.Hour, createsDispute("bad.example.com", "owner@bad.example.com", "We have removed the copied page. Please look again.")},
		{21*day + 9*time.Hour, takesUp(1, "I look into it.")},
		{21*day + 11*time.Hour, resolvesDispute(1, dispute.StateRejected, "", "The copied page is still there.")},
		{33*day + 14*time.Hour, createsDispute(consoleLure(0, 0), "hello@restore.example", "This is a tool for our own customers. It never asks for a seed phrase.")},
		{34*day + 8*time.Hour, createsDispute(consoleLure(4, 0), "mint@artists.example", "The mint is over and the page is gone.")},
		{34*day + 9*time.Hour, createsDispute("@acme_giveaway", "fan@mail.example", "I am a fan and give away my own tickets.")},
		{36*day + 10*time.Hour, takesUp(4, "Asked the fan for a link.")},
		{37*day + 16*time.Hour, createsDispute(consoleLure(2, 0), "zoe@partner.example", "Test system of a partner. <b>Not bold</b>, and \u202ereversed\u202c text or a zero\u200bwidth space must be visible.")},
		{38*day + 9*time.Hour, setsStatus(consoleLure(5, 0), asset.StatusUnknown)},
		{39*day + 11*time.Hour, setsStatus("bonus.acme.example.com", asset.StatusAllowed)},
		{40*day + 12*time.Hour, createsDispute("bad.example.com", "lawyer@bad.example.com", "Our client asks for a second look. The shop was sold on Monday.")},
	}
}

// oldLaptop names the key of the organization that was revoked.
const oldLaptop = "Laptop that was lost"

// byColleague returns a context of acts of an operator.
func byColleague(ctx context.Context) context.Context {
	return audit.WithActor(ctx, audit.Actor{Channel: audit.ChannelAPI, UserID: consoleColleague})
}

// createsKey creates a key of the organization. Its secret is not kept.
func createsKey(user int64, name string, lifetime time.Duration, scopes ...account.Scope) func(context.Context, *apguard.Guard) error {
	return func(ctx context.Context, guard *apguard.Guard) error {
		_, err := guard.Keys.Create(byColleague(ctx), account.KeyRequest{
			OrganizationID: consoleOrganization, UserID: user, Name: name, Scopes: scopes, ExpiresAt: guard.Keys.Now().Add(lifetime),
		})
		return err
	}
}

// revokesKeys revokes the keys of the organization that have a name.
func revokesKeys(name string) func(context.Context, *apguard.Guard) error {
	return func(ctx context.Context, guard *apguard.Guard) error {
		keys, err := guard.Keys.List(ctx, consoleOrganization)
		for _, key := range keys {
			if key.Name == name {
				_, revocation := guard.Keys.Revoke(byColleague(ctx), key.Hash)
				err = errors.Join(err, revocation)
			}
		}
		return err
	}
}

// allowsAssets adds assets to the allowlist of the organization.
func allowsAssets(contents ...string) func(context.Context, *apguard.Guard) error {
	return func(ctx context.Context, guard *apguard.Guard) error {
		items := make([]allowlist.Item, len(contents))
		for i, content := range contents {
			items[i].Content = content
		}
		_, err := guard.Allowlist.Add(ctx, allowlist.AddRequest{OrganizationID: consoleOrganization, Actor: consoleMember, Items: items})
		return err
	}
}

// setsStatus sets the status of an asset.
func setsStatus(content string, to asset.Status) func(context.Context, *apguard.Guard) error {
	return func(ctx context.Context, guard *apguard.Guard) error {
		_, err := guard.SetStatus(ctx, content, to, asset.Origin{Cause: asset.CauseManual, Actor: consoleOperator})
		return err
	}
}

// createsDispute creates a dispute.
func createsDispute(content, email, description string) func(context.Context, *apguard.Guard) error {
	return func(ctx context.Context, guard *apguard.Guard) error {
		_, err := guard.Disputes.Create(ctx, dispute.CreateRequest{Content: content, Email: email, Description: description, ViaAPI: true})
		return err
	}
}

// takesUp takes a dispute up.
func takesUp(id int64, reason string) func(context.Context, *apguard.Guard) error {
	return func(ctx context.Context, guard *apguard.Guard) error {
		_, err := guard.DisputeQueue.StartReview(ctx, dispute.TransitionRequest{DisputeID: id, Actor: consoleColleague, Reason: reason})
		return err
	}
}

// resolvesDispute decides a dispute.
func resolvesDispute(id int64, decision dispute.State, assetStatus asset.Status, reason string) func(context.Context, *apguard.Guard) error {
	return func(ctx context.Context, guard *apguard.Guard) error {
		_, err := guard.DisputeQueue.Resolve(ctx, dispute.ResolveRequest{
			DisputeID: id, State: decision, AssetStatus: assetStatus, Actor: consoleColleague, Reason: reason,
		})
		return err
	}
}
