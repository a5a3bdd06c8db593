package mirror

import (
	"errors"
	"hash/maphash"
	"sync"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/internal/follow"
)

// errCollision reports that two assets have the same hash.
var errCollision = errors.New("two assets have the same hash; starting again with another seed")

// statuses has the assets that are not UNKNOWN. One goroutine writes, and many read.
type statuses struct {
	hash func(asset.Identity) uint64
	// listedAt is when the assets had been listed.
	listedAt time.Time
	place    follow.Cursor

	mu     sync.RWMutex
	table  table
	cursor string // after the last change that was applied
}

// newHash returns a hash function with a random seed. It never returns 0.
func newHash() func(asset.Identity) uint64 {
	seed := maphash.MakeSeed()
	return func(identity asset.Identity) uint64 { return max(maphash.Comparable(seed, identity), 1) }
}

// newStatuses returns an empty copy, to which the changes after the cursor are to be applied.
func newStatuses(hash func(asset.Identity) uint64, cursor string) *statuses {
	return &statuses{hash: hash, cursor: cursor}
}

// apply applies changes and moves the cursor after them.
func (s *statuses) apply(changes Changes) error {
	for _, a := range changes.Assets {
		if err := s.set(a); err != nil {
			return err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()

	s.cursor = changes.Cursor
	return nil
}

// set sets the status and the reason of an asset.
func (s *statuses) set(a asset.Known) error {
	hash := s.hash(a.Identity)
	if present, ok := s.table.get(hash); ok && present.id() != a.ID {
		return errCollision
	}
	s.grow()

	s.mu.Lock()
	defer s.mu.Unlock()

	if a.Status == asset.StatusUnknown {
		s.table.remove(hash)
	} else {
		s.table.put(hash, newEntry(a))
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
	var (
		hashes  [classify.MaxCovers]uint64
		entries [classify.MaxCovers]entry
	)
	for i := range covers {
		// Without another cover, one that withholds changes nothing.
		if covers[i].Effect != classify.CoverWithholds {
			hashes[i] = s.hash(covers[i].Identity)
		}
	}
	s.mu.RLock()
	found := covers[:0]
	if s.table.hasAny(hashes[:len(covers)]) {
		for i := range covers {
			if hashes[i] == 0 {
				hashes[i] = s.hash(covers[i].Identity)
			}
			if e, ok := s.table.get(hashes[i]); ok {
				entries[len(found)] = e
				found = append(found, covers[i])
			}
		}
	}
	s.mu.RUnlock()

	verdict := check.Decide(found, func(identity asset.Identity) (asset.Known, bool) {
		for i := range found {
			if found[i].Identity == identity {
				return entries[i].asset(identity), true
			}
		}
		return asset.Known{}, false
	}, lists)
	verdict.Identity = identity
	return verdict
}

// size returns the number of assets and the cursor.
func (s *statuses) size() (int, string) {
	s.mu.RLock()
	defer s.mu.RUnlock()

	return s.table.used, s.cursor
}
