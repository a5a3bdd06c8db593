package deliver

import (
	"context"
	"errors"
	"slices"
	"sort"
	"sync"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/pending"
	"github.com/apguard/apguard/webhook"
)

// maxPages is the number of pages of each order of events that are kept.
const maxPages = 16

// reader reads events for all endpoints. Most of them stand at the same place or near each other,
// so it keeps the last pages. The events after a place never change, but there may be more.
type reader struct {
	webhooks *webhook.Service
	// memory is reset with the pages.
	memory *memory

	mu       sync.Mutex
	end      webhook.End
	changes  pages[webhook.Entry]
	disputes pages[dispute.Event]
	acts     pages[pending.Act]
}

func newReader(webhooks *webhook.Service, memory *memory) *reader {
	return &reader{
		webhooks: webhooks,
		memory:   memory,
		changes:  pages[webhook.Entry]{position: func(e webhook.Entry) int64 { return e.Position }},
		disputes: pages[dispute.Event]{position: func(e dispute.Event) int64 { return e.Position }},
		acts:     pages[pending.Act]{position: func(a pending.Act) int64 { return a.ID }},
	}
}

// refresh reads the end of the events, which is the end from now on.
func (r *reader) refresh(ctx context.Context) (webhook.End, error) {
	r.mu.Lock()
	defer r.mu.Unlock()

	return r.refreshLocked(ctx)
}

func (r *reader) refreshLocked(ctx context.Context) (webhook.End, error) {
	end, err := r.webhooks.End(ctx)
	if err != nil {
		return webhook.End{}, err
	}
	if !continues(r.end, end) {
		r.changes.kept, r.disputes.kept, r.acts.kept = nil, nil, nil
		r.memory.reset()
	}
	r.end = end
	return end, nil
}

// continues reports whether what was read up to an end is valid at a later one. It is not after changes
// were pruned, which makes cursors invalid, or if the store is another one or went back, as after a
// failover that lost commits.
func continues(before, end webhook.End) bool {
	return end.Feed.Store == before.Feed.Store && end.Feed.Prunings == before.Feed.Prunings &&
		end.Feed.Last >= before.Feed.Last && end.Dispute >= before.Dispute && end.Act >= before.Act
}

// locate returns where the endpoint continues, as [webhook.Endpoint.Locate] does. The end then is
// not before the batch of the endpoint.
func (r *reader) locate(ctx context.Context, e webhook.Endpoint) (webhook.Place, error) {
	r.mu.Lock()
	defer r.mu.Unlock()

	at, err := e.Locate(r.end)
	if errors.Is(err, asset.ErrFutureCursor) { // another sender may have read more
		if _, err := r.refreshLocked(ctx); err != nil {
			return webhook.Place{}, err
		}
		at, err = e.Locate(r.end)
	}
	return at, err
}

// changesAfter returns changes after the place, or none at the end.
func (r *reader) changesAfter(ctx context.Context, after webhook.Place) ([]webhook.Entry, error) {
	r.mu.Lock()
	defer r.mu.Unlock()

	return r.changes.after(after.Position, r.end.Feed.Last, func() ([]webhook.Entry, error) {
		return r.webhooks.Changes(ctx, after, r.end, asset.MaxLimit)
	})
}

// disputesAfter returns events of disputes after the place, or none at the end.
func (r *reader) disputesAfter(ctx context.Context, after webhook.Place) ([]dispute.Event, error) {
	r.mu.Lock()
	defer r.mu.Unlock()

	return r.disputes.after(after.Dispute, r.end.Dispute, func() ([]dispute.Event, error) {
		return r.webhooks.Disputes(ctx, after, r.end, asset.MaxLimit)
	})
}

// actsAfter returns acts after the place, or none at the end.
func (r *reader) actsAfter(ctx context.Context, after webhook.Place) ([]pending.Act, error) {
	r.mu.Lock()
	defer r.mu.Unlock()

	return r.acts.after(after.Act, r.end.Act, func() ([]pending.Act, error) {
		return r.webhooks.Acts(ctx, after, r.end, asset.MaxLimit)
	})
}

// lastEnd returns the end that was read last.
func (r *reader) lastEnd() webhook.End {
	r.mu.Lock()
	defer r.mu.Unlock()

	return r.end
}

// changesUntil returns the changes after the place up to the position, and perhaps later ones.
func (r *reader) changesUntil(ctx context.Context, after webhook.Place, position int64) ([]webhook.Entry, error) {
	var all []webhook.Entry
	for after.Position < position {
		entries, err := r.changesAfter(ctx, after)
		if err != nil || len(entries) == 0 {
			return all, err
		}
		all = append(all, entries...)
		last := entries[len(entries)-1]
		after.Cursor, after.Position = last.Cursor, last.Position
	}
	return all, nil
}

// pages are the last pages that were read of one order of events.
type pages[T any] struct {
	position func(T) int64
	kept     []page[T]
}

// page has all events after a position up to that of the last item.
type page[T any] struct {
	after int64
	items []T
}

// after returns events after the position, which it reads if no kept page has them.
func (p *pages[T]) after(position, end int64, read func() ([]T, error)) ([]T, error) {
	if position >= end {
		return nil, nil
	}
	for _, kept := range p.kept {
		if position < kept.after {
			continue
		}
		next := sort.Search(len(kept.items), func(i int) bool { return p.position(kept.items[i]) > position })
		if next < len(kept.items) {
			return kept.items[next:], nil
		}
	}
	items, err := read()
	if err == nil && len(items) > 0 {
		p.kept = append(slices.Delete(p.kept, 0, max(0, len(p.kept)-maxPages+1)), page[T]{position, items})
	}
	return items, err
}
