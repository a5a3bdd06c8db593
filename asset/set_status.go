package asset

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/apguard/apguard/idempotency"
	"github.com/apguard/apguard/step"
)

// SetStatusRequest is the request of [Service.SetStatus].
type SetStatusRequest struct {
	Identity Identity
	Status   Status
	// Reason and Note say why, for everybody who may see the status; see [Decision].
	Reason Reason
	Note   string
	// ExpiresAt is when the decision ends, in the future, or zero for never. ReviewAt is when the operators
	// want to look at it again, in the same way, and before ExpiresAt.
	ExpiresAt time.Time
	ReviewAt  time.Time
	// Origin says why the status changes, for operators. An empty Cause means [CauseManual].
	Origin Origin
	// ConfirmProtected confirms that a protected asset is to be BLOCKED; see [Protection].
	ConfirmProtected bool
	// IfStatus, unless empty, is the status that the caller saw. If the asset has another one,
	// nothing is stored. An asset that does not exist is UNKNOWN.
	IfStatus Status
	// Idempotency is the key with which the request can be sent again; see package
	// idempotency. It belongs to Origin.Actor. The zero key is none.
	Idempotency idempotency.Key
}

// Validate returns an [*InputError] if a field is missing or invalid. It does not know the present time, so
// SetStatus can still find that ExpiresAt or ReviewAt is past, or that the asset is protected.
func (req SetStatusRequest) Validate() error { return req.validate(time.Time{}) }

// validate is Validate at a time.
func (req SetStatusRequest) validate(at time.Time) error {
	var issues Issues
	issues.Check(req.Identity == (Identity{}) || req.Identity.Type.Valid(), "type", "must be an asset type")
	issues.Check(req.Identity.Canonical != "", "content", "is required")
	issues.CheckText("content", req.Identity.Canonical)
	issues.Check(req.Status.Valid(), "status", "must be UNKNOWN, ALLOWED or BLOCKED")
	issues.Check(req.IfStatus == "" || req.IfStatus.Valid(), "ifStatus", "must be UNKNOWN, ALLOWED or BLOCKED")
	Decision{Status: req.Status, Reason: req.Reason, Note: req.Note}.check(&issues)
	checkFuture(&issues, "expiresAt", req.ExpiresAt, at)
	checkFuture(&issues, "reviewAt", req.ReviewAt, at)
	issues.Check(req.ReviewAt.IsZero() || req.ExpiresAt.IsZero() || step.TruncateTime(req.ReviewAt).Before(step.TruncateTime(req.ExpiresAt)),
		"reviewAt", "must be before expiresAt")
	req.Origin.check(&issues)
	issues.CheckIdempotency(req.Idempotency)
	return issues.Err()
}

// fields returns the fields of the request for a fingerprint.
func (req SetStatusRequest) fields() []string {
	return []string{
		string(req.Identity.Type), req.Identity.Canonical, string(req.Status), string(req.IfStatus),
		string(req.Reason), req.Note, string(req.Origin.Cause), req.Origin.Reference, strconv.FormatBool(req.ConfirmProtected),
		req.ExpiresAt.UTC().Format(time.RFC3339Nano), req.ReviewAt.UTC().Format(time.RFC3339Nano),
	}
}

// Updated is the result of [Service.SetStatus] and [Service.Withdraw].
type Updated struct {
	// Asset is the asset with its new status.
	Asset
	// Decision is what the operators hold on the asset now, and Previous what they held before. Each
	// is nil for nothing. They are equal if SetStatus had nothing to store.
	Decision *Decision `json:"decision,omitempty"`
	Previous *Decision `json:"previous,omitempty"`
	// Replayed reports whether the request was executed before, with the same key. All is as it was
	// then.
	Replayed bool `json:"-"`
}

// SetStatus makes a status the operators' decision on an asset, and returns the updated asset. If the
// asset does not exist, it is first registered as UNKNOWN. It records a [Change] only if the status
// differs from the previous one.
//
// If the operators hold the status already and no entry of an allowlist is newer, SetStatus stores
// nothing, unless the request has another reason, note, ExpiresAt or ReviewAt. A request without a reason
// or note leaves the present one. One without ExpiresAt or ReviewAt removes it.
//
// The error is an [*InputError] if the request is invalid, or if its ExpiresAt or ReviewAt is not in the
// future. It matches [ErrProtected] if the request blocks a protected asset without confirming it. It is
// [ErrChanged] if the asset does not have the status IfStatus. With a [Brake], it is that of a pending act if
// the request blocks a protected asset and confirms it; see package pending. With a key, it can be [idempotency.ErrReused]
// or [idempotency.ErrInProgress]. A request that was executed can be repeated with its key when its times are
// past, or its asset is protected.
func (s *Service) SetStatus(ctx context.Context, req SetStatusRequest) (Updated, error) {
	at := s.clock()
	refused := req.validate(at)
	if refused != nil && (req.Idempotency.Text == "" || req.Validate() != nil) {
		return Updated{}, refused
	}
	item := StatusItem{Identity: req.Identity, Status: req.Status, ExpiresAt: req.ExpiresAt}
	protections, err := s.protections(ctx, at, req.ConfirmProtected && s.brake == nil, item)
	if err != nil {
		return Updated{}, err
	}
	req.Origin.Cause = cmp.Or(req.Origin.Cause, CauseManual)
	cmd := SetStatusesCommand{
		Items:    []StatusItem{item},
		Reason:   req.Reason,
		Note:     req.Note,
		ReviewAt: req.ReviewAt,
		Origin:   req.Origin,
		At:       at,
		IfStatus: req.IfStatus,
		Refused:  refused,
		Claim:    req.Idempotency.Claim("asset.setStatus", 0, req.Origin.Actor, at, req.fields),
	}
	if req.ConfirmProtected && len(protections) > 0 {
		return s.orReplay(ctx, s.brake.HoldStatuses(ctx, cmd, protections, false))
	}
	cmd.Refused = JoinInput(cmd.Refused, protections.Check(item.Identity, item.Status))
	return s.update(ctx, cmd)
}

// update executes a command with one item. For a retry, it returns the result of the first time.
func (s *Service) update(ctx context.Context, cmd SetStatusesCommand) (Updated, error) {
	before, err := s.store.SetAssetStatuses(ctx, cmd)
	if err != nil {
		return s.orReplay(ctx, err)
	}
	return cmd.updated(0, before[0]), nil
}

// orReplay returns the result of the first time for the error of a retry, and any other error unchanged.
func (s *Service) orReplay(ctx context.Context, err error) (Updated, error) {
	var replay *idempotency.ReplayError
	if !errors.As(err, &replay) {
		return Updated{}, err
	}
	updated := Updated{Replayed: true}
	if err := json.Unmarshal(replay.Answer, &updated); err != nil {
		return Updated{}, fmt.Errorf("%w: %w", idempotency.ErrMalformedRecord, err)
	}
	if updated.ID == 0 {
		return Updated{}, Replayed(ctx, s.brake, replay)
	}
	return updated, nil
}

// updated returns what the command has made of the asset of the item.
func (cmd SetStatusesCommand) updated(item int, before Held) Updated {
	after, _ := cmd.Apply(item, before)
	settled, _, _ := after.Settle(cmd.At, cmd.Origin)
	return Updated{Asset: settled.Asset, Decision: after.Operators, Previous: before.Operators}
}

// Apply returns what is held on the asset of the item once the command is executed. It returns false if
// nothing of that is to be stored.
func (cmd SetStatusesCommand) Apply(item int, before Held) (Held, bool) {
	switch {
	case cmd.Withdraw:
		return before.Withdraw(), true
	case cmd.Undo != nil:
		after, err := before.undo(cmd.Undo[item], cmd.At, cmd.Origin)
		return after, err == nil && after.Operators != before.Operators
	}
	return before.Decide(Decision{
		Status:    cmd.Items[item].Status,
		Reason:    cmd.Reason,
		Note:      cmd.Note,
		ExpiresAt: cmd.Items[item].ExpiresAt,
		ReviewAt:  cmd.ReviewAt,
		Origin:    cmd.Origin,
	}, cmd.At)
}

// Removes reports whether the results of Apply may hold no decision of the operators, or one that replaced none,
// in the place of another.
func (cmd SetStatusesCommand) Removes() bool { return cmd.Withdraw || cmd.Undo != nil }

// refusal returns the error of the item's result, which refuses only this item.
func (cmd SetStatusesCommand) refusal(item int, before Held) error {
	if cmd.Undo == nil {
		return nil
	}
	_, err := before.undo(cmd.Undo[item], cmd.At, cmd.Origin)
	return err
}

// Checks reports whether Check may return an error. If not, it is always nil.
func (cmd SetStatusesCommand) Checks() bool {
	return cmd.Withdraw || cmd.IfStatus != "" || cmd.IfStatuses != nil || cmd.Refused != nil
}

// Check returns Refused, [ErrChanged] if the asset of the item does not have the status IfStatus or that of
// IfStatuses, and [ErrNoDecision] if the command withdraws a decision that the operators do not hold. An asset
// that does not exist is UNKNOWN.
func (cmd SetStatusesCommand) Check(item int, before Held) error {
	switch {
	case cmd.Refused != nil:
		return cmd.Refused
	case cmd.Withdraw && before.Operators == nil:
		return ErrNoDecision
	case cmd.IfStatus != "" && cmd.IfStatus != before.Status, cmd.IfStatuses != nil && cmd.IfStatuses[item] != before.Status:
		return ErrChanged
	default:
		return nil
	}
}
