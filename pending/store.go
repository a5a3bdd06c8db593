package pending

import (
	"context"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/step"
)

// Store is the storage of a [Service]. Methods may be called concurrently. Each is one atomic step, and returns the error
// of the context if the context ends first. Acts are compared with what the other stores have.
type Store interface {
	asset.Store
	lists.Store

	// AddAct stores cmd.Act as PENDING, with a new ID, and returns it. If there is an act for which cmd.Repeats is true, it
	// stores and records nothing but the record of the claim, and returns that act. Otherwise it records cmd.Audit with the
	// ID as Subject. No act with a lower ID is stored later.
	//
	// If cmd.Refused is not nil, AddAct returns it unchanged. If cmd.Claim is not zero, the record of AddCommand.Record is
	// stored in the same step; package storage has the rules.
	AddAct(ctx context.Context, cmd AddCommand) (Act, error)

	// ActByID returns the act, or ErrNotFound.
	ActByID(ctx context.Context, id int64) (Act, error)

	// Acts returns the page of step.ReadPage, with req.Limit, of the acts that req.Selects and whose ID is above
	// req.After, ordered by ID. The limit is at least 1.
	Acts(ctx context.Context, req ListRequest, now time.Time) (step.Page[Act], error)

	// LastAct returns the largest ID of all acts, or 0.
	LastAct(ctx context.Context) (int64, error)

	// DecideAct calls cmd.Apply with the act, stores the result, records cmd.Audit, and returns it. If the act is
	// approved, it also executes cmd.Statuses or, if that is not nil, cmd.Review as SetAssetStatuses and AddReviews do, all
	// in one step. For a review, it calls the Check of cmd.Statuses only. For cmd.Sync, it returns the error of its Check,
	// and no other step changes the list before the end of this one. If any part returns an error, DecideAct returns it
	// unchanged, and nothing is stored.
	//
	// If cmd.Claim is not zero, the record of DecideCommand.Record is stored in the same step. DecideAct returns
	// ErrNotFound if there is no act with the ID.
	DecideAct(ctx context.Context, cmd DecideCommand) (Act, error)
}
