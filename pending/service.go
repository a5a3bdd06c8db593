package pending

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/idempotency"
	"github.com/apguard/apguard/lists"
)

// Options are the optional settings of a [Service]. The zero value is valid.
type Options struct {
	// Clock returns the current time. Nil means time.Now.
	Clock func() time.Time
	// Protector finds the protected ones of assets again when their blocking is approved. It must be that of the services
	// whose brake the Service is. Nil means [asset.SuffixProtector].
	Protector asset.Protector
}

// Service lists acts, and approves and rejects them. It is the brake of the services of packages asset, report and lists.
// It is for operators, and safe for concurrent use if its store is.
type Service struct {
	store     Store
	clock     func() time.Time
	protector asset.Protector
	// lists has no brake.
	lists *lists.Service
}

// NewService returns a Service on the store.
func NewService(store Store, opts Options) *Service {
	if opts.Clock == nil {
		opts.Clock = time.Now
	}
	if opts.Protector == nil {
		opts.Protector = asset.SuffixProtector{}
	}
	return &Service{store: store, clock: opts.Clock, protector: opts.Protector, lists: lists.NewService(store, lists.Options{Clock: opts.Clock})}
}

// Get returns the act with the ID, or [ErrNotFound].
func (s *Service) Get(ctx context.Context, id int64) (Act, error) {
	if !asset.ValidID(id) {
		return Act{}, ErrNotFound
	}
	act, err := s.store.ActByID(ctx, id)
	return act.At(s.clock()), err
}

// AddCommand stores an act.
type AddCommand struct {
	Act Act
	// Refused, unless nil, is why the act is not to be stored, unless the request was executed before.
	Refused error
	// Claim is zero for a request without a key.
	Claim idempotency.Claim
	Audit audit.Entry
}

// Repeats reports whether the stored act is what is asked for.
func (cmd AddCommand) Repeats(stored Act) bool {
	return stored.At(cmd.Act.CreatedAt).State == StatePending && stored.Digest() == cmd.Act.Digest()
}

// answer is what a record keeps of a request that became an act, or of a decision.
type answer struct {
	PendingID int64 `json:"pendingId"`
}

// Record returns the record that the store keeps with the act if cmd.Claim is not zero.
func (cmd AddCommand) Record(act Act) idempotency.Record { return record(cmd.Claim, act) }

func record(claim idempotency.Claim, act Act) idempotency.Record {
	text, _ := json.Marshal(answer{act.ID}) // never fails
	return claim.Record(text)
}

// Replay implements [asset.Brake].
func (s *Service) Replay(ctx context.Context, replay *idempotency.ReplayError) error {
	act, err := s.replayed(ctx, replay)
	if err != nil || act.ID == 0 {
		return err
	}
	return &Error{Act: act, Replayed: true}
}

// replayed returns the act of a request that is sent again. It is zero if the answer names none.
func (s *Service) replayed(ctx context.Context, replay *idempotency.ReplayError) (Act, error) {
	var a answer
	if err := json.Unmarshal(replay.Answer, &a); err != nil {
		return Act{}, fmt.Errorf("%w: %w", idempotency.ErrMalformedRecord, err)
	}
	if a.PendingID == 0 {
		return Act{}, nil
	}
	return s.Get(ctx, a.PendingID)
}

// newAct returns a valid act, without an ID. The error is an [*asset.InputError] if there is no actor.
func newAct(plan Plan, actor int64, at time.Time) (Act, error) {
	var issues asset.Issues
	issues.Check(actor != 0, "actor", "is required, because another operator must approve this")
	issues.CheckUser("actor", actor)
	plan.Origin.Actor = 0
	act := Act{Plan: plan, Actor: actor, CreatedAt: at, ExpiresAt: at.Add(Lifetime), State: StatePending}
	return act.Stored(), issues.Err()
}

// add stores an act, and returns the error that has it.
func (s *Service) add(ctx context.Context, cmd AddCommand) error {
	cmd.Audit = audit.New(ctx, cmd.Act.CreatedAt, audit.KindPending, audit.ActionCreated)
	cmd.Audit.Detail = string(cmd.Act.Kind)
	act, err := s.store.AddAct(ctx, cmd)
	if err != nil {
		return err
	}
	return &Error{Act: act.At(s.clock())}
}
