package hashes

import (
	"cmp"
	"slices"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/feed"
)

// maxPending is the maximum number of changes that are merged together.
const maxPending = 100_000

// copied is a copy of the statuses at a position of the feed. It implements [feed.Copy].
type copied struct {
	origin *Origin
	// listed describes the feed before the assets were listed.
	listed asset.Feed
	// cursor is the position after the last change that was applied.
	cursor asset.FeedCursor
	// records and history are replaced, so that who has them can keep them. Until the records are sorted,
	// they are in the order of the list.
	records []record
	sorted  bool
	history log
	// pending are the last changes, which the records do not have yet.
	pending []change
	// lists are those that were published last, or nil.
	lists *lists
}

// Add implements [feed.Copy].
func (c *copied) Add(a asset.Known) error {
	c.records = append(c.records, newRecord(a.Asset))
	return nil
}

// Apply implements [feed.Copy]. Either all changes have a cursor or none.
func (c *copied) Apply(changes []asset.FeedEntry, cursor asset.FeedCursor) error {
	page := place{c.cursor.Position(), cursor.Position()}
	for _, entry := range changes {
		if !entry.Change.OfStatus() {
			continue
		}
		at, changed := page, newChange(entry.Change)
		if known := entry.Cursor.Position(); known > 0 {
			at = place{known - 1, known}
		}
		c.pending = append(c.pending, changed)
		c.history = c.history.append(at, changed, c.origin.options.History)
	}
	if c.cursor = cursor; len(c.pending) >= maxPending {
		c.merge()
	}
	return nil
}

// Publish implements [feed.Copy]. The lists with the same version are the same.
func (c *copied) Publish(asOf feed.AsOf) {
	c.merge()
	if c.lists == nil || c.lists.version != asOf.Cursor {
		c.lists = newLists(c, asOf.Cursor)
	}
	c.origin.published.Store(&published{c.lists, asOf.ReadAt})
}

// merge gives the records the pending changes.
func (c *copied) merge() {
	if !c.sorted {
		c.records, c.sorted = sortRecords(c.records), true
	}
	if len(c.pending) > 0 {
		c.records = merge(c.records, c.pending)
	}
	c.pending = nil
}

// status is the status of an asset.
type status uint8

const (
	unknown status = iota
	allowed
	blocked
)

func statusOf(s asset.Status) status {
	switch s {
	case asset.StatusBlocked:
		return blocked
	case asset.StatusAllowed:
		return allowed
	default:
		return unknown
	}
}

// record is an asset that is ALLOWED or BLOCKED. Records are sorted by hash, then by ID. Several assets
// can have the same hash.
type record struct {
	hash uint64
	// asset is the ID of the asset and, as its lowest bit, whether it is BLOCKED.
	asset uint64
}

func newRecord(a asset.Asset) record {
	return makeRecord(check.Hash(a.Identity), a.ID, statusOf(a.Status))
}

func makeRecord(hash uint64, id int64, s status) record {
	r := record{hash: hash, asset: uint64(id) << 1} //nolint:gosec // IDs are positive
	if s == blocked {
		r.asset |= 1
	}
	return r
}

func (r record) id() int64 { return int64(r.asset >> 1) }

func (r record) status() status {
	if r.asset&1 != 0 {
		return blocked
	}
	return allowed
}

// compareAssets compares the assets of two records.
func compareAssets(a, b record) int {
	return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.asset>>1, b.asset>>1))
}

// sortRecords sorts records. Of those of one asset, which changed while it was listed, one is left.
func sortRecords(records []record) []record {
	slices.SortFunc(records, compareAssets)
	return slices.CompactFunc(records, func(a, b record) bool { return compareAssets(a, b) == 0 })
}

// change is a change of the status of an asset. Before it, lists had the status from, unless the change
// before it was pruned before it was published. Then a client refuses the difference, and fetches whole
// lists.
type change struct {
	hash     uint64
	id       int64
	from, to status
}

func newChange(c asset.Change) change {
	return change{check.Hash(c.Identity()), c.AssetID, statusOf(c.From), statusOf(c.To)}
}

func (c change) record() record { return makeRecord(c.hash, c.id, c.to) }

// byAsset returns the changes in the order of records, and those of one asset in their own order.
func byAsset(changes []change) []change {
	changes = slices.Clone(changes)
	slices.SortStableFunc(changes, func(a, b change) int { return compareAssets(a.record(), b.record()) })
	return changes
}

// merge returns a copy of the records with the changes. Of several changes of one asset, the last one
// counts.
func merge(records []record, changes []change) []record {
	changes = byAsset(changes)
	merged := make([]record, 0, len(records)+len(changes))
	for i, c := range changes {
		if i+1 < len(changes) && compareAssets(c.record(), changes[i+1].record()) == 0 {
			continue
		}
		at, present := slices.BinarySearchFunc(records, c.record(), compareAssets)
		merged = append(merged, records[:at]...)
		if present {
			at++
		}
		records = records[at:]
		if c.to != unknown {
			merged = append(merged, c.record())
		}
	}
	return append(merged, records...)
}
