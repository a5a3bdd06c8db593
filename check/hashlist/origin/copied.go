package origin

import (
	"cmp"
	"slices"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/internal/follow"
)

// copied is a copy of the statuses at a position of the feed.
type copied struct {
	store asset.StoreID
	// cursor is the position after the last change that was applied.
	cursor asset.FeedCursor
	place  follow.Cursor
	// listedAt is when the assets had been listed.
	listedAt time.Time
	// records and history are replaced, so that who has them can keep them.
	records []record
	history follow.Log[change]
}

// apply applies changes and moves the cursor. The history has them already.
func (c *copied) apply(changes []change, cursor asset.FeedCursor) {
	c.cursor = cursor
	if len(changes) > 0 {
		c.records = merge(c.records, changes)
	}
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
