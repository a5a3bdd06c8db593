package lists

import (
	"context"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/step"
)

// Store is the storage of a [Service]. Methods may be called concurrently. Each is one atomic step, and
// returns the error of the context if the context ends first.
type Store interface {
	// Lists returns all lists, ordered by name.
	Lists(ctx context.Context) ([]List, error)

	// PutList calls put with the list that has the name, or the zero value, and the number of lists. It
	// writes the list that put returns, records the entry, and returns the list. A new list gets an ID
	// that is larger than those of all earlier ones, and the entry gets it as Subject. If put returns an
	// error, PutList returns it unchanged and writes nothing. No other call changes the list between
	// the read and the write, and none adds another list. The store may call put again when it retries, so
	// put must have no side effects. The ID and the name that it returns are ignored.
	PutList(ctx context.Context, name string, put func(old List, lists int) (List, audit.Entry, error)) (List, error)

	// RemoveList removes the list with the ID, which holds nothing any more, and records the entry. It
	// returns ErrNotFound if there is no such list.
	RemoveList(ctx context.Context, id int64, entry audit.Entry) error

	// ListEntries returns the page of step.ReadPage, with the limit, of the entries of the list whose
	// asset has an ID above after, ordered by that ID. The limit is at least 1.
	ListEntries(ctx context.Context, listID, after int64, limit int) (step.Page[HeldEntry], error)

	// DecideEntries calls cmd.Check with the list that has the ID, or the zero value, and returns its
	// error unchanged. No other step changes the list before the end of this one. For each entry of
	// cmd, it then passes what is held on the asset to cmd.Apply, stores the result, and makes the changes
	// of asset.Held.Settle with the time and origin of cmd, all in the order of the entries. If an asset does
	// not exist, it is first registered as UNKNOWN. It returns the assets of the entries as they then are,
	// in their order.
	DecideEntries(ctx context.Context, cmd DecideCommand) ([]asset.Asset, error)

	// WithdrawEntries is DecideEntries for the assets with the IDs of cmd, ordered by ID. Those that do
	// not exist are ignored.
	WithdrawEntries(ctx context.Context, cmd WithdrawCommand) error
}

// DecideCommand is a step of a sync that begins to hold statuses.
type DecideCommand struct {
	ListID int64
	// Begun is the number of the sync.
	Begun int64
	// Entries are the assets with their decisions. Each has another identity. There is at least one.
	Entries []DecidedEntry
	At      time.Time
	Origin  asset.Origin
}

// DecidedEntry is an asset with what the list holds on it. The decision has no Since.
type DecidedEntry struct {
	Identity asset.Identity
	Decision asset.ListDecision
}

// Check returns the error of the step if the list is as given.
func (cmd DecideCommand) Check(list List) error { return checkSync(list, cmd.Begun) }

// Apply returns what is held on the asset of the entry with the index after the step, given what was before, and
// whether the decision of the list is to be stored.
func (cmd DecideCommand) Apply(i int, held asset.Held) (asset.Held, bool) {
	return held.DecideList(cmd.Entries[i].Decision, cmd.At)
}

// WithdrawCommand is a step of a sync, or of the removal of a list, that ends decisions.
type WithdrawCommand struct {
	ListID int64
	// Begun is the number of the sync. It is 0 for a removal.
	Begun int64
	// AssetIDs are at least one ID, each once.
	AssetIDs []int64
	At       time.Time
	Origin   asset.Origin
}

// Check returns the error of the step if the list is as given.
func (cmd WithdrawCommand) Check(list List) error {
	if cmd.Begun == 0 && list.Removing {
		return nil
	}
	return checkSync(list, cmd.Begun)
}

// Apply is like that of [DecideCommand]: the decision of the list is to be removed if it returns true.
func (cmd WithdrawCommand) Apply(held asset.Held) (asset.Held, bool) {
	return held.WithdrawList(cmd.ListID)
}

// checkSync returns an error if the sync cannot go on.
func checkSync(list List, begun int64) error {
	switch {
	case list.ID == 0 || list.Removing:
		return ErrNotFound
	case list.Begun != begun:
		return ErrSuperseded
	default:
		return nil
	}
}

// continues returns an error unless the list is the known one, and no other sync of it has begun.
func (l List) continues(known List) error {
	if l.ID != known.ID {
		return ErrNotFound
	}
	return checkSync(l, known.Begun)
}
