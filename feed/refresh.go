package feed

import (
	"context"

	"github.com/apguard/apguard/internal/wait"
)

// Refresh reads the feed to its end, in place of [Replica.Run] in programs that need the views once or decide
// themselves when they are read. If it returns nil, the views have every change that was published before the call.
//
// The first call fills the views. So does one that cannot continue, such as after the store was replaced. New
// copies wait up to 10 seconds for changes that are not published yet. The error is that of the source, of a view or
// of ctx, or [ErrRunning] if Run or another call has not returned.
func (r *Replica) Refresh(ctx context.Context) error {
	if !r.running.CompareAndSwap(false, true) {
		return ErrRunning
	}
	defer r.running.Store(false)
	r.syncing(1) // no view waits for its interval
	defer r.syncing(-1)

	for continued := r.next != nil; ; {
		readAt, err := r.read(ctx)
		switch {
		case err != nil && continued && r.next == nil && ctx.Err() == nil:
			continued = false // new copies are needed
		case err != nil:
			r.fail(err)
			return err
		case readAt.Before(r.next.listedAt):
			if _, err := wait.For(ctx, r.catchUpInterval(), nil); err != nil {
				return err
			}
		default:
			r.finish(readAt)
			return nil
		}
	}
}
