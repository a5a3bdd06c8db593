package mirror

import (
	"context"
	"sync"
	"time"
)

// pause is the time between two reads of the feed.
type pause struct {
	source   Source
	interval time.Duration
	wake     <-chan struct{}
	// heard is the cursor after which a Notifier has announced changes, until they were read.
	heard *string
}

// until waits until the feed is to be read after the cursor again: at the interval, when the source
// has changes, or when the mirror is woken. It returns the error of ctx.
func (p *pause) until(ctx context.Context, cursor string) error {
	began := time.Now()
	// A source that announces changes and then has none is not asked again at once.
	deceived := p.heard != nil && *p.heard == cursor
	p.heard = nil
	if notifier, ok := p.source.(Notifier); ok && !deceived {
		news, woken := p.await(ctx, notifier, cursor)
		if news {
			p.heard = &cursor
		}
		if news || woken || ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return wait(ctx, p.interval-time.Since(began), p.wake)
}

// await waits for the notifier. It reports whether that has announced changes, and whether the
// mirror was woken.
func (p *pause) await(ctx context.Context, notifier Notifier, cursor string) (news, woken bool) {
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
	news = notifier.Await(ctx, cursor, p.interval)
	stop()
	waking.Wait()
	return news, woken
}

// wait waits for a time, or until wake receives. It returns the error of ctx.
func wait(ctx context.Context, interval time.Duration, wake <-chan struct{}) error {
	timer := time.NewTimer(interval)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
	case <-wake:
	}
	return nil
}
