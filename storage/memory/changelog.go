package memory

import (
	"context"
	"iter"
	"slices"
	"sort"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/step"
)

// changelog has changes in the order of [asset.Change.Compare], oldest first. A change is
// never modified, so all lists share it.
type changelog []*asset.Change

func compareChanges(a, b *asset.Change) int { return a.Compare(*b) }

// insert adds the change at its position. This is the end unless the clock was set back.
func (l *changelog) insert(change *asset.Change) {
	at, _ := slices.BinarySearchFunc(*l, change, compareChanges)
	*l = slices.Insert(*l, at, change)
}

// last returns the last change, or the zero Change.
func (l changelog) last() asset.Change {
	if len(l) == 0 {
		return asset.Change{}
	}
	return *l[len(l)-1]
}

// newestFirst yields the changes, the newest first.
func (l changelog) newestFirst() iter.Seq[asset.Change] {
	return func(yield func(asset.Change) bool) {
		for _, change := range slices.Backward(l) {
			if !yield(*change) {
				return
			}
		}
	}
}

// Changes implements [asset.Store].
func (s *Store) Changes(ctx context.Context, req asset.ListChangesRequest) (step.Page[asset.Change], error) {
	return read(ctx, s, func(t *tables) (step.Page[asset.Change], error) {
		log := t.changes
		switch {
		case req.Filter.Identity != (asset.Identity{}):
			log = t.changesOf(req.Filter.Identity)
		case req.Assets != nil:
			log = nil
			for _, id := range req.Assets {
				if row, known := t.assetsByID[id]; known {
					log = append(log, row.changes...)
				}
			}
			slices.SortFunc(log, compareChanges)
			log = slices.Compact(log)
		}
		return step.ReadPage(req.Limit, log.matches(ctx, req))
	})
}

func (t *tables) changesOf(identity asset.Identity) changelog {
	if row, known := t.assets[identity]; known {
		return row.changes
	}
	return nil
}

// matches yields the changes for which the request asks. It scans backwards, from the
// cursor or the end of the filter's period to the start of the period.
func (l changelog) matches(ctx context.Context, req asset.ListChangesRequest) iter.Seq2[asset.Change, error] {
	untilEnd := asset.Period{Before: req.Filter.Period.Before}
	end := sort.Search(len(l), func(i int) bool {
		return !req.Cursor.Precedes(*l[i]) || !untilEnd.Contains(l[i].At)
	})
	return func(yield func(asset.Change, error) bool) {
		for i, change := range slices.Backward(l[:end]) {
			if change.At.Before(req.Filter.Period.Since) {
				return
			}
			if err := checkScan(ctx, i); err != nil {
				yield(asset.Change{}, err)
				return
			}
			found := *change
			found.Basis = asset.Basis{}
			if req.Selects(found) && !yield(found, nil) {
				return
			}
		}
	}
}
