// Package storage defines the contract between the service and its database.
//
// # Map of the interfaces
//
// Each domain package declares the store interfaces that it needs, by role. Their
// comments are the contract of each method. [Store] unites them for apguard.New.
//
//	interface             methods  serves                   what it stores
//	account.Store               7  account.Service          organizations, groups, users
//	account.KeyStore            5  account.KeyService       API keys
//	asset.Store                 3  asset.Service            assets, statuses, the changelog
//	asset.HistoryStore          2  asset.HistoryService     earlier statuses, pruning (and asset.Store)
//	asset.FeedStore             2  asset.FeedService        the feed for followers
//	allowlist.Store             3  allowlist.Service        allowlist entries
//	dispute.Store               1  dispute.Service          new disputes
//	dispute.QueueStore          3  dispute.QueueService     disputes and their notes
//	report.Store                3  report.Service           reports and their proposals
//	report.ReviewStore          3  report.ReviewService     reviews of proposals
//	Store                       3  apguard.Guard            Import, Ping, Close
//
// # Writing an adapter
//
// Embed [Unimplemented], so that the adapter compiles from the start. Then implement
// the interfaces in the order of the map, as later ones refer to records of earlier
// ones. After each, run the part of the suite for it, such as storagetest.RunAssets. At
// the end, run storagetest.Run, which also tests concurrency, contexts, Import and
// Close. Package storage/memory is the shortest complete adapter.
//
// A host application that authenticates its callers itself needs no account.KeyStore.
// Any part that is not needed may stay unimplemented.
//
// # Rules for every method
//
//   - It may be called concurrently with all other methods.
//   - It is one atomic step. Other calls see all of it or nothing. A call that returns
//     an error has stored nothing. After nil, the step is as durable as the adapter
//     promises.
//   - It returns the error of the context if the context ends before the step is done.
//   - It makes no decisions. Commands carry what the domain decided, and functions and
//     methods of the domain decide what depends on stored data. The adapter calls them
//     inside the step, returns their errors unchanged and stores nothing then. It may
//     call them again if the step is retried.
//   - It compares texts byte by byte and returns them unchanged. Services pass only
//     valid UTF-8 without NUL.
//   - It returns times in UTC, truncated to milliseconds.
//   - It shares no slice or map with the caller.
//   - It assigns identifiers from 1 to 2^53-1 that grow and are never reused. A step
//     that needs a larger one fails.
//   - An empty list may be nil.
//   - After Close it returns [ErrClosed].
//
// An adapter may also provide a store inside a transaction of the host application,
// such as sqlite.InTx. Such a store is durable once the transaction commits, must not be
// used concurrently, and may leave a part of a failed call for the host application to
// roll back.
//
// The package also defines [Seed], the initial content of an empty store.
package storage

import (
	"context"
	"errors"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/report"
)

// Errors of adapters in addition to those of the domain packages, for errors.Is.
var (
	// ErrNotEmpty: Import requires an empty store.
	ErrNotEmpty = errors.New("store is not empty")
	// ErrNewerSchema: a newer version of this library created the database.
	ErrNewerSchema = errors.New("database schema is newer than this program")
	// ErrOlderSchema: the tables in a database of the host application are missing or
	// of an older version. Call Migrate of the adapter.
	ErrOlderSchema = errors.New("database schema is older than this program")
	// ErrClosed: the store was used after Close.
	ErrClosed = errors.New("store is closed")
)

// Store unites all store interfaces of the service.
type Store interface {
	account.Store
	account.KeyStore
	asset.Store
	asset.HistoryStore
	asset.FeedStore
	allowlist.Store
	dispute.Store
	dispute.QueueStore
	report.Store
	report.ReviewStore

	// Import stores the records of the seed in one step. It returns ErrNotEmpty unless
	// the store is empty, and the error of [Seed.Records] for an invalid seed.
	Import(ctx context.Context, seed Seed) error

	// Ping returns nil if the store can answer now. It reads a small part of the data,
	// for readiness probes.
	Ping(ctx context.Context) error

	// Close releases the resources of the store. It waits for running calls, or makes
	// them fail. Later calls return ErrClosed, except for Close, which returns nil.
	Close() error
}
