//go:build cgo

package sqlite_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/internal/sqlstore"
	"github.com/apguard/apguard/storage/internal/test/fixtures"
	"github.com/apguard/apguard/storage/sqlite"
)

// shortCallsTimeout is how long a test waits for short calls before it fails.
const shortCallsTimeout = time.Minute

// startTogether makes each call a number of times. It returns when all are running.
func startTogether(times int, calls ...func()) *sync.WaitGroup {
	var running, done sync.WaitGroup
	for range times {
		for _, call := range calls {
			running.Add(1)
			done.Go(func() {
				running.Done()
				call()
			})
		}
	}
	running.Wait()
	return &done
}

// requireShortCalls makes short calls so often that others would use all connections
// meanwhile if they could.
func requireShortCalls(ctx context.Context, t *testing.T, store storage.Store) {
	t.Helper()
	for range 100 {
		require.NoError(t, fixtures.ShortCalls(ctx, store))
	}
}

// Searches and lists leave connections for short calls, for the writer, and for transactions
// of the host application.
func TestEngine_ShortCallsDoNotWait(t *testing.T) {
	t.Parallel()
	for _, d := range drivers() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			const connections = 5 // one for searches, one for lists, one for writing, and two are kept
			path := newFile(t)
			require.NoError(t, sqlite.Migrate(t.Context(), d.open(t, path, testSettings)))
			entered, leave := make(chan struct{}, 4*connections), make(chan struct{})
			db := d.openHooked(t, path, func(statement string) error {
				if strings.Contains(statement, "instr(") || strings.Contains(statement, "FROM apguard_changes c CROSS JOIN") {
					entered <- struct{}{}
					<-leave
				}
				return nil
			})
			db.SetMaxOpenConns(connections)
			store := newStore(t, db, longTimeout())
			fixtures.Fill(t, store)

			calls := startTogether(connections,
				func() { assert.NoError(t, fixtures.Search(t.Context(), store)) },
				func() { assert.NoError(t, fixtures.ListChanges(t.Context(), store)) })
			defer calls.Wait()
			defer close(leave)
			<-entered
			<-entered
			ctx, cancel := context.WithTimeout(t.Context(), shortCallsTimeout)
			defer cancel()
			requireShortCalls(ctx, t, store)
			tx := begin(t, db)
			require.NoError(t, fixtures.ListEntries(ctx, sqlite.InTx(tx)), "a transaction has its connection")
			require.NoError(t, tx.Rollback())
			require.Empty(t, entered, "one search and one list at a time")

			cancel()
			err := fixtures.ListEntries(ctx, store)
			require.ErrorIs(t, err, context.Canceled)
			require.ErrorContains(t, err, "sqlite: allowlist entries: ")
		})
	}
}

// By default, several lists are read at the same time.
func TestOpen_DefaultReaders(t *testing.T) {
	t.Parallel()
	store, err := sqlite.Open(t.Context(), newFile(t), sqlite.Options{})
	require.NoError(t, err)
	defer func() { require.NoError(t, store.Close()) }()
	const lists = 5 // of 8 connections, two are kept, and one is for searches
	ctx, cancel := context.WithTimeout(t.Context(), shortCallsTimeout)
	defer cancel()
	entered, leave := make(chan struct{}, lists), make(chan struct{})
	calls := startTogether(lists, func() {
		assert.NoError(t, sqlite.Read(ctx, store, sqlstore.List, func(context.Context, sqlstore.Conn) error {
			entered <- struct{}{}
			<-leave
			return nil
		}))
	})
	defer calls.Wait()
	defer close(leave)
	for range lists {
		select {
		case <-entered:
		case <-ctx.Done():
			require.FailNow(t, "a list waits for others")
		}
	}
}

// Open keeps two of the connections for reading.
func TestOpen_KeepsConnections(t *testing.T) {
	t.Parallel()
	const readers = 4
	store, err := sqlite.Open(t.Context(), newFile(t), sqlite.Options{Readers: readers})
	require.NoError(t, err)
	defer func() { require.NoError(t, store.Close()) }()
	fixtures.Fill(t, store)
	entered, leave := make(chan struct{}, 2*readers), make(chan struct{})
	hold := func(kind sqlstore.Kind) func() {
		return func() {
			assert.NoError(t, sqlite.Read(t.Context(), store, kind, func(ctx context.Context, on sqlstore.Conn) error {
				rows, err := on.Query(ctx, "SELECT id FROM apguard_assets") // has the connection until it is closed
				if err != nil {
					return err
				}
				entered <- struct{}{}
				<-leave
				return rows.Close()
			}))
		}
	}
	calls := startTogether(readers, hold(sqlstore.List), hold(sqlstore.Search))
	defer calls.Wait()
	defer close(leave)
	<-entered
	<-entered
	ctx, cancel := context.WithTimeout(t.Context(), shortCallsTimeout)
	defer cancel()
	requireShortCalls(ctx, t, store)
	require.Empty(t, entered, "one search and one list at a time")
}
