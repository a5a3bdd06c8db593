// Package storage is where the parts of the service meet their database.
//
// Each domain package declares the small interface that it needs, and its
// comments are the contract: what is one atomic step, what is unique, which
// errors come back. [Store] unites those interfaces for apguard.New; nothing
// else programs against it. Package storagetest holds any adapter to the
// contract.
//
// What holds for every method of every adapter:
//
//   - It may be called concurrently with all others.
//   - It is one step: other calls see all of it or nothing, and a failed call
//     leaves nothing behind. When it returns without error, the step survives
//     whatever the adapter promises to survive.
//   - It returns the error of the context when the context ends before the step
//     is done.
//   - It decides nothing: the request carries what the domain decided.
//   - Text comes back as it was given, in every script; texts are compared byte
//     by byte. The services let no text through that is not valid UTF-8 or has a
//     NUL. Times come back in UTC, cut to whole milliseconds. Slices and maps
//     that go in or come out are not shared with the store.
//   - Identifiers that the store gives begin at 1, grow, are never given twice,
//     and stay below 2^53; a step that would need a larger one fails. An asset is
//     unique by its identity.
//   - A list without elements may be nil.
//
// An adapter may also give a store inside a transaction of the host's. Its steps
// are stored when the host commits, one goroutine at a time may use it, and a call
// that fails may leave a part behind, which the host rolls back.
//
// The package also holds [Seed], the first content of an empty store.
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

// What adapters return beside the errors of the domain packages, for errors.Is.
var (
	// ErrNotEmpty: a seed goes only into a store that holds nothing at all.
	ErrNotEmpty = errors.New("store is not empty")
	// ErrNewerSchema: a newer version of this library made the database.
	ErrNewerSchema = errors.New("database schema is newer than this program")
	// ErrOlderSchema: the tables in a database that the host has opened are missing
	// or of an older version. The adapter's Migrate brings them up to date.
	ErrOlderSchema = errors.New("database schema is older than this program")
	// ErrClosed: the store was used after Close.
	ErrClosed = errors.New("store is closed")
)

// Store is everything that the service stores.
type Store interface {
	account.Store
	asset.Store
	allowlist.Store
	dispute.Store
	report.Store

	// Import fills the store with the records of the seed, in one step. It
	// returns ErrNotEmpty when the store holds anything, and the error of
	// [Seed.Records] when the seed is wrong.
	Import(ctx context.Context, seed Seed) error

	// Ping returns nil when the store can answer now: it reads a little of what it
	// holds. It is for a server that is asked whether it is ready.
	Ping(ctx context.Context) error

	// Close frees what the store holds. Calls under way end, with or without
	// success; later ones return ErrClosed. Closing twice is no error.
	Close() error
}
