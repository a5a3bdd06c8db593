package apguard

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/idempotency"
	"github.com/apguard/apguard/internal/wait"
	"github.com/apguard/apguard/step"
	"github.com/apguard/apguard/storage"
)

// DefaultInterval is the interval of [Guard.Run] if none is given.
const DefaultInterval = time.Minute

const (
	// publishInterval is the time between two publications of changes. It bounds how late a
	// follower hears of a change, and each publication costs the database a short query.
	publishInterval = 50 * time.Millisecond
	// publishPause is that time after a change that checks from memory wait for. Others that come
	// meanwhile are published together with it.
	publishPause = 5 * time.Millisecond
	// publishRetry is that time after an error.
	publishRetry = time.Second
	// publishTimeout and workTimeout bound how long Run waits for a server that hangs.
	publishTimeout = 10 * time.Second
	workTimeout    = 5 * time.Minute
)

// Run does what must be done regularly while a server runs. It begins at once, repeats the
// work at the interval of [Options] until ctx ends, and returns the error of ctx. It
//
//   - removes allowlist entries and decisions that have ended; see [allowlist.Service.Expire] and
//     [asset.Service.ExpireDecisions],
//   - removes old records of idempotency keys,
//   - many times a second, publishes changes in the feed, and the events of disputes; see
//     [asset.FeedService.Publish], and
//   - runs the Replica, if there is one.
//
// An error of the store does not end Run. It is passed to the OnError function of Options, and
// the work is repeated after the interval. The feed is tried again after a second, and an error
// that repeats there is reported once. Work that the store does not implement is left out (see
// [storage.ErrUnimplemented]). Do not call Run on a read-only store. Run may run
// concurrently with all other calls, and in several processes on the same store. The Guard must
// come from [New] or [Guard.With].
func (g *Guard) Run(ctx context.Context) error {
	var others sync.WaitGroup
	others.Go(func() { g.publish(ctx) })
	if g.Replica != nil {
		others.Go(func() { _ = g.Replica.Run(ctx) }) // which ends with ctx
	}
	defer others.Wait()

	ticker := time.NewTicker(g.options.Interval)
	defer ticker.Stop()
	for {
		for _, work := range []func(context.Context) (int64, error){g.Allowlist.Expire, g.Assets.ExpireDecisions, g.pruneIdempotency} {
			if _, err := within(ctx, workTimeout, work); err != nil && ctx.Err() == nil && !errors.Is(err, storage.ErrUnimplemented) {
				g.options.OnError(err)
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
		}
	}
}

// publish publishes changes until ctx ends.
func (g *Guard) publish(ctx context.Context) {
	for reported := ""; ; {
		more, err := within(ctx, publishTimeout, g.publishSome)
		switch {
		case errors.Is(err, storage.ErrUnimplemented):
			return
		case err == nil:
			reported = ""
			g.memory.published()
		case ctx.Err() == nil && err.Error() != reported:
			reported = err.Error()
			g.options.OnError(err)
		}
		pause, news := publishInterval, g.memory.news()
		switch {
		case err != nil:
			pause, news = publishRetry, nil
		case more:
			pause = 0
		}
		if woken, err := wait.For(ctx, pause, news); err != nil {
			return
		} else if woken {
			_, _ = wait.For(ctx, publishPause, nil) // the next step sees the error
		}
	}
}

// publishSome is one step of [asset.FeedService.Publish].
func (g *Guard) publishSome(ctx context.Context) (more bool, err error) {
	return g.store.PublishChanges(ctx, asset.PublishLimit)
}

// within does work for at most the given time.
func within[T any](ctx context.Context, limit time.Duration, work func(context.Context) (T, error)) (T, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return work(ctx)
}

// pruneIdempotency removes old records of idempotency keys, and returns their number.
func (g *Guard) pruneIdempotency(ctx context.Context) (removed int64, err error) {
	before := idempotency.PruneBefore(g.options.Clock())
	return step.Repeat(func() (int, bool, error) {
		n, err := g.store.PruneIdempotency(ctx, before, idempotency.PruneLimit)
		return n, n > 0, err
	})
}
