package storagetest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/webhook"
)

// administrationDay administers a store with all services, and compares the audit trail line by
// line with what was done. Lines that begin with a dash are acts that fail or change nothing, and
// have no entry.
func administrationDay(p *probe) {
	d := newDay(p)
	ada := audit.WithActor(p.Context(), audit.Actor{Channel: audit.ChannelAPI, UserID: 1, Key: "0123456789ab"})
	shell := audit.WithActor(p.Context(), audit.Actor{Channel: audit.ChannelCommandLine})
	host := p.Context()

	d.do(shell, "ORGANIZATION CREATED 7", func(ctx context.Context) error {
		return d.accounts.PutOrganization(ctx, account.Organization{ID: 7, Slug: "acme", Name: "Acme"})
	})
	d.do(shell, "GROUP CREATED 1 of 7", func(ctx context.Context) error {
		_, err := d.accounts.PutGroup(ctx, account.Group{OrganizationID: 7, Name: "Sites"})
		return err
	})
	d.do(shell, "USER CREATED 1", func(ctx context.Context) error {
		return d.accounts.PutUser(ctx, account.User{ID: 1, FullName: "Ada Lovelace", Email: "ada@acme.example"})
	})
	d.do(host, "USER CREATED 2", func(ctx context.Context) error {
		return d.accounts.PutUser(ctx, account.User{ID: 2, FullName: "Grace Hopper", Email: "grace@acme.example"})
	})
	d.do(ada, "-", func(ctx context.Context) error { // nothing changes
		return d.accounts.PutUser(ctx, account.User{ID: 2, FullName: "Grace Hopper", Email: "grace@acme.example"})
	})
	d.do(ada, "USER CHANGED 2", func(ctx context.Context) error {
		return d.accounts.PutUser(ctx, account.User{ID: 2, FullName: "Rear Admiral Hopper", Email: "grace@acme.example"})
	})
	d.fail(ada, account.ErrSlugTaken, func(ctx context.Context) error {
		return d.accounts.PutOrganization(ctx, account.Organization{ID: 8, Slug: "acme"})
	})

	first := d.createKey(ada, "KEY CREATED %s of 7 for 2 (check,reports)", account.KeyRequest{
		OrganizationID: 7, UserID: 2, Name: "Grace's laptop", Scopes: []account.Scope{account.ScopeCheck, account.ScopeReports},
	})
	second := ""
	d.do(ada, "KEY ROTATED "+first+" of 7 for 2 (%s)", func(ctx context.Context) error {
		secret, err := d.keys.Rotate(ctx, d.hash(first), time.Hour)
		second = account.Fingerprint(account.HashKey(secret))
		d.hashes[second] = account.HashKey(secret)
		d.expect(second)
		return err
	})
	d.do(host, "KEY EXPIRY_SET "+second+" of 7 for 2 (2025-01-06T10:00:00Z)", func(ctx context.Context) error {
		_, err := d.keys.SetExpiry(ctx, d.hash(second), at(0).AddDate(0, 0, 1))
		return err
	})
	d.do(ada, "KEY REVOKED "+first+" of 7 for 2", func(ctx context.Context) error {
		_, err := d.keys.Revoke(ctx, d.hash(first))
		return err
	})
	d.do(ada, "-", func(ctx context.Context) error { // it is revoked already
		_, err := d.keys.Revoke(ctx, d.hash(first))
		return err
	})
	d.fail(ada, account.ErrRevokedKey, func(ctx context.Context) error {
		_, err := d.keys.Rotate(ctx, d.hash(first), 0)
		return err
	})
	imported := strings.Repeat("k", 40)
	for _, want := range []string{"KEY IMPORTED " + account.Fingerprint(account.HashKey(imported)) + " (check)", "-"} {
		d.do(host, want, func(ctx context.Context) error {
			return d.keys.Put(ctx, imported, account.KeyRequest{Scopes: []account.Scope{account.ScopeCheck}})
		})
	}

	d.do(ada, "WEBHOOK CREATED 1 (dispute.created,dispute.resolved)", func(ctx context.Context) error {
		_, _, err := d.webhooks.Create(ctx, webhook.CreateRequest{
			URL: "https://receiver.example/hook?token=secret", Events: []webhook.EventType{webhook.EventDisputeCreated, webhook.EventDisputeResolved},
		})
		return err
	})
	change := func(act func(context.Context, int64) (webhook.Endpoint, error)) func(context.Context) error {
		return func(ctx context.Context) error { _, err := act(ctx, 1); return err }
	}
	d.do(ada, "WEBHOOK PAUSED 1", change(d.webhooks.Pause))
	d.do(ada, "-", change(d.webhooks.Pause)) // it is paused already
	d.do(ada, "WEBHOOK RESUMED 1", change(d.webhooks.Resume))
	d.do(shell, "WEBHOOK ROTATED 1", func(ctx context.Context) error { _, err := d.webhooks.Rotate(ctx, 1); return err })
	d.do(ada, "WEBHOOK REPLAYED 1", func(ctx context.Context) error { _, err := d.webhooks.Replay(ctx, 1, time.Time{}); return err })
	d.do(ada, "WEBHOOK REMOVED 1", func(ctx context.Context) error { return d.webhooks.Remove(ctx, 1) })
	d.fail(ada, webhook.ErrNotFound, func(ctx context.Context) error { return d.webhooks.Remove(ctx, 1) })

	for _, want := range []string{"IMPORT LIST_STARTED", "-"} { // the second time, no status changes
		d.do(shell, want, func(ctx context.Context) error {
			_, err := d.assets.SetStatuses(ctx, asset.SetStatusesRequest{
				Items: []asset.StatusItem{{Identity: site(1), Status: asset.StatusBlocked}, {Identity: site(2), Status: asset.StatusBlocked}}, Import: true,
			})
			return err
		})
	}
	p.dispute(disputeCommand(1, "grace@acme.example"))
	d.do(ada, "ERASURE ERASED (1)", func(ctx context.Context) error { _, err := d.disputes.Erase(ctx, "grace@acme.example"); return err })
	d.do(ada, "USER REMOVED 2", func(ctx context.Context) error {
		d.also("KEY REMOVED ", " of 7 for 2", first, second)
		return d.accounts.RemoveUser(ctx, 2)
	})
	d.do(shell, "GROUP REMOVED 1 of 7", func(ctx context.Context) error { return d.accounts.RemoveGroup(ctx, 7, 1) })
	d.do(shell, "ORGANIZATION REMOVED 7", func(ctx context.Context) error { return d.accounts.RemoveOrganization(ctx, 7) })
	d.fail(shell, account.ErrOrganizationNotFound, func(ctx context.Context) error { return d.accounts.RemoveOrganization(ctx, 7) })

	require.Equal(p, strings.Join(d.want, "\n"), strings.Join(d.lines(), "\n"))
	for _, text := range []string{"Ada", "Grace", "Hopper", "@", "laptop", "acme", "Sites", "token", imported} {
		require.NotContains(p, strings.Join(d.lines(), "\n"), text)
	}
}

// day is a day of administration. Its clock advances with each act.
type day struct {
	*probe
	accounts *account.Service
	keys     *account.KeyService
	webhooks *webhook.Service
	assets   *asset.Service
	disputes *dispute.QueueService
	now      int
	// want has the lines of the entries, the oldest first.
	want []string
	// hashes has the hashes of the keys by fingerprint.
	hashes map[string][32]byte
	// pending completes the line of the act under way, and more has lines that follow it.
	pending string
	more    []string
}

func newDay(p *probe) *day {
	d := &day{probe: p, hashes: make(map[string][32]byte)}
	clock := func() time.Time { return at(d.now) }
	d.accounts = account.NewService(p, account.Options{Clock: clock})
	d.keys = account.NewKeyService(p, account.KeyOptions{Clock: clock})
	d.webhooks = webhook.NewService(p, p, p, webhook.Options{Clock: clock})
	d.assets = asset.NewService(p, asset.Options{Clock: clock})
	d.disputes = dispute.NewQueueService(p, dispute.QueueOptions{Clock: clock})
	return d
}

// do acts, and expects the line, or nothing for a dash.
func (d *day) do(ctx context.Context, line string, act func(context.Context) error) {
	d.Helper()
	d.now++
	require.NoError(d, act(ctx), line)
	if line == "-" {
		return
	}
	for _, text := range append([]string{strings.Replace(line, "%s", d.pending, 1)}, d.more...) {
		d.want = append(d.want, fmt.Sprintf("%s %s %s", stamp(at(d.now)), name(audit.ActorOf(ctx)), text))
	}
	d.pending, d.more = "", nil
}

// fail acts, and expects the error and nothing else.
func (d *day) fail(ctx context.Context, want error, act func(context.Context) error) {
	d.Helper()
	d.now++
	require.ErrorIs(d, act(ctx), want)
}

func (d *day) expect(pending string) { d.pending = pending }

// also expects lines after the one of the act, ordered by hash.
func (d *day) also(before, after string, fingerprints ...string) {
	for _, fingerprint := range slices.Sorted(slices.Values(fingerprints)) {
		d.more = append(d.more, before+fingerprint+after)
	}
}

// createKey creates a key and returns its fingerprint.
func (d *day) createKey(ctx context.Context, line string, req account.KeyRequest) (fingerprint string) {
	d.Helper()
	d.do(ctx, line, func(ctx context.Context) error {
		secret, err := d.keys.Create(ctx, req)
		fingerprint = account.Fingerprint(account.HashKey(secret))
		d.hashes[fingerprint] = account.HashKey(secret)
		d.expect(fingerprint)
		return err
	})
	return fingerprint
}

func (d *day) hash(fingerprint string) [32]byte { return d.hashes[fingerprint] }

// lines returns the audit trail, the oldest entry first.
func (d *day) lines() []string {
	d.Helper()
	entries := d.auditTrail()
	lines := make([]string, 0, len(entries))
	for _, e := range entries {
		words := []string{stamp(e.At), name(e.Actor), string(e.Kind), string(e.Action)}
		if e.Subject != "" {
			words = append(words, e.Subject)
		}
		if e.OrganizationID != 0 {
			words = append(words, fmt.Sprint("of ", e.OrganizationID))
		}
		if e.UserID != 0 {
			words = append(words, fmt.Sprint("for ", e.UserID))
		}
		if e.Detail != "" {
			words = append(words, "("+e.Detail+")")
		}
		lines = append(lines, strings.Join(words, " "))
	}
	return lines
}

func stamp(at time.Time) string { return at.Format("15:04:05.000") }

// name names an actor.
func name(a audit.Actor) string {
	if a.UserID == 0 {
		return string(a.Channel)
	}
	return fmt.Sprintf("%s:%d:%s", a.Channel, a.UserID, a.Key)
}
