package hashes

import (
	"encoding/base64"
	"slices"
	"sync"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/hashwire"
)

// kinds are the lists of a response, in their order.
var kinds = [...]struct {
	name   string
	status status
}{{"blocked", blocked}, {"allowed", allowed}}

// lists are the lists at a version. They do not change.
type lists struct {
	version asset.FeedCursor
	wait    time.Duration
	records []record
	history log
	// listed describes the feed before the assets were listed.
	listed asset.Feed
	// hashes has the sorted, different hashes of each list.
	hashes [len(kinds)][]uint64
	// checksums and whole are made when they are needed first.
	checksums func() [len(kinds)][]byte
	whole     func() []byte
	// differences are those to the lists at earlier positions.
	differences responses
}

func newLists(c *copied, version asset.FeedCursor) *lists {
	l := &lists{version: version, wait: c.origin.options.MinimumWait, records: c.records, history: c.history, listed: c.listed}
	for i, kind := range kinds {
		l.hashes[i] = hashesOf(c.records, kind.status)
	}
	l.checksums = sync.OnceValue(func() (sums [len(kinds)][]byte) {
		for i := range kinds {
			sums[i] = hashwire.Checksum(l.hashes[i])
		}
		return sums
	})
	l.whole = sync.OnceValue(func() []byte {
		return c.origin.reading.count(l.encode(func(i int, list *hashwire.HashList) { list.Additions = hashwire.NewAdditions(l.hashes[i]) }))
	})
	return l
}

// positionOf returns the position of the lists with another version, and the changes since. It reports false if they are
// not known. Changes that were pruned before the assets were listed are unknown, so a version is that was given to
// a client before these were pruned.
func (l *lists) positionOf(version asset.FeedCursor) (position int64, changes []change, ok bool) {
	feed := asset.Feed{Store: l.version.Store(), Last: l.version.Position(), Pruned: l.listed.Pruned, Prunings: l.listed.Prunings}
	position, err := feed.Position(version)
	if err != nil || version == (asset.FeedCursor{}) {
		return 0, nil, false
	}
	changes, ok = l.history.since(position)
	return position, changes, ok
}

// hashesOf returns the sorted, different hashes of the records with a status.
func hashesOf(records []record, s status) []uint64 {
	n := 0
	for _, r := range records {
		if r.status() == s {
			n++
		}
	}
	hashes := make([]uint64, 0, n)
	for _, r := range records {
		if r.status() == s && (len(hashes) == 0 || hashes[len(hashes)-1] != r.hash) {
			hashes = append(hashes, r.hash)
		}
	}
	return hashes
}

// encode returns the data of a response. fill adds what each list has beside the version.
func (l *lists) encode(fill func(i int, list *hashwire.HashList)) []byte {
	version, _ := base64.RawURLEncoding.DecodeString(l.version.String()) // the text of a cursor is valid
	var encoded [len(kinds)]hashwire.HashList
	for i, kind := range kinds {
		encoded[i] = hashwire.HashList{Name: kind.name, Version: version, MinimumWait: l.wait, Checksum: l.checksums()[i]}
		fill(i, &encoded[i])
	}
	return hashwire.Encode(encoded[:]...)
}

// difference is what changes a list.
type difference struct {
	// removals has indices of the list before, and additions has hashes.
	removals  []uint32
	additions []uint64
}

// difference returns the data of a response with what changes since earlier lists. It returns nil if the
// lists are smaller.
func (l *lists) difference(changes []change) []byte {
	differences, ok := l.since(changes)
	if !ok {
		return nil
	}
	return l.encode(func(i int, list *hashwire.HashList) {
		list.Partial = true
		list.Removals, list.Additions = hashwire.NewRemovals(differences[i].removals), hashwire.NewAdditions(differences[i].additions)
	})
}

// since returns what the changes have changed in each list. It reports false if the lists are smaller.
func (l *lists) since(changes []change) (differences [len(kinds)]difference, ok bool) {
	changes = byAsset(changes)
	for len(changes) > 0 {
		n := 1
		for n < len(changes) && changes[n].hash == changes[0].hash {
			n++
		}
		hash, now := changes[0].hash, l.withHash(changes[0].hash)
		before := before(now, changes[:n])
		for i, kind := range kinds {
			d := &differences[i]
			was, is := slices.Contains(before, kind.status), containsStatus(now, kind.status)
			switch {
			case was && !is:
				// The list before has the hashes below this one that are removed, and not those that
				// are added.
				index, _ := slices.BinarySearch(l.hashes[i], hash)
				d.removals = append(d.removals, uint32(index+len(d.removals)-len(d.additions))) //nolint:gosec // it is an index
			case is && !was:
				d.additions = append(d.additions, hash)
			}
		}
		changes = changes[n:]
	}
	size, all := 0, 0
	for i, d := range differences {
		size += len(d.removals) + len(d.additions)
		all += len(l.hashes[i])
	}
	return differences, size <= all
}

// withHash returns the records with a hash.
func (l *lists) withHash(hash uint64) []record {
	start, _ := slices.BinarySearchFunc(l.records, record{hash: hash}, compareAssets)
	end := start
	for end < len(l.records) && l.records[end].hash == hash {
		end++
	}
	return l.records[start:end]
}

func containsStatus(records []record, s status) bool {
	return slices.ContainsFunc(records, func(r record) bool { return r.status() == s })
}

// before returns the statuses of the assets with one hash before the changes, which are in the order of
// byAsset: those of the records that have no change, and what the first change of each asset has changed.
func before(now []record, changes []change) []status {
	var statuses []status
	for _, r := range now {
		if !slices.ContainsFunc(changes, func(c change) bool { return c.id == r.id() }) {
			statuses = append(statuses, r.status())
		}
	}
	for i, c := range changes {
		if i == 0 || changes[i-1].id != c.id {
			statuses = append(statuses, c.from)
		}
	}
	return statuses
}
