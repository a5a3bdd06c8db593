package client

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/pending"
)

// Act is what an operator has asked for and another one must approve; see package pending.
type Act struct {
	// ID is 0 in a dry run.
	ID    int64         `json:"id"`
	Kind  pending.Kind  `json:"kind"`
	State pending.State `json:"state"`
	// Assets are those that the act blocks.
	Assets []ActAsset `json:"assets"`
	// Review is the review that blocks the asset, and List the list that is synced or removed. Each is nil for another
	// kind.
	Review *ActReview `json:"review"`
	List   *ActList   `json:"list"`
	// Reason, Note, Reference and ReviewAt are those of the decision.
	Reason    asset.Reason `json:"reason"`
	Note      string       `json:"note"`
	Reference string       `json:"reference"`
	ReviewAt  time.Time    `json:"reviewAt"`
	// Actor is who has asked for the act. It expires at ExpiresAt.
	Actor     NamedUser `json:"actor"`
	CreatedAt time.Time `json:"createdAt"`
	ExpiresAt time.Time `json:"expiresAt"`
	// DecidedBy, DecidedAt and Comment are zero until the act is approved or rejected.
	DecidedBy NamedUser `json:"decidedBy"`
	DecidedAt time.Time `json:"decidedAt"`
	Comment   string    `json:"comment"`
}

// ActAsset is a protected asset that an act blocks.
type ActAsset struct {
	Type asset.Type `json:"type"`
	// Content is the canonical form.
	Content string `json:"content"`
	// From is the status when the act was asked for, and To that after it.
	From asset.Status `json:"fromStatus"`
	To   asset.Status `json:"toStatus"`
	// ExpiresAt is when the decision ends, or zero for never.
	ExpiresAt  time.Time        `json:"expiresAt"`
	Protection asset.Protection `json:"protection"`
}

// ActReview is the review of an act.
type ActReview struct {
	ProposalID int64  `json:"proposalId"`
	Comment    string `json:"comment"`
}

// ActList is the list of an act. Added, Withdrawn and Kept count its entries.
type ActList struct {
	ID        int64  `json:"id"`
	Name      string `json:"name"`
	Added     int    `json:"added"`
	Withdrawn int    `json:"withdrawn"`
	Kept      int    `json:"kept"`
}

// pendingAct is the response to a request that became an act.
type pendingAct struct {
	Pending *Act `json:"pending"`
}

func (p *pendingAct) validate() error {
	if p.Pending == nil {
		return responseError("it has no act")
	}
	return validateAct(*p.Pending)
}

func validateAct(a Act) error {
	if a.Kind == "" || !a.State.Valid() || a.CreatedAt.IsZero() || a.ExpiresAt.IsZero() {
		return responseError("an act is incomplete")
	}
	for _, one := range a.Assets {
		if err := errors.Join(validateStatus(one.From), validateStatus(one.To)); err != nil {
			return err
		}
	}
	return nil
}

// ActsRequest selects acts.
type ActsRequest struct {
	// State is the state of the acts. Empty means [pending.StatePending].
	State pending.State
	// Limit is the largest number of acts in a page, from 1 to 100. Zero means 50.
	Limit int
}

type actsPage struct {
	Acts       []Act `json:"acts"`
	NextCursor int64 `json:"nextCursor"`
}

func (p *actsPage) validate() error { return validatePage(p.Acts, validateAct, p.NextCursor) }

// Acts yields acts that wait for a second operator, or have a state, oldest first, page by page.
func (o *Operator) Acts(ctx context.Context, req ActsRequest) iter.Seq2[Act, error] {
	const path = "/pending/list"
	return pages("GET "+path, 0, func(cursor int64) ([]Act, int64, error) {
		query := pageQuery(cursor, req.Limit)
		setText(query, "state", req.State)
		page, err := getPage[actsPage](ctx, o.sender, path, query)
		return page.Acts, page.NextCursor, err
	})
}

// DecideActRequest decides an act.
type DecideActRequest struct {
	ID int64 `json:"id"`
	// Comment may be empty.
	Comment string `json:"comment,omitzero"`
	// IdempotencyKey has 1 to 255 visible ASCII characters. If it is empty, the call has a key of its own.
	IdempotencyKey string `json:"-"`
}

// DecidedAct is an act that was approved or rejected.
type DecidedAct struct {
	Act
	// Replayed reports whether the request was executed before, with the same key.
	Replayed bool
}

type decidedAct struct {
	Pending  Act `json:"pending"`
	replayed bool
}

func (d *decidedAct) validate() error {
	return errors.Join(validateID(d.Pending.ID), validateAct(d.Pending))
}

// ApproveAct approves and executes what another operator has asked for. The error matches [ErrNotFound] if there is no
// such act, [pending.ErrEffectChanged] if it would do something else than it says, and otherwise [ErrConflict] if it is
// decided, has expired, or is that of the caller.
func (o *Operator) ApproveAct(ctx context.Context, req DecideActRequest) (DecidedAct, error) {
	return o.decideAct(ctx, "/pending/approve", req)
}

// RejectAct rejects an act, so that it is never executed. The errors are those of [Operator.ApproveAct].
func (o *Operator) RejectAct(ctx context.Context, req DecideActRequest) (DecidedAct, error) {
	return o.decideAct(ctx, "/pending/reject", req)
}

func (o *Operator) decideAct(ctx context.Context, path string, req DecideActRequest) (DecidedAct, error) {
	answer, err := update(ctx, o, path, req.IdempotencyKey, req, func(r *response) decidedAct { return decidedAct{replayed: isReplay(r)} })
	return DecidedAct{answer.Pending, answer.replayed}, err
}
