package sqlite_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/storage/internal/test/fixtures"
	"github.com/apguard/apguard/storage/sqlite"
)

func TestWriter_ContextEndsDuringStep(t *testing.T) {
	t.Parallel()
	for _, d := range drivers() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			for reason, test := range map[string]struct {
				at  string // prefix of the statement during which the context ends
				cmd allowlist.AddCommand
			}{
				"before the step":        {"INSERT INTO apguard_users", fixtures.BatchCommand("new", 3)},
				"before the first write": {"SELECT a.id, a.type", fixtures.AddCommand("a")},
				"after new assets":       {"INSERT INTO apguard_assets", fixtures.BatchCommand("new", 3)},
				"after changes":          {"INSERT INTO apguard_changes", fixtures.BatchCommand("new", 3)},
				"after entries":          {"INSERT INTO apguard_allowlist", fixtures.BatchCommand("new", 3)},
				"after an entry only":    {"INSERT INTO apguard_allowlist", fixtures.AddCommand("b-1", "b-2")},
				"after a status":         {"UPDATE apguard_assets", fixtures.AddCommand("a", "b-0")},
				"during the commit":      {"COMMIT", fixtures.BatchCommand("new", 3)},
			} {
				t.Run(reason, func(t *testing.T) {
					t.Parallel()
					s := newQueuedStore(t, d)
					before := allRows(t, s.locking)
					ctx, cancel := context.WithCancel(t.Context())
					defer cancel()
					s.hook = func(statement string) error {
						if strings.HasPrefix(statement, test.at) {
							cancel()
						}
						return nil
					}
					test.cmd.OrganizationID = 2
					got := s.queue(nil, s.putUser(10), func(context.Context) error {
						_, err := s.AddToAllowlist(ctx, test.cmd)
						return err
					}, s.putUser(11))
					require.NoError(t, got[0])
					require.NoError(t, got[2])
					require.EqualValues(t, 1, s.commits.Load(), "the others must share a commit")
					if test.at == "COMMIT" {
						require.NoError(t, got[1], "a committed step must succeed")
						return
					}
					require.ErrorIs(t, got[1], context.Canceled)
					before["apguard_users"] = tableRows(t, s.locking, "apguard_users")
					require.Len(t, before["apguard_users"], 3)
					require.Equal(t, before, allRows(t, s.locking))
				})
			}
		})
	}
}

// A step can also be withdrawn after a transaction that had no room for it, or that another
// step has rolled back.
func TestWriter_ContextEndsWaitForTransaction(t *testing.T) {
	t.Parallel()
	for reason, test := range map[string]struct {
		others func(s *queuedStore) (before, after call)
		at     string // the statement during which the context ends
	}{
		"during a full transaction": {(*queuedStore).fillTransaction, "COMMIT"},
		"after a full transaction":  {(*queuedStore).fillTransaction, "BEGIN IMMEDIATE"},
		"during a rollback":         {(*queuedStore).failTransaction, "ROLLBACK"},
		"after a rollback":          {(*queuedStore).failTransaction, "BEGIN IMMEDIATE"},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			s := newQueuedStore(t, pureGo())
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			returned, freed := make(chan struct{}), make(chan error, 1)
			ended, locked := false, false
			s.hook = func(statement string) error {
				ended = ended || statement == "COMMIT" || statement == "ROLLBACK"
				if ended && !locked && statement == "BEGIN IMMEDIATE" {
					locked = true
					another := begin(t, s.locking)
					go func() {
						await(returned)
						freed <- another.Rollback()
					}()
				}
				if ended && statement == test.at {
					cancel()
				}
				return nil
			}
			before, after := test.others(s)
			got := s.queue(nil, before, func(context.Context) error {
				defer close(returned)
				return s.putUser(10)(ctx)
			}, after)
			require.NoError(t, got[0])
			require.ErrorIs(t, got[1], context.Canceled)
			require.True(t, locked, "no second transaction began")
			require.NoError(t, <-freed)
			require.Equal(t, []string{"1", "11"}, s.users())
		})
	}
}

// fillTransaction returns calls before and after a third one, which leave no room for it in
// their transaction.
func (s *queuedStore) fillTransaction() (before, after call) {
	return s.add("many", 2000), s.putUser(11)
}

// failTransaction returns calls before and after a third one. The last one fails and so rolls
// back the transaction.
func (s *queuedStore) failTransaction() (before, after call) {
	return s.putUser(11), func(ctx context.Context) error {
		_, err := s.PutGroup(ctx, account.Group{ID: asset.MaxID + 1, OrganizationID: 1}, audit.Entry{})
		return err
	}
}

func TestWriter_ContextEndsInQueue(t *testing.T) {
	t.Parallel()
	for _, d := range drivers() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			for reason, others := range map[string][]int64{
				"only step":           nil,
				"last of three steps": {10, 11},
			} {
				t.Run(reason, func(t *testing.T) {
					t.Parallel()
					s := newQueuedStore(t, d)
					ctx, cancel := context.WithCancel(t.Context())
					defer cancel()
					var ran atomic.Bool
					s.hook = func(statement string) error {
						if strings.HasPrefix(statement, "INSERT INTO apguard_groups") {
							ran.Store(true)
						}
						return nil
					}
					calls := make([]call, 0, len(others)+1)
					for _, id := range others {
						calls = append(calls, s.putUser(id))
					}
					calls = append(calls, func(context.Context) error {
						_, err := s.PutGroup(ctx, account.Group{OrganizationID: 1}, audit.Entry{})
						return err
					})
					got := s.queue(func() {
						cancel()
						s.awaitWaiting(len(others))
					}, calls...)
					require.ErrorIs(t, got[len(others)], context.Canceled)
					require.Equal(t, make([]error, len(others)), got[:len(others)])
					require.False(t, ran.Load(), "a withdrawn step ran")
					require.NoError(t, s.putUser(20)(t.Context()))
				})
			}
		})
	}
}

// The clock of synctest is exact. Rounding removes the waits between two attempts.
func TestWriter_DeadlinePerStep(t *testing.T) {
	t.Parallel()
	path := newFile(t)
	require.NoError(t, sqlite.Migrate(t.Context(), pureGo().open(t, path, testSettings)))
	synctest.Test(t, func(t *testing.T) {
		var busy atomic.Bool
		busy.Store(true)
		db := pureGo().openHooked(t, path, func(statement string) error {
			if busy.Load() && statement == "BEGIN IMMEDIATE" {
				return driverError(codeBusy)
			}
			return nil
		})
		store := newStore(t, db, sqlite.Options{BusyTimeout: 10 * time.Second})
		type end struct {
			err   error
			after time.Duration
		}
		begun, ends := time.Now(), make(chan end, 3)
		for id := range int64(3) {
			go func() {
				err := store.PutUser(t.Context(), account.User{ID: id + 1}, audit.Entry{})
				ends <- end{err, time.Since(begun).Round(time.Second)}
			}()
			<-time.After(4 * time.Second)
		}
		for _, after := range []time.Duration{10 * time.Second, 14 * time.Second} {
			got := <-ends
			require.ErrorIs(t, got.err, sqlite.ErrBusy)
			require.Equal(t, after, got.after)
		}
		busy.Store(false)
		require.NoError(t, (<-ends).err)
	})
}
