package mirror

import (
	"errors"
	"sync"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/feed"
)

// errCollision reports that two assets have the same hash.
var errCollision = errors.New("two assets have the same hash; starting again with another key")

// statuses has the assets that are not UNKNOWN. It implements [feed.Copy]. One goroutine writes, and many read.
type statuses struct {
	mirror *Mirror
	key    hashKey
	hash   func(asset.Identity) uint64

	mu    sync.RWMutex
	table table
	asOf  feed.AsOf
}

// Add implements [feed.Copy].
func (s *statuses) Add(a asset.Known) error { return s.set(a) }

// Apply implements [feed.Copy]. If the copy was published before, checks are answered from the changes at once.
func (s *statuses) Apply(changes []asset.FeedEntry, _ asset.FeedCursor) error {
	for _, entry := range changes {
		if err := s.set(entry.Change.Known()); err != nil {
			return err
		}
	}
	return nil
}

// Publish implements [feed.Copy].
func (s *statuses) Publish(asOf feed.AsOf) {
	s.mu.Lock()
	s.asOf = asOf
	s.mu.Unlock()
	s.mirror.copied.Store(s)
}

// readAt returns the time before which every committed change is in the copy.
func (s *statuses) readAt() time.Time {
	s.mu.RLock()
	defer s.mu.RUnlock()

	return s.asOf.ReadAt
}

// set sets the status and the reason of an asset.
func (s *statuses) set(a asset.Known) error {
	hash := s.hash(a.Identity)
	if slot, ok := s.table.find(hash); ok && s.table.entries[slot].id() != a.ID {
		return errCollision
	}
	s.grow()

	s.mu.Lock()
	defer s.mu.Unlock()

	if a.Status == asset.StatusUnknown {
		s.table.remove(hash)
	} else {
		s.table.put(hash, a)
	}
	return nil
}

// grow makes room for another asset. Readers do not wait while it copies the table.
func (s *statuses) grow() {
	if !s.table.full() {
		return
	}
	grown := s.table.grown()
	s.mu.Lock()
	defer s.mu.Unlock()

	s.table = grown
}

// decide returns the verdict of [check.Decide]. It finds all covers after the same change, and
// changes their order.
func (s *statuses) decide(covers []classify.Cover, lists []check.ListVerdict) check.Verdict {
	identity := covers[0].Identity
	var hashes [classify.MaxCovers]uint64
	for i := range covers {
		// Without another cover, one that withholds changes nothing.
		if covers[i].Effect != classify.CoverWithholds {
			hashes[i] = s.hash(covers[i].Identity)
		}
	}
	var few [4]asset.Known
	assets := few[:0]
	s.mu.RLock()
	found := covers[:0]
	if s.table.hasAny(hashes[:len(covers)]) {
		for i := range covers {
			if hashes[i] == 0 {
				hashes[i] = s.hash(covers[i].Identity)
			}
			if slot, ok := s.table.find(hashes[i]); ok {
				assets = append(assets, s.table.asset(slot, covers[i].Identity))
				found = append(found, covers[i])
			}
		}
	}
	s.mu.RUnlock()

	verdict := check.Decide(found, func(identity asset.Identity) (asset.Known, bool) {
		for i := range assets {
			if assets[i].Identity == identity {
				return assets[i], true
			}
		}
		return asset.Known{}, false
	}, lists)
	verdict.Identity = identity
	return verdict
}
