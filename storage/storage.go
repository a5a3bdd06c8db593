// Package storage defines the contract between the service and its database.
//
// # Map of the interfaces
//
// Each domain package declares the store interfaces that its services need, one for each
// role. The comment of each method is its contract. [Store] combines all interfaces for
// apguard.New.
//
//	interface             methods  serves                   what it stores
//	account.Store              16  account.Service          organizations, groups, users
//	account.KeyStore            8  account.KeyService       API keys
//	asset.Store                 9  asset.Service            assets, statuses, the changelog
//	asset.HistoryStore          2  asset.HistoryService     pruning and counting the changelog (and asset.Store)
//	asset.FeedStore             3  asset.FeedService        the feed for followers
//	allowlist.Store             8  allowlist.Service        allowlist entries (and asset.Store, protect.Store)
//	dispute.Store               2  dispute.Service          new disputes, and those of a creator
//	dispute.QueueStore          7  dispute.QueueService     disputes and their notes
//	dispute.EventStore          2  webhook.Service          events of disputes
//	report.Store                3  report.Service           reports and their proposals
//	report.ReviewStore          5  report.ReviewService     reviews of proposals (and report.Store)
//	protect.Store               1  protect.Service          what is on allowlists, for protection
//	lists.Store                 6  lists.Service            lists, and what they hold
//	pending.Store               5  pending.Service          acts that wait (and asset.Store, lists.Store)
//	webhook.Store               6  webhook.Service          endpoints of webhooks
//	trail.Store                 1  trail.Service            the audit trail
//	Store                       4  apguard.Guard            Import, PruneIdempotency, Ping, Close
//
// # Writing an adapter
//
// Embed [Unimplemented], so that the adapter compiles from the start, and implement Close. Then
// implement the interfaces in the order of the map, because later ones refer to records of earlier
// ones. After each one, run its part of the suite with storagetest.RunPart. When all are
// done, run storagetest.Run, which also tests concurrency, contexts, Import and Close.
// Package storage/memory is the shortest complete adapter.
//
// A host application that authenticates its callers itself needs no account.KeyStore.
// The methods of a part that is not needed may stay those of [Unimplemented], which return
// [ErrUnimplemented]. apguard.Guard.Run leaves out the regular work that the store does not implement.
//
// # Rules for every method
//
//   - It may be called concurrently with all other methods.
//   - It is one atomic step. Other calls see all of it or nothing. A call that returns an
//     error has stored nothing. Once a call has returned nil, its changes are as durable
//     as the adapter documents.
//   - It returns the error of the context if the context ends before the step is done. A
//     method that only waits for a lock can check the context once it has the lock, and
//     once a function that it was given has returned.
//   - It applies no rule of its own. Decisions that do not depend on stored data are
//     already in its arguments. For the others, it calls a function or method of the
//     domain inside the step. If that returns an error, the adapter returns the error
//     unchanged and stores nothing. It may call the function again if it retries the
//     step. The function does not use the store. If it panics or calls runtime.Goexit,
//     nothing is stored, and the same happens to the goroutine that called the method.
//   - It compares strings byte by byte and returns them unchanged. Services pass only
//     valid UTF-8 without NUL.
//   - It stores times as step.TruncateTime returns them: in UTC, truncated to
//     milliseconds. Its arguments, and the results of functions, may contain other times.
//   - It shares no slice or map with the caller or with the functions that it calls.
//   - It assigns identifiers in ascending order, from 1 to 2^53-1, and never reuses one.
//     Each is larger than all of its kind that were imported or chosen by callers. A call
//     that needs one above 2^53-1 fails.
//   - It returns the assets, organizations and users of a record as they are now.
//   - It does not check that a record's organization or user exists, except in
//     KeyStore.PutKey.
//   - Limits are at least 1, unless the method says otherwise. They may be larger than the
//     MaxLimit of a service.
//   - A page of a list ends where [step.ReadPage] ends it: it is limited by the number of
//     items and by step.MaxPageBytes. The adapter reads its rows while ReadPage runs, and
//     so keeps no more than a page, although a driver may receive more. A page that is shorter
//     than the limit may be followed by another one; its field More, or for reports its
//     NextCursor, tells.
//   - An empty list may be nil.
//   - After Close it returns [ErrClosed]. If the context has ended too, it may return
//     either error.
//   - If it fails because the database is away, locked, out of connections or out of
//     space, the error matches [asset.ErrUnavailable].
//
// An adapter whose data outlives the program keeps classify.Version with it, returns the error of
// [CheckRules] when it is opened and from Store.Ping, and implements [Reclassifier].
//
// An adapter may also provide a store inside a transaction of the host application, such
// as sqlite.InTx. Such a store differs in three ways. Its changes become durable when the
// transaction commits. It must not be used concurrently. A failed call may leave some of
// its changes in the transaction, which the host application must then roll back.
//
// # The audit trail
//
// Methods that administer something take an audit.Entry, or a command or a function that returns
// one. They append it in the same step, with an ID, unless it is zero. A call that fails appends
// nothing. Methods of the domain that stores call, such as audit.Stored, decide what is appended.
//
// # Counting changes
//
// If [ChangeCounter] is not nil, a step that has recorded changes of status reports their numbers to it
// once it is done. Import reports none. Observers count changes in this way; see package observe.
//
// # Commands with a claim
//
// Some requests can be repeated with an idempotency key. Their commands have an
// idempotency.Claim. If it is not zero, the step has two more parts:
//
//   - Before anything else, it looks for the record with the ID of the claim, and calls
//     Claim.Check with it. If that returns an error, the method returns it unchanged and
//     does nothing else.
//   - At the end, it stores the record that the command returns, in the place of an expired
//     one with that ID.
//
// A call that fails stores no record. Of concurrent calls with equal IDs, one is executed. The
// others wait for it or return idempotency.ErrInProgress.
//
// The package also defines [Seed], the initial content of an empty store.
package storage

import (
	"context"
	"errors"
	"time"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit/trail"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/pending"
	"github.com/apguard/apguard/protect"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/webhook"
)

// Errors of adapters in addition to those of the domain packages, for errors.Is.
var (
	// ErrNotEmpty reports that the store of an Import is not empty.
	ErrNotEmpty = errors.New("store is not empty")
	// ErrNewerSchema reports that a newer version of this library created the database.
	ErrNewerSchema = errors.New("database schema is newer than this program")
	// ErrOlderSchema reports that the tables of this library in a database of the host
	// application are missing or have an older version. Call the adapter's Migrate.
	ErrOlderSchema = errors.New("database schema is older than this program")
	// ErrClosed reports that the store was used after Close. It matches asset.ErrUnavailable.
	ErrClosed error = closedError{}
)

type closedError struct{}

func (closedError) Error() string { return "store is closed" }

// Is makes the error match [asset.ErrUnavailable].
func (closedError) Is(target error) bool { return target == asset.ErrUnavailable }

// Store combines the store interfaces of all services.
type Store interface {
	account.Store
	account.KeyStore
	asset.Store
	asset.HistoryStore
	asset.FeedStore
	allowlist.Store
	dispute.Store
	dispute.QueueStore
	dispute.EventStore
	report.Store
	report.ReviewStore
	protect.Store
	lists.Store
	pending.Store
	webhook.Store
	trail.Store

	// Import stores the records that [Seed.Records] returns, and appends their Audit, in one step. It returns
	// ErrNotEmpty if the store has any record, and the error of Seed.Records if the seed is
	// invalid. If both apply, it may return either.
	Import(ctx context.Context, seed Seed) error

	// PruneIdempotency removes at most limit of the records of idempotency keys that are
	// older than before, and returns their number.
	PruneIdempotency(ctx context.Context, before time.Time, limit int) (removed int, err error)

	// Ping returns nil if the store can answer now. It reads a small part of the data,
	// for readiness probes. It may also return an error if the store cannot write. It
	// writes nothing. The error is a [*RulesError] if the assets are of other rules, as after a
	// newer program has reclassified them. Other methods do not check that.
	Ping(ctx context.Context) error

	// Close releases the resources of the store. It either waits for running calls or makes
	// them fail. Later calls return ErrClosed, except for Close, which returns nil.
	Close() error
}
