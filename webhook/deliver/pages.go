package deliver

import (
	"context"
	"errors"
	"slices"
	"sort"
	"sync"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/webhook"
)

// maxPages is the number of pages of the feed that are kept.
const maxPages = 16

// pages reads the feed for all endpoints. Most of them stand at the same place or near each other,
// so it keeps the last pages. The changes after a place never change, but there may be more.
type pages struct {
	feed *asset.FeedService

	mu    sync.Mutex
	state asset.Feed
	kept  []page
}

// page has all changes after a position up to that of the last entry.
type page struct {
	after   int64
	entries []webhook.Entry
}

// refresh reads the state of the feed. Last is its end from now on.
func (p *pages) refresh(ctx context.Context) (asset.Feed, error) {
	p.mu.Lock()
	defer p.mu.Unlock()

	return p.refreshLocked(ctx)
}

func (p *pages) refreshLocked(ctx context.Context) (asset.Feed, error) {
	state, err := p.feed.State(ctx)
	if err != nil {
		return asset.Feed{}, err
	}
	if state.Store != p.state.Store || state.Last < p.state.Last {
		p.kept = nil // of another store, or of one that was restored
	}
	p.state = state
	return state, nil
}

// locate returns where the endpoint continues, as [webhook.Place.Locate] does. The feed then has
// the batch of the endpoint.
func (p *pages) locate(ctx context.Context, e webhook.Endpoint) (webhook.Place, error) {
	p.mu.Lock()
	defer p.mu.Unlock()

	at, err := e.Locate(p.state)
	if errors.Is(err, asset.ErrFutureCursor) { // another sender may have read more
		if _, err := p.refreshLocked(ctx); err != nil {
			return webhook.Place{}, err
		}
		at, err = e.Locate(p.state)
	}
	return at, err
}

// since returns changes after the place, or none at the end of the feed.
func (p *pages) since(ctx context.Context, after webhook.Place) ([]webhook.Entry, error) {
	p.mu.Lock()
	defer p.mu.Unlock()

	if after.Position >= p.state.Last {
		return nil, nil
	}
	for _, kept := range p.kept {
		if entries := kept.since(after.Position); len(entries) > 0 {
			return entries, nil
		}
	}
	found, err := p.feed.Since(ctx, after.Cursor, asset.MaxLimit)
	if err != nil {
		return nil, err
	}
	entries := make([]webhook.Entry, 0, len(found))
	for _, entry := range found {
		position, err := p.state.Position(entry.Cursor)
		if err != nil {
			break // it is newer than the state
		}
		entries = append(entries, webhook.Entry{Change: entry.Change, Place: webhook.Place{Cursor: entry.Cursor, Position: position}})
	}
	if len(entries) > 0 {
		p.kept = append(slices.Delete(p.kept, 0, max(0, len(p.kept)-maxPages+1)), page{after.Position, entries})
	}
	return entries, nil
}

// until returns the changes after the place up to the position, and perhaps later ones.
func (p *pages) until(ctx context.Context, after webhook.Place, position int64) ([]webhook.Entry, error) {
	var all []webhook.Entry
	for after.Position < position {
		entries, err := p.since(ctx, after)
		if err != nil || len(entries) == 0 {
			return all, err
		}
		all = append(all, entries...)
		after = entries[len(entries)-1].Place
	}
	return all, nil
}

// since returns the changes of the page after the position, or none if the page does not have all
// that follow it.
func (p page) since(position int64) []webhook.Entry {
	if position < p.after {
		return nil
	}
	return p.entries[sort.Search(len(p.entries), func(i int) bool { return p.entries[i].Place.Position > position }):]
}
