package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/client"
	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/storage"
)

const (
	feedWriters   = 8
	feedFollowers = 3
	feedBatch     = 500
)

// TestCrash_Feed kills the server at random moments, while clients add assets and others follow the
// changes over HTTP. Each follower must receive every change once, in the order of the feed.
func TestCrash_Feed(t *testing.T) {
	t.Parallel()
	testsize.NotShort(t)
	for name, newDB := range crashingDatabases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := newDB(t)
			batches := testsize.Of(1, 20, 200) / feedWriters
			origin := newCrashing(t, "-db", db, "-rate", "0", "-seed", writeFile(t, seed))
			var writers, followers sync.WaitGroup
			for w := range feedWriters {
				writers.Go(func() { origin.write(t, w, batches) })
			}
			var followed [feedFollowers][]string
			for i := range followed {
				followers.Go(func() { followed[i] = origin.follow(t, 1+feedWriters*batches*feedBatch) })
			}
			kills := testsize.Of(1, 3, 10)
			for range kills {
				origin.killAfter(t, 1+rand.IntN(feedWriters*batches/kills))
			}
			writers.Wait()
			followers.Wait()
			require.NoError(t, origin.process.Kill())

			var want []string
			withStore(t, db, func(store storage.Store) {
				for entry, err := range asset.NewFeedService(store).Follow(t.Context(), asset.FeedCursor{}) {
					require.NoError(t, err)
					want = append(want, entry.Change.Content)
				}
			})
			require.Len(t, want, 1+feedWriters*batches*feedBatch)
			for _, got := range followed {
				require.True(t, slices.Equal(want, got), "a follower must receive the changes in the order of the feed")
			}
		})
	}
}

// crashing is a server that is killed and started again.
type crashing struct {
	args    []string
	server  server
	process *os.Process
	// client is that of the present server.
	client atomic.Pointer[client.Client]
	// added receives once for each batch.
	added chan struct{}
}

func newCrashing(t *testing.T, args ...string) *crashing {
	t.Helper()
	c := &crashing{args: args, added: make(chan struct{}, 1000)}
	c.start(t)
	return c
}

func (c *crashing) start(t *testing.T) {
	t.Helper()
	c.server, c.process = startProcess(t, c.args...)
	connected, err := client.New(c.server.url, client.Options{Key: "apg_globex", Retries: 1})
	require.NoError(t, err)
	c.client.Store(connected)
}

// killAfter kills the server when that many more batches were added, and starts it again.
func (c *crashing) killAfter(t *testing.T, batches int) {
	t.Helper()
	for range batches {
		<-c.added
	}
	require.NoError(t, c.process.Kill())
	require.Error(t, c.server.stop(), "the server was killed")
	c.start(t)
}

// write adds batches, each until it is answered.
func (c *crashing) write(t *testing.T, writer, batches int) {
	t.Helper()
	for batch := range batches {
		req := client.AddRequest{IdempotencyKey: fmt.Sprintf("%d-%d", writer, batch)}
		for i := range feedBatch {
			req.Assets = append(req.Assets, client.Item{Content: fmt.Sprintf("https://w%d-%d-%d.example", writer, batch, i)})
		}
		c.repeat(t, func(ctx context.Context, on *client.Client) error {
			added, err := on.AddToAllowlist(ctx, req)
			if err == nil && added.SuccessCount != feedBatch {
				t.Errorf("%d assets were added", added.SuccessCount)
			}
			return err
		})
		c.added <- struct{}{}
	}
}

// follow returns the contents of that many changes.
func (c *crashing) follow(t *testing.T, changes int) (contents []string) {
	t.Helper()
	for cursor := ""; len(contents) < changes && !t.Failed(); {
		c.repeat(t, func(ctx context.Context, on *client.Client) error {
			page, err := on.Feed(ctx, client.FeedRequest{Cursor: cursor, Wait: client.MaxFeedWait})
			if err != nil {
				return err
			}
			for _, change := range page.Changes {
				contents = append(contents, change.Content)
			}
			cursor = page.Cursor
			return nil
		})
	}
	return contents
}

// repeat calls until that succeeds. The server may be gone.
func (c *crashing) repeat(t *testing.T, call func(context.Context, *client.Client) error) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	for on := c.client.Load(); !t.Failed(); on = c.client.Load() {
		err := call(ctx, on)
		if err == nil {
			return
		}
		expected := []error{client.ErrUnavailable, client.ErrOutcomeUnknown, client.ErrResponse, client.ErrRateLimited}
		if !slices.ContainsFunc(expected, func(target error) bool { return errors.Is(err, target) }) {
			t.Error(err)
		}
	}
}
