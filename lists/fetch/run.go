package fetch

import (
	"context"
	"errors"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/lists"
)

// Run fetches lists when they are due, one after another, until ctx ends, and returns the error of ctx. A fetch that is
// under way is then given up, and the list is fetched again when its claim ends. In the audit trail, the channel of its syncs
// is [audit.ChannelApplication]. On a store that only reads, Run
// returns [asset.ErrReadOnly] as soon as a list is due.
//
// An error of a list or of the store does not end Run. It is reported, and the work is repeated later. An error of the
// store that repeats is reported once until it is over.
func (f *Fetcher) Run(ctx context.Context) error {
	ctx = audit.WithActor(ctx, audit.Actor{Channel: audit.ChannelApplication})
	last := ""
	for {
		err := f.round(ctx)
		text := ""
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, asset.ErrReadOnly):
			return asset.ErrReadOnly
		case err != nil:
			text = err.Error()
		}
		if text != "" && text != last {
			f.options.OnEvent(Event{Kind: EventFailed, Err: err})
		}
		last = text
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(f.options.Interval):
		}
	}
}

// round fetches all lists that are due.
func (f *Fetcher) round(ctx context.Context) error {
	due, err := f.lists.Due(ctx)
	if err != nil {
		return err
	}
	for _, list := range due {
		claimed, err := f.lists.Claim(ctx, list.Name)
		switch {
		case errors.Is(err, lists.ErrNotDue), errors.Is(err, lists.ErrNotFound):
			continue // another server was faster, or it was removed
		case err != nil:
			return err
		}
		unchanged, result, err := f.fetch(ctx, claimed, lists.SyncRequest{Scheduled: true})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		f.report(claimed, unchanged, result, err)
	}
	return nil
}

// report reports what a fetch has done, unless a list was removed or synced by others in the meantime.
func (f *Fetcher) report(list lists.List, unchanged bool, result lists.SyncResult, err error) {
	event := Event{Kind: EventSynced, List: list.Name, Result: result, Err: err}
	switch {
	case errors.Is(err, lists.ErrNotFound), errors.Is(err, lists.ErrSuperseded):
		return
	case err != nil:
		event.Kind = EventFailed
	case unchanged:
		event.Kind = EventUnchanged
	}
	f.options.OnEvent(event)
}
