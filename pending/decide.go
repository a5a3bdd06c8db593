package pending

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/idempotency"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/step"
)

// DecideRequest is the request of [Service.Approve] and [Service.Reject].
type DecideRequest struct {
	ID int64
	// Actor is the operator who decides. It is required.
	Actor int64
	// Comment may be empty. It has at most [MaxComment] bytes.
	Comment string
	// Idempotency is the key with which the request can be sent again; see package idempotency. It belongs to Actor. The
	// zero key is none.
	Idempotency idempotency.Key
}

// Validate returns an [*asset.InputError] that names every invalid field, or nil.
func (req DecideRequest) Validate() error {
	var issues asset.Issues
	issues.CheckID("id", req.ID)
	issues.Check(req.Actor != 0, "actor", "is required")
	issues.CheckUser("actor", req.Actor)
	issues.CheckTextLength("comment", req.Comment, MaxComment)
	issues.CheckIdempotency(req.Idempotency)
	return issues.Err()
}

func (req DecideRequest) fields() []string {
	return []string{strconv.FormatInt(req.ID, 10), req.Comment}
}

// Decided is the result of [Service.Approve] and [Service.Reject].
type Decided struct {
	Act Act
	// Replayed reports whether the request was executed before, with the same key.
	Replayed bool
}

// Approve approves an act and executes it. Of concurrent calls, one does so. The decision on an asset, or the review, is
// stored in the same step, and has the operator who asked as its actor: an act that cannot be executed stays PENDING. The
// removal of a list begins after the step. If it fails, [lists.Service.Remove] completes a removal that has begun, and
// one that has not begun must be asked for again. So no act is ever executed twice.
//
// The error is an [*asset.InputError] if the request is invalid, [ErrNotFound], [ErrDecided], [ErrExpired],
// [ErrSameOperator], [ErrEffectChanged], or [ErrSyncAgain] for a sync. With a key, it can be
// [idempotency.ErrReused] or [idempotency.ErrInProgress].
func (s *Service) Approve(ctx context.Context, req DecideRequest) (Decided, error) {
	cmd, act, err := s.command(ctx, req, StateApproved)
	if err != nil {
		return Decided{}, err
	}
	cmd.Refused = s.unchanged(ctx, act.Plan, cmd.At)
	if act.Kind == KindBlock {
		statuses := act.statuses(act.Actor, cmd.At)
		cmd.Statuses = &statuses
	}
	if act.Review != nil {
		review := act.review(act.Actor, cmd.At)
		cmd.Review = &review
	}
	decided, err := s.decide(ctx, cmd)
	if err == nil && act.Kind == KindRemoval && !decided.Replayed {
		err = s.lists.Remove(ctx, act.List.Name, act.Actor)
	}
	return decided, err
}

// Reject rejects an act, so that it is never executed. The operator who asked for it can do that, too. The errors are those
// of [Service.Approve] that do not concern the execution.
func (s *Service) Reject(ctx context.Context, req DecideRequest) (Decided, error) {
	cmd, _, err := s.command(ctx, req, StateRejected)
	if err != nil {
		return Decided{}, err
	}
	return s.decide(ctx, cmd)
}

// command returns the command of a request, and its act.
func (s *Service) command(ctx context.Context, req DecideRequest, to State) (DecideCommand, Act, error) {
	if err := req.Validate(); err != nil {
		return DecideCommand{}, Act{}, err
	}
	act, err := s.Get(ctx, req.ID)
	if err != nil {
		return DecideCommand{}, Act{}, err
	}
	at := s.clock()
	return DecideCommand{
		ID: req.ID, To: to, Actor: req.Actor, Comment: req.Comment, At: at,
		Claim: req.Idempotency.Claim("pending."+string(to), 0, req.Actor, at, req.fields),
	}, act, nil
}

// decide executes a command.
func (s *Service) decide(ctx context.Context, cmd DecideCommand) (Decided, error) {
	action := audit.ActionApproved
	if cmd.To == StateRejected {
		action = audit.ActionRejected
	}
	cmd.Audit = audit.New(ctx, cmd.At, audit.KindPending, action).On(cmd.ID)
	cmd.Audit.Actor.UserID = cmp.Or(cmd.Audit.Actor.UserID, cmd.Actor)
	act, err := s.store.DecideAct(ctx, cmd)
	var replay *idempotency.ReplayError
	switch {
	case errors.As(err, &replay):
		act, err = s.replayed(ctx, replay)
		return Decided{act, true}, err
	case errors.Is(err, asset.ErrChanged), errors.Is(err, report.ErrNotFound):
		return Decided{}, ErrEffectChanged
	case err != nil:
		return Decided{}, err
	}
	return Decided{Act: act}, nil
}

// DecideCommand decides an act.
type DecideCommand struct {
	ID int64
	// To is APPROVED or REJECTED.
	To      State
	Actor   int64
	Comment string
	At      time.Time
	// Refused, unless nil, is why an act that could be approved cannot be executed.
	Refused error
	// Statuses blocks the assets of the act, or is nil. If Review is not nil, that blocks them, and the Check of Statuses
	// says whether it may.
	Statuses *asset.SetStatusesCommand
	Review   *report.ReviewCommand
	// Sync, unless nil, is the sync that goes on once the act is approved. It has no entries.
	Sync *lists.DecideCommand
	// Claim is zero for a request without a key.
	Claim idempotency.Claim
	Audit audit.Entry
}

// Apply returns the act after the decision. The error is a [*DecidedError], [ErrExpired], [ErrSameOperator] or Refused.
func (cmd DecideCommand) Apply(act Act) (Act, error) {
	switch act.At(cmd.At).State {
	case StateApproved, StateRejected:
		return Act{}, &DecidedError{act.State}
	case StateExpired:
		return Act{}, ErrExpired
	case StatePending:
	}
	if cmd.To == StateApproved && cmd.Actor == act.Actor {
		return Act{}, ErrSameOperator
	}
	if cmd.Refused != nil {
		return Act{}, cmd.Refused
	}
	act.State, act.DecidedBy, act.DecidedAt, act.Comment = cmd.To, cmd.Actor, step.TruncateTime(cmd.At), cmd.Comment
	return act, nil
}

// Record returns the record that the store keeps with the decision if cmd.Claim is not zero.
func (cmd DecideCommand) Record(act Act) idempotency.Record { return record(cmd.Claim, act) }
