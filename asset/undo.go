package asset

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/apguard/apguard/step"
)

// UndoRequest is the request of [Service.Undo].
type UndoRequest struct {
	// Items has from 1 to [MaxItems] items.
	Items []UndoItem
	// Origin has the actor, and possibly a reference. An empty Cause means [CauseWithdrawal].
	Origin Origin
	// ConfirmProtected confirms that protected assets among the items are to be BLOCKED again; see [Protection].
	// With a [Brake], they are refused nevertheless: an undone act does not wait for a second operator.
	ConfirmProtected bool
	// DryRun makes Undo return the results that would come and store nothing.
	DryRun bool
}

// UndoItem is an act on an asset that is undone, with the two decisions of its result.
type UndoItem struct {
	Identity Identity
	// Decision is what the act made the operators hold, or nil for nothing, as a withdrawal does. Only its Status and
	// its Since count: they say which decision it is.
	Decision *Decision
	// Previous is what the operators held before, or nil for nothing.
	Previous *Decision
	// Refused is like that of [StatusItem].
	Refused error
}

// Validate returns an [*InputError] if the number of items or the origin is invalid. An invalid item is the
// error of its result.
func (req UndoRequest) Validate() error {
	var issues Issues
	n := len(req.Items)
	issues.Check(1 <= n && n <= MaxItems, "items", fmt.Sprintf("must be from 1 to %d", MaxItems))
	req.Origin.check(&issues)
	return issues.Err()
}

// validate returns why the item is refused, or an [*InputError] if it is invalid.
func (item UndoItem) validate() error {
	if item.Refused != nil {
		return item.Refused
	}
	var issues Issues
	issues.Check(item.Decision != nil || item.Previous != nil, "decision", "is required without previous")
	if d := item.Decision; d != nil {
		issues = append(issues, d.identify().Under("decision")...)
	}
	if d := item.Previous; d != nil {
		given := d.identify()
		d.check(&given)
		given.CheckTextLength("reference", d.Origin.Reference, MaxReference)
		given.Check(d.ExpiresAt.IsZero() || isMoment(d.ExpiresAt), "expiresAt", "must be a time up to year 9999")
		given.Check(d.ReviewAt.IsZero() || isMoment(d.ReviewAt), "reviewAt", "must be a time up to year 9999")
		issues = append(issues, given.Under("previous")...)
	}
	return JoinInput(SetStatusRequest{Identity: item.Identity, Status: StatusUnknown}.Validate(), issues.Err())
}

// identify returns the issues of what says which decision it is.
func (d Decision) identify() (issues Issues) {
	issues.Check(d.Status.Valid(), "status", "must be UNKNOWN, ALLOWED or BLOCKED")
	issues.Check(isMoment(d.Since), "since", "must be the time of the decision")
	return issues
}

// isMoment reports whether a time can be stored and is not zero then.
func isMoment(at time.Time) bool { return ValidTime(at) && !step.TruncateTime(at).IsZero() }

// is reports whether both are the same decision on an asset, or both nil.
func (d *Decision) is(other *Decision) bool {
	if d == nil || other == nil {
		return d == other
	}
	return d.Status == other.Status && d.Since.Equal(step.TruncateTime(other.Since))
}

// restores returns the status that the operators hold once the item is undone. It is UNKNOWN if they hold nothing.
func (item UndoItem) restores(at time.Time) Status {
	if item.Previous == nil || item.Previous.Ended(at) {
		return StatusUnknown
	}
	return item.Previous.Status
}

// Undo undoes acts of operators, in one step. If the operators still hold exactly the decision of an item, they hold
// the previous one again, with its Since, so that the asset has the status that it had. If that one has ended in the
// meantime, or is nil, they hold nothing. An item whose act is undone already changes nothing, and neither does a
// request that is repeated, so that none needs an idempotency key. If operators have decided otherwise since, the item
// is refused with [ErrChanged]. It does not affect the others.
//
// The previous decision has its own origin again if the one that is undone took its place. If a chain of acts is undone,
// the store does not know the earlier ones: what the request says of them is taken, except for the actor, who is that
// of the request.
//
// Undo returns a result for each item, in order. The result of an undone act can be undone in the same way. Changes of
// statuses have the cause of the origin. The error is an [*InputError] if the request is invalid.
func (s *Service) Undo(ctx context.Context, req UndoRequest) ([]StatusResult, error) {
	if err := req.Validate(); err != nil {
		return nil, err
	}
	req.Origin.Cause = cmp.Or(req.Origin.Cause, CauseWithdrawal)
	cmd := SetStatusesCommand{Origin: req.Origin, At: s.clock()}
	batch, err := s.undoBatch(ctx, req, cmd.At)
	if err != nil || len(batch.Unique) == 0 {
		return statusResults(batch, cmd, nil), err
	}
	cmd.Undo = batch.Unique
	for _, item := range cmd.Undo {
		cmd.Items = append(cmd.Items, StatusItem{Identity: item.Identity, Status: item.restores(cmd.At)})
	}
	var before []Held
	if req.DryRun {
		before, err = s.heldOn(ctx, cmd)
	} else {
		before, err = s.store.SetAssetStatuses(ctx, cmd)
	}
	if err != nil {
		return nil, err
	}
	return statusResults(batch, cmd, before), nil
}

// undoBatch returns the items with those refused that are invalid, protected, contradict an earlier one or have an
// asset that does not exist: nothing was decided on it, and it is not to be registered.
func (s *Service) undoBatch(ctx context.Context, req UndoRequest, at time.Time) (Batch[UndoItem], error) {
	batch := NewBatch[UndoItem](len(req.Items))
	items, refused := make([]StatusItem, len(req.Items)), make([]error, len(req.Items))
	var valid []Identity
	for i, item := range req.Items {
		refused[i] = item.validate()
		items[i] = StatusItem{Identity: item.Identity, Refused: refused[i]}
		if item.Previous != nil {
			items[i].Status = item.Previous.Status // also if the request says that it has ended: the store may know better
		}
		if refused[i] == nil {
			valid = append(valid, item.Identity)
		}
	}
	if len(valid) == 0 {
		for _, err := range refused {
			batch.Refuse(err)
		}
		return batch, nil
	}
	protections, err := s.protections(ctx, at, req.ConfirmProtected && s.brake == nil, items...)
	if err != nil {
		return batch, err
	}
	found, err := s.store.AssetsByIdentity(ctx, valid)
	if err != nil {
		return batch, err
	}
	exists := make(map[Identity]bool, len(found))
	for _, known := range found {
		exists[known.Identity] = true
	}
	for i, item := range req.Items {
		first, duplicate := batch.First(item.Identity)
		err := JoinInput(refused[i], protections.checkUndo(item.Identity, items[i].Status, req.ConfirmProtected))
		switch {
		case err != nil:
			batch.Refuse(err)
		case !exists[item.Identity]:
			batch.Refuse(ErrChanged)
		case duplicate && (!item.Decision.is(first.Decision) || !item.Previous.is(first.Previous)):
			batch.Refuse(ErrContradiction)
		default:
			batch.Add(item.Identity, item)
		}
	}
	return batch, nil
}

// heldOn returns what is held on the assets of the command, for a dry run.
func (s *Service) heldOn(ctx context.Context, cmd SetStatusesCommand) ([]Held, error) {
	before := make([]Held, len(cmd.Items))
	for i, item := range cmd.Items {
		held, err := s.store.Held(ctx, item.Identity, cmd.At)
		if errors.Is(err, ErrNotFound) {
			held, err = NewHeld(item.Identity), nil
		}
		if err != nil {
			return nil, err
		}
		before[i] = held
	}
	return before, nil
}

// undo returns what is held once the act of the item is undone, or [ErrChanged].
func (h Held) undo(item UndoItem, at time.Time, origin Origin) (Held, error) {
	now, restored := h.Operators, item.Previous.again(h, at, origin)
	switch {
	case now.is(restored):
		return h, nil // the act is undone already
	case !now.is(item.Decision):
		return h, ErrChanged
	default:
		h.Operators = restored
		return h, nil
	}
}

// again returns the decision as the operators hold it once it stands again: as it was if the present one took its
// place, or else as the receiver says, but of an origin of the present. It is nil if the decision has ended.
//
// Its Since is the given one, so that entries after it still count, but not after that of a decision which is taken
// now.
func (d *Decision) again(h Held, at time.Time, origin Origin) *Decision {
	switch {
	case d == nil:
		return nil
	case h.Operators != nil && d.is(h.Operators.Replaced):
		d = h.Operators.Replaced
	case d.is(h.Operators):
		return h.Operators
	default:
		given := *d.withoutReplaced()
		given.Reason = given.Reason.For(given.Status)
		given.ExpiresAt, given.ReviewAt = step.TruncateTime(given.ExpiresAt), step.TruncateTime(given.ReviewAt)
		if given.Since = step.TruncateTime(given.Since); given.Since.After(h.next(at)) {
			given.Since = h.next(at)
		}
		given.Origin = Origin{Cause: CauseManual, Actor: origin.Actor, Reference: given.Origin.Reference}
		d = &given
	}
	if d.Ended(at) {
		return nil
	}
	return d
}

// checkUndo returns an [*InputError] that matches [ErrProtected] if an undone act would block a protected asset again.
// If that is confirmed, a second operator must approve it, which an undone act does not wait for.
func (p Protections) checkUndo(identity Identity, status Status, confirmed bool) error {
	err := p.Check(identity, status)
	if err == nil || !confirmed {
		return err
	}
	protected := p[identity]
	message := "does not suffice: set the status, so that another operator can approve it: " + protected.String()
	return Issues{{Field: "confirmProtected", Message: message, Err: &ProtectedError{protected}}}.Err()
}
