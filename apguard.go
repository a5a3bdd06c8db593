// Package apguard embeds a complete asset protection service in a Go server. It
// implements the rules of the Asset Protection Service API, version 2.
//
// [New] returns a [Guard]. It unites the services of packages asset, account, allowlist,
// dispute, report, check and webhook on one store. Package classify recognizes the asset that a text
// names. The packages under storage store the data, and package httpapi serves the API
// over HTTP.
package apguard

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit/trail"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/internal/watch"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/observe"
	"github.com/apguard/apguard/pending"
	"github.com/apguard/apguard/protect"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/webhook"
)

// Options are the optional settings of a [Guard]. The zero value is valid.
type Options struct {
	// Clock returns the current time for every service. Nil means time.Now.
	Clock func() time.Time
	// RefuseBlocked prevents organizations from allowing an asset that is BLOCKED itself or by
	// a cover, such as its domain; see package allowlist.
	RefuseBlocked bool
	// Protected reports whether a host is one that nobody is to block by accident, or above one; see
	// [protect.Rule]. Public suffixes, platforms, popular hosts and what is on allowlists are always protected.
	Protected func(host string) bool
	// FourEyes makes a pending act of each request to block a protected asset, to sync a list that a brake has stopped,
	// or to remove a list, although it is confirmed; see package pending. Another operator must approve the act.
	FourEyes bool
	// Memory makes Checks answer from a copy of all statuses in memory, which [Guard.Run] fills and keeps up to
	// date. Checks then read the store only until the copy is filled, and after a change by the Guard until
	// the copy has it; see [Guard.Changed] for other changes. 1,000,000 assets take up to 80 MiB.
	Memory bool
	// Replica are the options of the Replica of the Guard, which [Guard.Run] runs: its Views, such as
	// hash lists, and where it saves snapshots. Memory adds another view. If OnEvent is nil, failures are passed
	// to OnError. The default of Interval is 100 milliseconds.
	Replica feed.Options
	// ExternalLists are asked about disputed and checked assets, in this order.
	ExternalLists check.ExternalLists
	// FailClosed makes a check fail if its verdict would be UNKNOWN while an external list did not
	// answer; see [check.Options].
	FailClosed bool
	// PrivateWebhooks allows webhook endpoints with http and with addresses that are not public;
	// see [webhook.Options].
	PrivateWebhooks bool
	// PrivateLists allows lists whose URL has http or an address that is not public; see [lists.Options].
	PrivateLists bool
	// PruneAge is the age from which on [Guard.Prune] removes records. If it is not positive, it removes those of any
	// age. The methods Prune of History, DisputeQueue and Reviews, which a host application calls, have no such limit.
	PruneAge time.Duration
	// Interval is the time between two rounds of work of [Guard.Run]. If it is not positive, it
	// is [DefaultInterval].
	Interval time.Duration
	// OnError is called by [Guard.Run] for errors of the store. It must be safe for concurrent
	// use. Nil ignores the errors.
	OnError func(error)
	// Observers observe the operations of the store and the checks, for traces and metrics; see
	// package observe. Operations start for them in this order.
	Observers []observe.Observer
}

// Guard is the complete service. It is safe for concurrent use. It does not close the
// store.
//
// Methods of Guard accept the content of an asset in any spelling. Exceptions, Preview, and the
// methods of Assets and History take an [asset.Identity] instead; [classify.Classify] returns it.
type Guard struct {
	Accounts  *account.Service
	Keys      *account.KeyService
	Assets    *asset.Service
	Allowlist *allowlist.Service
	Disputes  *dispute.Service
	Reports   *report.Service
	// Checks reads the store, or a copy in memory; see the option Memory. A host application can set it
	// to another checker before it uses the Guard. [observe.Checks] observes its checks.
	Checks check.Checker
	// ExternalLists are those of [Options]. They must not be changed.
	ExternalLists check.ExternalLists

	// History, Feed and DisputeQueue show data of all organizations. They are for
	// operators.
	History      *asset.HistoryService
	Feed         *asset.FeedService
	DisputeQueue *dispute.QueueService
	// Lists keeps lists in sync with files. It is for operators.
	Lists *lists.Service
	// Pending has the acts that wait for a second operator. It is for operators.
	Pending *pending.Service
	// Webhooks has the endpoints that receive events. Package webhook/deliver sends to them. It is
	// for operators.
	Webhooks *webhook.Service
	// Audit lists the audit trail. It is for operators.
	Audit *trail.Service
	// Reviews is for operators and for reviewers of one organization.
	Reviews *report.ReviewService
	// Replica keeps the views of [Options] and the copy of Memory. It is nil if there are none. [Guard.Run]
	// runs it. A host application that does not call Guard.Run, such as on a read-only store, runs it itself.
	Replica *feed.Replica

	store     storage.Store
	protector *protect.Service
	options   Options
	memory    *memory
	// queues looks at the queues for all calls of WaitQueues.
	queues *watch.Watch[Queues]
}

// New returns a Guard on a store.
func New(store storage.Store, opts Options) *Guard {
	opts.ExternalLists = slices.Clone(opts.ExternalLists) // With uses them later
	opts.Observers = slices.Clone(opts.Observers)
	opts.PruneAge = max(opts.PruneAge, 0)
	opts.Interval = cmp.Or(max(opts.Interval, 0), DefaultInterval)
	if opts.Clock == nil {
		opts.Clock = time.Now
	}
	if opts.OnError == nil {
		opts.OnError = func(error) {}
	}
	var m *memory
	if opts.Memory {
		m = newMemory(opts)
		store = watchedStore{store, m.changed}
	}
	guard := newGuard(store, opts)
	guard.replicate(m)
	return guard
}

// newGuard returns a Guard with complete options and without a Replica.
func newGuard(store storage.Store, opts Options) *Guard {
	store = observe.Store(store, opts.Observers...)
	rule := protect.Rule{Names: opts.Protected}
	protector := protect.NewService(store, rule)
	acts := pending.NewService(store, pending.Options{Clock: opts.Clock, Protector: protector})
	ofAssets := asset.Options{Clock: opts.Clock, Protector: protector}
	ofReviews := report.Options{Clock: opts.Clock, Protector: protector}
	ofLists := lists.Options{Clock: opts.Clock, AllowPrivate: opts.PrivateLists, Protected: rule}
	if opts.FourEyes {
		ofAssets.Brake, ofReviews.Brake, ofLists.Brake = acts, acts, acts
	}
	guard := &Guard{
		store:         store,
		protector:     protector,
		options:       opts,
		ExternalLists: opts.ExternalLists,
		Accounts:      account.NewService(store, account.Options{Clock: opts.Clock}),
		Keys:          account.NewKeyService(store, account.KeyOptions{Clock: opts.Clock}),
		Assets:        asset.NewService(store, ofAssets),
		History:       asset.NewHistoryService(store),
		Feed:          asset.NewFeedService(store),
		Allowlist:     allowlist.NewService(store, allowlist.Options{Clock: opts.Clock, RefuseBlocked: opts.RefuseBlocked, Protected: rule, ExternalLists: opts.ExternalLists}),
		Disputes:      dispute.NewService(store, dispute.Options{Clock: opts.Clock, ExternalLists: opts.ExternalLists}),
		DisputeQueue:  dispute.NewQueueService(store, dispute.QueueOptions{Clock: opts.Clock}),
		Reports:       report.NewService(store, report.Options{Clock: opts.Clock}),
		Checks:        observe.Checks(newChecks(store, opts), opts.Observers...),
		Reviews:       report.NewReviewService(store, ofReviews),
		Audit:         trail.NewService(store),
		Lists:         lists.NewService(store, ofLists),
		Pending:       acts,
		Webhooks:      webhook.NewService(store, store, store, webhook.Options{Clock: opts.Clock, AllowPrivate: opts.PrivateWebhooks}),
	}
	guard.queues = guard.watchQueues()
	return guard
}

// newChecks returns the checker that reads the store.
func newChecks(store storage.Store, opts Options) *check.Service {
	return check.NewService(store, check.Options{ExternalLists: opts.ExternalLists, FailClosed: opts.FailClosed})
}

// With returns a Guard with the same options on another store. With the store of a
// transaction, such as that of sqlite.InTx, all writes become part of that transaction. Its
// Checks read that store too, not a copy in memory, and it has no Replica. Creating a dispute asks the
// external lists first, which may keep the transaction open for a long time. Call [Guard.Changed] on g after
// the commit if g has the option Memory.
//
// The Keys of the returned Guard do not record when a key was last used. Authenticating
// therefore does not write to the transaction. A key that they revoke loses access as soon
// as the transaction is committed; see [account.KeyService.With].
func (g *Guard) With(store storage.Store) *Guard {
	guard := newGuard(store, g.options)
	guard.Keys = g.Keys.With(guard.store)
	return guard
}

// Ready returns nil if the store can answer, and a [*storage.RulesError] if a newer program has reclassified it. It is
// meant for the readiness probe of a server. The Guard must come from [New] or [Guard.With].
func (g *Guard) Ready(ctx context.Context) error {
	return g.store.Ping(ctx)
}

// Asset returns the asset with the given content. It returns [asset.ErrNotFound] if the
// asset does not exist or the content is not recognized.
func (g *Guard) Asset(ctx context.Context, content string) (asset.Asset, error) {
	identity, err := identify(content)
	if err != nil {
		return asset.Asset{}, err
	}
	return g.Assets.Get(ctx, identity)
}

// StatusAt returns the status that the asset with the given content had at the given
// time; see [asset.HistoryService.StatusAt]. It returns [asset.ErrNotFound] if the asset
// does not exist or the content is not recognized.
func (g *Guard) StatusAt(ctx context.Context, content string, at time.Time) (asset.Status, error) {
	identity, err := identify(content)
	if err != nil {
		return "", err
	}
	return g.History.StatusAt(ctx, identity, at)
}

// SetStatus sets the status of the asset with the given content and returns the asset;
// see [asset.Service.SetStatus]. It returns an [*asset.InputError] for invalid input and for
// content that is not recognized. It never blocks a protected asset, which needs the confirmation of
// [asset.SetStatusRequest].
func (g *Guard) SetStatus(ctx context.Context, content string, status asset.Status, origin asset.Origin) (asset.Asset, error) {
	result, err := classify.Classify(content)
	if err != nil {
		var issues asset.Issues
		issues.AddCause("content", err)
		return asset.Asset{}, issues.Err()
	}
	updated, err := g.Assets.SetStatus(ctx, asset.SetStatusRequest{
		Identity: result.Identity,
		Status:   status,
		Origin:   origin,
	})
	return updated.Asset, err
}

// identify returns the identity of content, or [asset.ErrNotFound] if the content is not
// recognized.
func identify(content string) (asset.Identity, error) {
	result, err := classify.Classify(content)
	if err != nil {
		return asset.Identity{}, fmt.Errorf("%w: %w", asset.ErrNotFound, err)
	}
	return result.Identity, nil
}
