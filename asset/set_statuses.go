package asset

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/idempotency"
)

// MaxItems is the maximum number of items of a [SetStatusesRequest].
const MaxItems = 1000

// ErrContradiction reports that an earlier item of the request gives the same asset
// another status, or another end.
var ErrContradiction = errors.New("contradicts an earlier status of the same asset")

// SetStatusesRequest is the request of [Service.SetStatuses].
type SetStatusesRequest struct {
	// Items has from 1 to [MaxItems] items.
	Items []StatusItem
	// Reason and Note say why, for everybody who may see the statuses; see [Decision].
	Reason Reason
	Note   string
	// Origin says why the statuses change, for operators. An empty Cause means [CauseManual].
	Origin Origin
	// ConfirmProtected confirms that protected assets among the items are to be BLOCKED; see [Protection].
	ConfirmProtected bool
	// NotPending refuses protected assets that a [Brake] would make a pending act, as imports must.
	NotPending bool
	// DryRun makes SetStatuses return the results that would come and store nothing.
	DryRun bool
	// Import says that the step is the first one of an import. If it changes a status, that is
	// recorded in the audit trail; see package audit.
	Import bool
	// ImportDetail describes the import in the audit trail. It should have no text about persons,
	// because entries are never removed.
	ImportDetail string
}

// StatusItem is an asset and the status that it gets.
type StatusItem struct {
	Identity Identity
	Status   Status
	// ExpiresAt is when the status ends, or zero for never; see [Decision].
	ExpiresAt time.Time
	// Refused, unless nil, is why the item is refused, for example because its content is not recognized. It
	// becomes the error of its result.
	Refused error
}

// validate returns why the item is refused, or an [*InputError] if it is invalid.
func (req SetStatusesRequest) validate(item StatusItem, at time.Time) error {
	if item.Refused != nil {
		return item.Refused
	}
	return SetStatusRequest{
		Identity: item.Identity, Status: item.Status, Reason: req.Reason, ExpiresAt: item.ExpiresAt,
	}.validate(at)
}

// Validate returns an [*InputError] if the number of items or the origin is invalid. An
// invalid item is the error of its result.
func (req SetStatusesRequest) Validate() error {
	var issues Issues
	n := len(req.Items)
	issues.Check(1 <= n && n <= MaxItems, "items", fmt.Sprintf("must be from 1 to %d", MaxItems))
	Decision{Note: req.Note}.check(&issues)
	req.Origin.check(&issues)
	issues.CheckTextLength("importDetail", req.ImportDetail, 2*MaxReference)
	return issues.Err()
}

// StatusResult is the result of one item.
type StatusResult struct {
	// Asset is the asset with its new status. In a dry run, its ID is 0 if it does not
	// exist.
	Asset Asset
	// From is the status that the asset had before. It is UNKNOWN for a new asset.
	From Status
	// Decision is what the operators hold on the asset now, and Previous what they held before the request, so that
	// the act can be undone; see [Service.Undo]. Each is nil for nothing, and in a dry run of SetStatuses.
	Decision *Decision
	Previous *Decision
	// Err says why the item was refused. It is an [*InputError] if the item is invalid, which
	// matches [ErrProtected] if that is the reason, [ErrContradiction], [ErrChanged] from Undo, or the Refused of the
	// item. It is that of a pending act for a protected asset that waits for a second operator; see [Brake]. The other
	// fields are then zero.
	Err error
}

// Changed reports whether the item changes the status of its asset.
func (r StatusResult) Changed() bool { return r.Err == nil && r.From != r.Asset.Status }

// SetStatuses sets the statuses of several assets in one step, as [Service.SetStatus] does
// for one. It returns a result for each item, in order. An item that is refused does not
// affect the others. A duplicate changes nothing, and neither does a request that is repeated, so that none needs
// an idempotency key.
//
// The error is an [*InputError] if the request is invalid.
func (s *Service) SetStatuses(ctx context.Context, req SetStatusesRequest) ([]StatusResult, error) {
	if err := req.Validate(); err != nil {
		return nil, err
	}
	req.Origin.Cause = cmp.Or(req.Origin.Cause, CauseManual)
	at := s.clock()
	protections, err := s.protections(ctx, at, req.ConfirmProtected && s.brake == nil, req.Items...)
	if err != nil {
		return nil, err
	}
	batch := statusBatch(req, protections, at)
	cmd := SetStatusesCommand{Reason: req.Reason, Note: req.Note, Origin: req.Origin, At: at}
	batch, err = s.holdBack(ctx, batch, cmd, protections, req.DryRun)
	if err != nil {
		return nil, err
	}
	var before []Held
	cmd.Items = batch.Unique
	switch {
	case len(cmd.Items) == 0:
	case req.DryRun:
		before, err = s.present(ctx, cmd.Items)
	default:
		if req.Import {
			cmd.Audit = audit.New(ctx, cmd.At, audit.KindImport, audit.ActionListStarted)
			cmd.Audit.Detail = req.ImportDetail
		}
		before, err = s.store.SetAssetStatuses(ctx, cmd)
	}
	if err != nil {
		return nil, err
	}
	results := statusResults(batch, cmd, before)
	if req.DryRun {
		for i := range results {
			results[i].Decision = nil // present does not know what it would take the place of
		}
	}
	return results, nil
}

// statusBatch returns the items with those that are invalid, protected or contradict an earlier one
// refused. Protected ones that are confirmed are to be held.
func statusBatch(req SetStatusesRequest, protections Protections, at time.Time) Batch[StatusItem] {
	batch := NewBatch[StatusItem](len(req.Items))
	for _, item := range req.Items {
		first, duplicate := batch.First(item.Identity)
		err := req.validate(item, at)
		if !req.ConfirmProtected || req.NotPending {
			err = JoinInput(err, protections.Check(item.Identity, item.Status))
		}
		switch {
		case err != nil:
			batch.Refuse(err)
		case duplicate && (first.Status != item.Status || !first.ExpiresAt.Equal(item.ExpiresAt)):
			batch.Refuse(ErrContradiction)
		default:
			batch.Add(item.Identity, item)
		}
	}
	return batch
}

// statusResults returns the results of the items. What was held on the assets of the unique items
// before the step is in their order.
func statusResults[Item any](batch Batch[Item], cmd SetStatusesCommand, before []Held) []StatusResult {
	results := make([]StatusResult, len(batch.Places))
	for i, place := range batch.Places {
		err := place.Err
		if err == nil {
			err = cmd.refusal(place.Index, before[place.Index])
		}
		if err != nil {
			results[i].Err = err
			continue
		}
		updated := cmd.updated(place.Index, before[place.Index])
		results[i] = StatusResult{
			Asset: updated.Asset, From: before[place.Index].Status, Decision: updated.Decision, Previous: updated.Previous,
		}
		if place.Duplicate {
			results[i].From = updated.Status
		}
	}
	return results
}

// present returns the assets of the items as they are, without the decisions on them, and UNKNOWN ones without
// an ID in the place of those that do not exist.
func (s *Service) present(ctx context.Context, items []StatusItem) ([]Held, error) {
	identities := make([]Identity, len(items))
	for i, item := range items {
		identities[i] = item.Identity
	}
	found, err := s.store.AssetsByIdentity(ctx, identities)
	present := make([]Held, len(items))
	for i, known := range Present(identities, found) {
		present[i].Known = known
	}
	return present, err
}

// Present returns the assets of the identities, in their order, given those that a store found.
// Where it found none, the asset has no ID and the status UNKNOWN.
func Present(identities []Identity, found []Known) []Known {
	known := make(map[Identity]Known, len(found))
	for _, a := range found {
		known[a.Identity] = a
	}
	present := make([]Known, len(identities))
	for i, identity := range identities {
		present[i] = cmp.Or(known[identity], NewHeld(identity).Known)
	}
	return present
}

// SetStatusesCommand has the valid items of a [SetStatusesRequest] and the time of the
// changes. Each item has another identity. There is at least one.
type SetStatusesCommand struct {
	Items  []StatusItem
	Reason Reason
	Note   string
	// ReviewAt is that of the decisions.
	ReviewAt time.Time
	Origin   Origin
	At       time.Time
	// Withdraw takes back what the operators hold on the asset, in place of giving it a status. The item
	// then has only an identity.
	Withdraw bool
	// Undo, unless nil, has what is undone for each of the Items, in place of giving them statuses. They then have only
	// an identity and the status that stands again.
	Undo []UndoItem
	// IfStatus, unless empty, is the status that the asset must have before. Refused, unless nil, is why the
	// command is not to be executed, unless it was before: its ExpiresAt or ReviewAt is past. Claim is zero for
	// a request without a key. A command with one of them, or with Withdraw, has one item.
	IfStatus Status
	// IfStatuses, unless nil, are the statuses that the assets of the items must have before.
	IfStatuses []Status
	Refused    error
	Claim      idempotency.Claim
	// Audit is the entry of the command, or zero; see Entry.
	Audit audit.Entry
}

// Entry returns the entry to record with the changes. Its argument has the assets that the method
// returns. It is zero if no status changes. Stores call it.
func (cmd SetStatusesCommand) Entry(before []Held) audit.Entry {
	for i, item := range cmd.Items {
		if before[i].Status != item.Status {
			return cmd.Audit
		}
	}
	return audit.Entry{}
}

// Record returns the record that the store keeps with the change if cmd.Claim is not zero. Its
// argument has the assets that the method returns.
func (cmd SetStatusesCommand) Record(before []Held) idempotency.Record {
	text, _ := json.Marshal(cmd.updated(0, before[0])) // fails for invalid times only
	return cmd.Claim.Record(text)
}
