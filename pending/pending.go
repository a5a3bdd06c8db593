// Package pending has the acts that wait for a second operator.
//
// With apguard.Options.FourEyes, three things take two operators: to block a protected asset with the confirmation, to
// sync a list with the confirmation after a brake has stopped the sync, and to remove a list. A request for one of them
// changes nothing. It becomes an [Act], and returns an [*Error] that has it. Within [Lifetime], another operator
// approves or rejects the act with a [Service].
//
// An act says what it will do. That is computed again when it is approved, and an act that would do something else
// is refused with [ErrEffectChanged]. It then has to be asked for again.
package pending

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/step"
)

// Lifetime is the time after which an act can no longer be approved.
const Lifetime = 24 * time.Hour

// MaxComment is the maximum length in bytes of the comment of a decision.
const MaxComment = 10_000

// Act is something that one operator has asked for, and that another one must approve.
type Act struct {
	// ID is larger than the IDs of all earlier acts.
	ID int64
	Plan
	// Actor is the operator who has asked for the act, and whose decision it is.
	Actor     int64
	CreatedAt time.Time
	// ExpiresAt is [Lifetime] after CreatedAt.
	ExpiresAt time.Time
	// State is the state when the act was read. Stores never have [StateExpired].
	State State
	// DecidedBy, DecidedAt and Comment are those of the approval or the rejection, or zero.
	DecidedBy int64
	DecidedAt time.Time
	Comment   string
}

// PageBytes implements [step.PageItem].
func (a Act) PageBytes() int {
	size := step.PageBytes(a.Note, a.Origin.Reference, a.Comment)
	for _, one := range a.Assets {
		size += step.PageBytes(one.Identity.Canonical, one.Protection.By)
	}
	if a.Review != nil {
		size += len(a.Review.Comment)
	}
	return size
}

// Stored returns the act as stores keep it: its times have whole milliseconds, and it shares no memory with a.
func (a Act) Stored() Act {
	a.Assets = slices.Clone(a.Assets)
	if a.Review != nil {
		review := *a.Review
		a.Review = &review
	}
	if a.List != nil {
		list := *a.List
		a.List = &list
	}
	for _, at := range []*time.Time{&a.CreatedAt, &a.ExpiresAt, &a.DecidedAt, &a.ReviewAt} {
		*at = step.TruncateTime(*at)
	}
	for i := range a.Assets {
		a.Assets[i].ExpiresAt = step.TruncateTime(a.Assets[i].ExpiresAt)
	}
	return a
}

// At returns the act with the state that it has at the time.
func (a Act) At(now time.Time) Act {
	if a.State == StatePending && !now.Before(a.ExpiresAt) {
		a.State = StateExpired
	}
	return a
}

// Plan is what an act will do.
type Plan struct {
	Kind Kind `json:"kind"`
	// Assets are those that the act blocks, in the order of the request. Reason, Note, ReviewAt and Origin are those of
	// the decision. The Actor of the Origin is 0: it is that of the act.
	Assets   []Asset      `json:"assets,omitempty"`
	Reason   asset.Reason `json:"reason,omitzero"`
	Note     string       `json:"note,omitzero"`
	ReviewAt time.Time    `json:"reviewAt,omitzero"`
	Origin   asset.Origin `json:"origin,omitzero"`
	// Review is the review that blocks the asset, or nil.
	Review *Review `json:"review,omitempty"`
	// List is the list that is synced or removed, or nil.
	List *List `json:"list,omitempty"`
}

// Asset is a protected asset that an act blocks.
type Asset struct {
	Identity asset.Identity `json:"identity"`
	// Status is the status that the asset had when the act was asked for.
	Status asset.Status `json:"status"`
	// ExpiresAt is when the asset will no longer be BLOCKED, or zero for never.
	ExpiresAt  time.Time        `json:"expiresAt,omitzero"`
	Protection asset.Protection `json:"protection"`
}

// Review is the APPROVE of a proposal that an asset is BLOCKED.
type Review struct {
	// OrganizationID is that of the scope of the request, or 0 for any organization.
	OrganizationID int64  `json:"organizationId,omitzero"`
	ProposalID     int64  `json:"proposalId"`
	Comment        string `json:"comment,omitzero"`
	// InEffect is the ID of the review that was in effect when the act was asked for, or 0.
	InEffect int64 `json:"inEffect,omitzero"`
}

// List is a list that an act syncs or removes.
type List struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
	// Added, Withdrawn and Kept count the entries of a sync; see [lists.SyncResult]. A removal withdraws all entries.
	Added     int `json:"added,omitzero"`
	Withdrawn int `json:"withdrawn,omitzero"`
	Kept      int `json:"kept,omitzero"`
	// Digest is that of the entries of the file of a sync.
	Digest string `json:"digest,omitzero"`
}

// Digest returns a text that is the same for equal plans.
func (p Plan) Digest() string {
	text, _ := json.Marshal(p) // fails for invalid times only
	hash := sha256.Sum256(text)
	return hex.EncodeToString(hash[:])
}

// statuses returns the command that blocks the assets.
func (p Plan) statuses(actor int64, at time.Time) asset.SetStatusesCommand {
	cmd := asset.SetStatusesCommand{Reason: p.Reason, Note: p.Note, ReviewAt: p.ReviewAt, Origin: p.Origin, At: at}
	cmd.Origin.Actor = actor
	for _, one := range p.Assets {
		cmd.Items = append(cmd.Items, asset.StatusItem{Identity: one.Identity, Status: asset.StatusBlocked, ExpiresAt: one.ExpiresAt})
		cmd.IfStatuses = append(cmd.IfStatuses, one.Status)
	}
	return cmd
}

// review returns the command that reviews the proposal.
func (p Plan) review(actor int64, at time.Time) report.ReviewCommand {
	scope := report.AnyOrganization()
	if p.Review.OrganizationID != 0 {
		scope = report.InOrganization(p.Review.OrganizationID)
	}
	return report.ReviewCommand{At: at, ReviewRequest: report.ReviewRequest{
		Scope: scope, ProposalID: p.Review.ProposalID, Status: report.ReviewApprove, Actor: actor, Comment: p.Review.Comment,
		IfReview: &p.Review.InEffect,
	}}
}

// Kind is a kind of act.
type Kind string

// The kinds.
const (
	// KindBlock blocks protected assets.
	KindBlock Kind = "BLOCK_PROTECTED"
	// KindSync syncs a list although a brake has stopped that.
	KindSync Kind = "SYNC_LIST"
	// KindRemoval removes a list.
	KindRemoval Kind = "REMOVE_LIST"
)

// State is the state of an act.
type State string

// The states.
const (
	StatePending  State = "PENDING"
	StateApproved State = "APPROVED"
	StateRejected State = "REJECTED"
	// StateExpired is that of an act that was neither approved nor rejected within [Lifetime].
	StateExpired State = "EXPIRED"
)

var states = [...]State{StatePending, StateApproved, StateRejected, StateExpired}

// States returns all states in a new slice.
func States() []State { return slices.Clone(states[:]) }

// Valid reports whether s is one of the states.
func (s State) Valid() bool { return slices.Contains(states[:], s) }

// Sentinel errors, for errors.Is. Errors about invalid input are of type [*asset.InputError]. A request that became an
// act returns an [*Error]. Any other error comes from the store, the act itself or the context.
var (
	// ErrNotFound reports that there is no such act.
	ErrNotFound = errors.New("pending act not found")
	// ErrDecided reports that the act was approved or rejected before. The error is a [*DecidedError].
	ErrDecided = errors.New("act is already decided")
	// ErrExpired reports that the act was not decided within [Lifetime].
	ErrExpired = errors.New("act has expired")
	// ErrSameOperator reports that the operator who has asked for the act approves it.
	ErrSameOperator = errors.New("act must be approved by another operator")
	// ErrEffectChanged reports that the act would do something else than it says. It matches [asset.ErrChanged].
	ErrEffectChanged = fmt.Errorf("what the act would do has %w", asset.ErrChanged)
	// ErrSyncAgain reports that a sync cannot be approved by its ID. To approve it, another operator confirms a sync of
	// the list with a file of the same entries; see [lists.SyncRequest].
	ErrSyncAgain = errors.New("sync is approved by syncing the list with the same file")
)

// Error is the error of a request that became an act. It matches [asset.ErrPending].
type Error struct {
	Act Act
	// Replayed reports whether the request was sent again, with the same idempotency key.
	Replayed bool
}

// Error returns a text without the act.
func (e *Error) Error() string { return asset.ErrPending.Error() }

// Is reports whether the target is [asset.ErrPending].
func (e *Error) Is(target error) bool { return target == asset.ErrPending }

// DecidedError says how an act was decided. It matches [ErrDecided].
type DecidedError struct {
	State State
}

// Error returns a text with the state.
func (e *DecidedError) Error() string { return fmt.Sprintf("act is already %s", e.State) }

// Is reports whether the target is [ErrDecided].
func (e *DecidedError) Is(target error) bool { return target == ErrDecided }

var (
	_ asset.Brake  = (*Service)(nil)
	_ report.Brake = (*Service)(nil)
	_ lists.Brake  = (*Service)(nil)
)
