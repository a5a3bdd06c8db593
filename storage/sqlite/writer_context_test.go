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
	"github.com/apguard/apguard/storage/internal/fixtures"
	"github.com/apguard/apguard/storage/sqlite"
)

func TestWriter_ContextEndsDuringStep(t *testing.T) {
	t.Parallel()
	for _, h := range hosts() {
		t.Run(h.driver, func(t *testing.T) {
			t.Parallel()
			for reason, test := range map[string]struct {
				at      string // the beginning of a statement
				command allowlist.AddCommand
			}{
				"before it has begun":    {"INSERT INTO apguard_users", fixtures.BatchCommand("new", 3)},
				"before it has written":  {"SELECT a.id, a.status", fixtures.AddCommand("a")},
				"after new assets":       {"INSERT INTO apguard_assets", fixtures.BatchCommand("new", 3)},
				"after changes":          {"INSERT INTO apguard_changes", fixtures.BatchCommand("new", 3)},
				"after entries":          {"INSERT INTO apguard_allowlist", fixtures.BatchCommand("new", 3)},
				"after an entry alone":   {"INSERT INTO apguard_allowlist", fixtures.AddCommand("b-1", "b-2")},
				"after a status":         {"UPDATE apguard_assets", fixtures.AddCommand("a", "b-0")},
				"after all it has to do": {"COMMIT", fixtures.BatchCommand("new", 3)},
			} {
				t.Run(reason, func(t *testing.T) {
					t.Parallel()
					c := newCrowd(t, h)
					before := everything(t, c.locking)
					ctx, cancel := context.WithCancel(t.Context())
					defer cancel()
					c.see = func(statement string) error {
						if strings.HasPrefix(statement, test.at) {
							cancel()
						}
						return nil
					}
					test.command.OrganizationID = 2
					got := c.queue(nil, c.put(10), func(context.Context) error {
						_, err := c.AddToAllowlist(ctx, test.command)
						return err
					}, c.put(11))
					require.NoError(t, got[0])
					require.NoError(t, got[2])
					require.EqualValues(t, 1, c.commits.Load(), "the others still share one")
					if test.at == "COMMIT" {
						require.NoError(t, got[1], "what is committed is answered")
						return
					}
					require.ErrorIs(t, got[1], context.Canceled)
					before["apguard_users"] = rowsOf(t, c.locking, "apguard_users")
					require.Len(t, before["apguard_users"], 3)
					require.Equal(t, before, everything(t, c.locking))
				})
			}
		})
	}
}

// A step can be withdrawn also when it has waited in vain before: for a
// transaction that others have filled, or in one that another step has spoilt.
func TestWriter_ContextEndsWaitForTransaction(t *testing.T) {
	t.Parallel()
	for reason, test := range map[string]struct {
		others func(c *crowd) (before, after call)
		moment string // the statement during which the context ends
	}{
		"when one is full":          {(*crowd).fill, "COMMIT"},
		"after one that was full":   {(*crowd).fill, "BEGIN IMMEDIATE"},
		"when one is undone":        {(*crowd).spoil, "ROLLBACK"},
		"after one that was undone": {(*crowd).spoil, "BEGIN IMMEDIATE"},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			c := newCrowd(t, purely())
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			returned, freed := make(chan struct{}), make(chan error, 1)
			over, locked := false, false
			c.see = func(statement string) error {
				over = over || statement == "COMMIT" || statement == "ROLLBACK"
				if over && !locked && statement == "BEGIN IMMEDIATE" {
					locked = true
					another := begin(t, c.locking)
					go func() {
						await(returned)
						freed <- another.Rollback()
					}()
				}
				if over && statement == test.moment {
					cancel()
				}
				return nil
			}
			before, after := test.others(c)
			got := c.queue(nil, before, func(context.Context) error {
				defer close(returned)
				return c.put(10)(ctx)
			}, after)
			require.NoError(t, got[0])
			require.ErrorIs(t, got[1], context.Canceled)
			require.True(t, locked, "no second transaction was begun")
			require.NoError(t, <-freed)
			require.Equal(t, []string{"1", "11"}, c.users())
		})
	}
}

// fill returns calls around a third one that leave no room for it in their
// transaction.
func (c *crowd) fill() (before, after call) {
	return c.add("many", 2000), c.put(11)
}

// spoil returns calls around a third one of which the last one undoes the
// transaction.
func (c *crowd) spoil() (before, after call) {
	return c.put(11), func(ctx context.Context) error {
		_, err := c.PutGroup(ctx, account.Group{ID: asset.MaxID + 1, OrganizationID: 1})
		return err
	}
}

func TestWriter_ContextEndsInQueue(t *testing.T) {
	t.Parallel()
	for _, h := range hosts() {
		t.Run(h.driver, func(t *testing.T) {
			t.Parallel()
			for reason, others := range map[string][]int64{
				"the only one":      nil,
				"the last of three": {10, 11},
			} {
				t.Run(reason, func(t *testing.T) {
					t.Parallel()
					c := newCrowd(t, h)
					ctx, cancel := context.WithCancel(t.Context())
					defer cancel()
					var ran atomic.Bool
					c.see = func(statement string) error {
						if strings.HasPrefix(statement, "INSERT INTO apguard_groups") {
							ran.Store(true)
						}
						return nil
					}
					calls := make([]call, 0, len(others)+1)
					for _, id := range others {
						calls = append(calls, c.put(id))
					}
					calls = append(calls, func(context.Context) error {
						_, err := c.PutGroup(ctx, account.Group{OrganizationID: 1})
						return err
					})
					got := c.queue(func() {
						cancel()
						c.waiting(len(others))
					}, calls...)
					require.ErrorIs(t, got[len(others)], context.Canceled)
					require.Equal(t, make(outcomes, len(others)), got[:len(others)])
					require.False(t, ran.Load(), "a step that was withdrawn has run")
					require.NoError(t, c.put(20)(t.Context()))
				})
			}
		})
	}
}

// Time passes here only while all wait, so the moments are exact but for the
// waits between two attempts.
func TestWriter_DeadlinePerStep(t *testing.T) {
	t.Parallel()
	path := newFile(t)
	require.NoError(t, sqlite.Migrate(t.Context(), purely().open(t, path, usual)))
	synctest.Test(t, func(t *testing.T) {
		var busy atomic.Bool
		busy.Store(true)
		db := purely().openWatched(t, path, func(statement string) error {
			if busy.Load() && statement == "BEGIN IMMEDIATE" {
				return failed(codeBusy)
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
				err := store.PutUser(t.Context(), account.User{ID: id + 1})
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
