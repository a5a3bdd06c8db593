package feed

import (
	"context"
	"sync"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/wait"
)

// pause is the time between two reads of the feed.
type pause struct {
	source   Source
	interval time.Duration
	wake     <-chan struct{}
	// heard is the cursor after which a Notifier has announced changes, until they were read.
	heard *asset.FeedCursor
}

// until waits until the feed is to be read after the copies again: at the interval, when the source
// has changes, when a publication is due, or when the Replica is woken. It returns the error of ctx.
func (p *pause) until(ctx context.Context, c *copies) error {
	began, longest := time.Now(), c.due(p.interval)
	// A source that announces changes and then has none is not asked again at once.
	deceived := p.heard != nil && *p.heard == c.cursor
	p.heard = nil
	if notifier, ok := p.source.(Notifier); ok && !deceived {
		news, woken := p.await(ctx, notifier, c.cursor, longest)
		if news {
			heard := c.cursor
			p.heard = &heard
		}
		if news || woken || ctx.Err() != nil {
			return ctx.Err()
		}
	}
	_, err := wait.For(ctx, longest-time.Since(began), p.wake)
	return err
}

// await waits for the notifier. It reports whether that has announced changes, and whether the
// Replica was woken.
func (p *pause) await(ctx context.Context, notifier Notifier, cursor asset.FeedCursor, longest time.Duration) (news, woken bool) {
	ctx, stop := context.WithCancel(ctx)
	var waking sync.WaitGroup
	waking.Go(func() {
		select {
		case <-p.wake:
			woken = true
			stop()
		case <-ctx.Done():
		}
	})
	news = notifier.Await(ctx, cursor, longest)
	stop()
	waking.Wait()
	return news, woken
}
