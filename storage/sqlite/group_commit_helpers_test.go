package sqlite_test

import (
	"context"
	"database/sql"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/storage/internal/fixtures"
	"github.com/apguard/apguard/storage/sqlite"
)

// crowd is a store whose steps can be made to wait for each other. Its commits are
// counted.
type crowd struct {
	*testing.T
	*sqlite.Store
	db      *sql.DB
	locking *sql.DB
	commits atomic.Int64
	// see may be set while no step is under way.
	see watch
}

func newCrowd(t *testing.T, h host) *crowd {
	t.Helper()
	c := &crowd{T: t}
	path := newFile(t)
	c.locking = h.open(t, path, usual)
	require.NoError(t, sqlite.Migrate(t.Context(), c.locking))
	c.db = h.openWatched(t, path, func(statement string) error {
		if statement == "COMMIT" {
			c.commits.Add(1)
		}
		if c.see == nil {
			return nil
		}
		return c.see(statement)
	})
	c.Store = newStore(t, c.db, patient())
	fixtures.Fill(t, c.Store)
	c.commits.Store(0)
	return c
}

// call is one call of a method of the store.
type call func(ctx context.Context) error

// outcomes are the errors of calls that have waited at the same moment, in their
// order.
type outcomes []error

// queue makes the calls, each of which has to wait for its turn, one after the
// other, and then lets all of them go on. While they wait, meanwhile is run, which
// may be nil.
func (c *crowd) queue(meanwhile func(), calls ...call) outcomes {
	c.Helper()
	lock := begin(c.T, c.locking)
	got, done := make(outcomes, len(calls)), make(chan struct{})
	for i, call := range calls {
		go func() {
			got[i] = call(c.Context())
			done <- struct{}{}
		}()
		c.waiting(i + 1)
	}
	if meanwhile != nil {
		meanwhile()
	}
	require.NoError(c, lock.Rollback())
	for range calls {
		<-done
	}
	return got
}

// waiting waits until n steps wait for their turn.
func (c *crowd) waiting(n int) {
	c.Helper()
	require.Eventually(c, func() bool { return sqlite.Waiting(c.Store) == n }, time.Minute, 100*time.Microsecond)
}

// await waits for what must happen, but not for ever.
func await(happened <-chan struct{}) {
	select {
	case <-happened:
	case <-time.After(10 * time.Second):
	}
}

// put returns a call that succeeds.
func (c *crowd) put(user int64) call {
	return func(ctx context.Context) error { return c.PutUser(ctx, account.User{ID: user}) }
}

// dispute returns a call that disputes an asset of its own.
func (c *crowd) dispute(name, note string) call {
	return func(ctx context.Context) error {
		_, err := c.CreateDispute(ctx, fixtures.DisputeCommand(name, note))
		return err
	}
}

// add returns a call that adds n assets.
func (c *crowd) add(name string, n int) call {
	return func(ctx context.Context) error {
		_, err := c.AddToAllowlist(ctx, fixtures.BatchCommand(name, n))
		return err
	}
}

// users returns the identifiers of the users that there are.
func (c *crowd) users() []string {
	c.Helper()
	return column(c, c.locking, "SELECT id FROM apguard_users ORDER BY id")
}

// assets returns how many assets have a name that begins so.
func (c *crowd) assets(name string) int {
	c.Helper()
	found := 0
	for _, canonical := range column(c, c.locking, "SELECT canonical FROM apguard_assets") {
		if strings.HasPrefix(canonical, fixtures.Identity(name).Canonical[:len("https://"+name)]) {
			found++
		}
	}
	return found
}
