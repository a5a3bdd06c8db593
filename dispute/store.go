package dispute

import (
	"context"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/step"
)

// Store is the storage that a [Service] needs. Its methods must be safe for concurrent
// use. Each is one atomic step and returns the error of ctx if ctx ends first.
type Store interface {
	// CreateDispute stores the dispute that cmd.Apply returns for the stored asset,
	// and returns it. If there is no asset with that identity and cmd.Register is
	// set, it first registers the asset as UNKNOWN. It keeps cmd.EmailKey with the
	// dispute, for ErrExists and for ListRequest.Match.
	//
	// It returns asset.ErrNotFound if there is no asset and cmd.Register is not set.
	// It returns ErrExists if the asset already has a dispute with that EmailKey, even if
	// a concurrent call created it.
	//
	// The event of CreateCommand.Event is recorded in the same step. If cmd.Claim is not zero, the
	// record of CreateCommand.Record is stored in it too; package storage has the rules.
	CreateDispute(ctx context.Context, cmd CreateCommand) (Dispute, error)

	// DisputeWithAsset returns the dispute, as QueueStore.DisputeByID does, and its asset, or
	// ErrNotFound.
	DisputeWithAsset(ctx context.Context, id int64) (WithAsset, error)
}

// QueueStore is the storage that a [QueueService] needs. Its methods must be safe for
// concurrent use. Each is one atomic step and returns the error of ctx if ctx ends first.
type QueueStore interface {
	// DisputeByID returns the dispute with its description and notes, or ErrNotFound.
	DisputeByID(ctx context.Context, id int64) (Dispute, error)

	// Disputes returns the page of step.ReadPage, with req.Limit, of the disputes that
	// req.Match selects, in the order of req.Compare. Each is as Dispute.Listed returns it.
	// The limit is at least 1 and may be larger than MaxLimit.
	Disputes(ctx context.Context, req ListRequest) (step.Page[Dispute], error)

	// DisputeBacklog returns the backlog of all disputes.
	DisputeBacklog(ctx context.Context) (Backlog, error)

	// DecidedDisputes counts the notes of the period for which Note.Decides is true, and calls Decided.SetTimes with
	// the times from the creation of each one's dispute to the note.
	DecidedDisputes(ctx context.Context, period asset.Period) (Decided, error)

	// UpdateDispute calls cmd.Apply with the stored dispute, including its notes. It stores
	// and returns the dispute that Update.Apply returns. If Update.AssetStatus is set, it becomes
	// the decision of the operators on the asset, with the time of Update.Note and with
	// Update.Origin; see asset.Held.Decide.
	//
	// If cmd.Assignee is not 0, UpdateDispute calls cmd.CheckAssignee with the stored user, or the zero User
	// if there is none, before cmd.Apply, and returns its error unchanged. The user is not changed before the
	// update is stored.
	//
	// Concurrent updates of one dispute are serialized: each sees the result of the
	// previous one. UpdateDispute may call cmd.Apply more than once.
	//
	// The event of Update.Event, if any, is recorded in the same step. If cmd.Claim is not zero, the
	// record of UpdateCommand.Record is stored in it too; package storage has the rules.
	//
	// It returns ErrNotFound if there is no such dispute. If cmd.Apply returns an error, it
	// returns that error unchanged and stores nothing.
	UpdateDispute(ctx context.Context, cmd UpdateCommand) (Dispute, error)

	// EraseDisputes erases at most cmd.Limit of the disputes with the EmailKey. Each becomes
	// what Dispute.Erased returns for the canonical form of its asset, and its EmailKey becomes
	// ErasedKey. It returns the number of disputes.
	EraseDisputes(ctx context.Context, cmd EraseCommand) (erased int, err error)

	// PruneDisputes examines at most cmd.Limit of the disputes with an ID above cmd.After,
	// ordered by ID. It removes those that cmd.Removes selects, with their notes and events. IDs
	// of removed disputes are not used again.
	PruneDisputes(ctx context.Context, cmd PruneCommand) (step.Pruned[int64], error)
}

// EventStore is the storage of the events of disputes. Its methods must be safe for concurrent use.
// Each is one atomic step and returns the error of ctx if ctx ends first.
type EventStore interface {
	// DisputeEvents returns the page of step.ReadPage, with the limit, of the events with a
	// position above after, ordered by position. The limit is at least 1.
	//
	// Events get their positions as changes in the feed do: with their commit, or from
	// asset.FeedStore.PublishChanges. Positions of removed events are not used again.
	DisputeEvents(ctx context.Context, after int64, limit int) (step.Page[Event], error)

	// LastDisputeEvent returns the largest position that was ever used, or 0. Every event that is
	// committed after the call has a larger one.
	LastDisputeEvent(ctx context.Context) (int64, error)
}
