package allowlist

import (
	"context"
	"time"

	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/protect"
	"github.com/apguard/apguard/step"
)

// Store is the storage that a [Service] needs. Its methods must be safe for
// concurrent use. Each is atomic, and returns the context's error if the context
// ends first.
//
// An entry that has ended at the time of a call, as [Entry.Ended] says, is not there for
// any method except ExpireEntries. Adding its asset again replaces it.
type Store interface {
	// Store finds the covers of assets.
	check.Store
	// Store finds the BLOCKED assets below hosts.
	protect.Store

	// AddToAllowlist executes the command and returns one outcome for each entry, in their
	// order. If it returns an error, nothing is stored.
	//
	// It first finds whether the organization exists and which of the command's groups belong
	// to it, and returns the error of [AddCommand.CheckOrganization] unchanged.
	//
	// It then handles the entries in their order. If the asset of an entry does not exist,
	// it is registered with status UNKNOWN. [AddCommand.Refusal] then decides whether the
	// entry is added. If it is, its AddedAt is that of asset.Held.Add, and asset.Held.Settle makes
	// the change to ALLOWED, if there is one. Change IDs follow the order of the entries.
	//
	// If cmd.Claim is not zero, the record of [AddCommand.Record] is stored in the same
	// step; package storage has the rules.
	//
	// If cmd.DryRun is set, AddToAllowlist returns the same outcomes, but with an AssetID of 0
	// for assets that do not exist, and stores nothing. The claim is then zero.
	AddToAllowlist(ctx context.Context, cmd AddCommand) ([]Outcome, error)

	// RemoveFromAllowlist removes the organization's entries of the command's assets. The organization
	// need not exist. It returns the entries that it removed, in the order of the asset IDs; the
	// other assets have none. For each of them, asset.Held.Settle makes the change, if there is one,
	// from what is held without the entry. Change IDs follow the order of the asset IDs.
	// It appends the entry of [RemoveCommand.Entry] to the audit trail.
	//
	// If cmd.Claim is not zero, the record of [RemoveCommand.Record] is stored in the same
	// step; package storage has the rules.
	//
	// If cmd.DryRun is set, RemoveFromAllowlist returns the same entries and stores nothing. The claim
	// is then zero.
	RemoveFromAllowlist(ctx context.Context, cmd RemoveCommand) (removed []RemovedEntry, err error)

	// SetEntryExpiry sets the ExpiresAt of the organization's entry of the asset, or returns
	// ErrNotListed.
	SetEntryExpiry(ctx context.Context, req SetExpiryRequest, at time.Time) error

	// ExpireEntries removes at most cmd.Limit of the entries of all organizations that have
	// ended at cmd.At, ordered by their end, the organization's ID and the asset's ID. It
	// removes the entries of each organization as RemoveFromAllowlist does, with the command
	// of [ExpireCommand.Removal]. Change IDs follow the order of organizations and then of
	// assets. It returns the number of removed entries.
	ExpireEntries(ctx context.Context, cmd ExpireCommand) (removed int, err error)

	// AllowlistEntries returns a page of the organization's entries that the filter matches and
	// whose asset ID is greater than req.Cursor, ordered by asset ID. If the filter is not zero,
	// it examines MaxScan entries, or all if there are fewer, whether they have ended or not. The
	// result is that of NewPage for the page of step.ReadPage, with req.Limit. The limit is at
	// least 1 and may be larger than MaxLimit.
	AllowlistEntries(ctx context.Context, req ListRequest, at time.Time) (Page, error)

	// AllowingOrganizations returns the page of step.ReadPage, with req.Limit, of the
	// organizations that have the asset on their allowlist and whose ID is greater than
	// req.Cursor, ordered by ID. The limit is at least 1 and may be larger than MaxLimit.
	AllowingOrganizations(ctx context.Context, req AllowedByRequest, at time.Time) (step.Page[AllowingOrganization], error)
}
