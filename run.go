package apguard

import (
	"context"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/idempotency"
)

// DefaultInterval is the interval of [Guard.Run] if none is given.
const DefaultInterval = time.Minute

// Run does what must be done regularly while a server runs. It begins at once, repeats the
// work at the interval of [Options] until ctx ends, and returns the error of ctx. It
//
//   - removes allowlist entries that have ended; see [allowlist.Service.Expire], and
//   - removes old records of idempotency keys.
//
// An error of the store does not end Run. It is passed to the Report function of Options, and
// the work is repeated after the interval. Run may run concurrently with all other calls, and
// in several processes on the same store. The Guard must come from [New] or [Guard.With].
func (g *Guard) Run(ctx context.Context) error {
	ticker := time.NewTicker(g.options.Interval)
	defer ticker.Stop()
	for {
		for _, work := range []func(context.Context) (int64, error){g.Allowlist.Expire, g.pruneIdempotency} {
			if _, err := work(ctx); err != nil && ctx.Err() == nil {
				g.options.Report(err)
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
		}
	}
}

// pruneIdempotency removes old records of idempotency keys, and returns their number.
func (g *Guard) pruneIdempotency(ctx context.Context) (removed int64, err error) {
	before := idempotency.PruneBefore(g.options.Clock())
	return asset.Steps(func() (int, bool, error) {
		n, err := g.store.PruneIdempotency(ctx, before, idempotency.PruneLimit)
		return n, n > 0, err
	})
}
