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

// demoStep is something that somebody did, some time after the start of the demo.
type demoStep struct {
	after time.Duration
	do    func(context.Context, *apguard.Guard) error
}

// demoStory returns what happened to the assets and disputes of the demo, in order.
func demoStory() []demoStep {
	day := 24 * time.Hour
	return []demoStep{
		{2*day + 8*time.Hour, keyOf(demoCrawler, "Nightly crawl", 365*day, account.ScopeCheck, account.ScopeChangelog, account.ScopeReports)},
		{5*day + 9*time.Hour, keyOf(demoMember, "Trial of the feed", 14*day, account.ScopeChangelog)},
		{9*day + 13*time.Hour, keyOf(demoMember, oldLaptop, 90*day, account.ScopeCheck, account.ScopeAllowlist)},
		{11*day + 17*time.Hour, revoked(oldLaptop)},
		{12*day + 9*time.Hour, allow("https://acme.example.com/shop", "https://status.acme.example.com", "https://github.com/acme")},
		{20*day + 10*time.Hour, disputeOf("bad.example.com", "owner@bad.example.com", "We have removed the copied page. Please look again.")},
		{21*day + 9*time.Hour, moved((*dispute.QueueService).StartReview, 1, "I look into it.")},
		{21*day + 11*time.Hour, resolved(1, dispute.StateRejected, "", "The copied page is still there.")},
		{33*day + 14*time.Hour, disputeOf(demoLure(0, 0), "hello@restore.example", "This is a tool for our own customers. It never asks for a seed phrase.")},
		{34*day + 8*time.Hour, disputeOf(demoLure(4, 0), "mint@artists.example", "The mint is over and the page is gone.")},
		{34*day + 9*time.Hour, disputeOf("@acme_giveaway", "fan@mail.example", "I am a fan and give away my own tickets.")},
		{36*day + 10*time.Hour, moved((*dispute.QueueService).StartReview, 4, "Asked the fan for a link.")},
		{37*day + 16*time.Hour, disputeOf(demoLure(2, 0), "zoe@partner.example", "Test system of a partner. <b>Not bold</b>, and \u202ereversed\u202c text or a zero\u200bwidth space must be visible.")},
		{38*day + 9*time.Hour, status(demoLure(5, 0), asset.StatusUnknown)},
		{39*day + 11*time.Hour, status("bonus.acme.example.com", asset.StatusAllowed)},
		{40*day + 12*time.Hour, disputeOf("bad.example.com", "lawyer@bad.example.com", "Our client asks for a second look. The shop was sold on Monday.")},
	}
}

// oldLaptop names the key of the organization that was revoked.
const oldLaptop = "Laptop that was lost"

// byColleague returns a context of acts of an operator.
func byColleague(ctx context.Context) context.Context {
	return audit.WithActor(ctx, audit.Actor{Channel: audit.ChannelAPI, UserID: demoColleague})
}

// keyOf creates a key of the organization, which nobody has.
func keyOf(user int64, name string, lifetime time.Duration, scopes ...account.Scope) func(context.Context, *apguard.Guard) error {
	return func(ctx context.Context, guard *apguard.Guard) error {
		_, err := guard.Keys.Create(byColleague(ctx), account.KeyRequest{
			OrganizationID: demoOrganization, UserID: user, Name: name, Scopes: scopes, ExpiresAt: guard.Keys.Now().Add(lifetime),
		})
		return err
	}
}

// revoked revokes the keys of the organization that have a name.
func revoked(name string) func(context.Context, *apguard.Guard) error {
	return func(ctx context.Context, guard *apguard.Guard) error {
		keys, err := guard.Keys.List(ctx, demoOrganization)
		for _, key := range keys {
			if key.Name == name {
				_, revocation := guard.Keys.Revoke(byColleague(ctx), key.Hash)
				err = errors.Join(err, revocation)
			}
		}
		return err
	}
}

// allow adds assets to the allowlist of the organization.
func allow(contents ...string) func(context.Context, *apguard.Guard) error {
	return func(ctx context.Context, guard *apguard.Guard) error {
		items := make([]allowlist.Item, len(contents))
		for i, content := range contents {
			items[i].Content = content
		}
		_, err := guard.Allowlist.Add(ctx, allowlist.AddRequest{OrganizationID: demoOrganization, Actor: demoMember, Items: items})
		return err
	}
}

// status sets the status of an asset.
func status(content string, to asset.Status) func(context.Context, *apguard.Guard) error {
	return func(ctx context.Context, guard *apguard.Guard) error {
		_, err := guard.SetStatus(ctx, content, to, asset.Origin{Cause: asset.CauseManual, Actor: demoOperator})
		return err
	}
}

// disputeOf creates a dispute.
func disputeOf(content, email, description string) func(context.Context, *apguard.Guard) error {
	return func(ctx context.Context, guard *apguard.Guard) error {
		_, err := guard.Disputes.Create(ctx, dispute.CreateRequest{Content: content, Email: email, Description: description, ViaAPI: true})
		return err
	}
}

// moved changes the state of a dispute.
func moved(move func(*dispute.QueueService, context.Context, dispute.TransitionRequest) (dispute.Updated, error), id int64, reason string) func(context.Context, *apguard.Guard) error {
	return func(ctx context.Context, guard *apguard.Guard) error {
		_, err := move(guard.DisputeQueue, ctx, dispute.TransitionRequest{DisputeID: id, Actor: demoColleague, Reason: reason})
		return err
	}
}

// resolved decides a dispute.
func resolved(id int64, decision dispute.State, assetStatus asset.Status, reason string) func(context.Context, *apguard.Guard) error {
	return func(ctx context.Context, guard *apguard.Guard) error {
		_, err := guard.DisputeQueue.Resolve(ctx, dispute.ResolveRequest{
			DisputeID: id, State: decision, AssetStatus: assetStatus, Actor: demoColleague, Reason: reason,
		})
		return err
	}
}
