package client

import (
	"context"
	"errors"
	"time"

	"github.com/apguard/apguard/asset"
)

// SetStatusRequest makes a status the operators' decision on an asset; see [asset.Service.SetStatus].
type SetStatusRequest struct {
	// Content is the asset, in any spelling.
	Content string       `json:"content"`
	Status  asset.Status `json:"status"`
	// Reason and Note say why, for everybody who may see the status.
	Reason asset.Reason `json:"reason,omitzero"`
	Note   string       `json:"note,omitzero"`
	// Reference names the record behind the decision, for operators.
	Reference string `json:"reference,omitzero"`
	// ExpiresAt is when the decision ends, and ReviewAt when operators want to look at it again. Each is in the
	// future, or zero for never, and ReviewAt is before ExpiresAt.
	ExpiresAt time.Time `json:"expiresAt,omitzero"`
	ReviewAt  time.Time `json:"reviewAt,omitzero"`
	// ConfirmProtected confirms that a protected asset is to be BLOCKED; see [asset.Protection].
	ConfirmProtected bool `json:"confirmProtected,omitzero"`
	// IfStatus, unless empty, is the status that the caller saw. If the asset has another one, nothing is stored.
	IfStatus asset.Status `json:"ifStatus,omitzero"`
	// IdempotencyKey has 1 to 255 visible ASCII characters. If it is empty, the call has a key of its own.
	IdempotencyKey string `json:"-"`
}

// UpdatedAsset is an asset after the operators have decided.
type UpdatedAsset struct {
	// Asset is the asset with its new status.
	asset.Asset
	// Decision is what the operators hold on the asset now, and Previous what they held before. Each is nil for
	// nothing. They are equal if nothing was stored.
	Decision, Previous *Decision
	// Exceptions are those that stay ALLOWED below the asset, if it was BLOCKED.
	Exceptions Exceptions
	// Replayed reports whether the request was executed before, with the same key. The decisions are as they were then.
	Replayed bool
}

type updatedAsset struct {
	assetBody
	Decision *Decision `json:"decision"`
	Previous *Decision `json:"previous"`
	exceptionsBody
	replayed bool
}

func (u *updatedAsset) validate() error {
	return errors.Join(
		validateID(u.ID), u.assetBody.validate(), validateDecision(u.Decision), validateDecision(u.Previous), u.exceptionsBody.validate(),
	)
}

// SetStatus makes a status the operators' decision on an asset. The error matches [asset.ErrProtected] if the
// request blocks a protected asset without confirming it, and [asset.ErrChanged] if the asset does not have the status
// IfStatus.
func (o *Operator) SetStatus(ctx context.Context, req SetStatusRequest) (UpdatedAsset, error) {
	return o.updateAsset(ctx, "/asset/setStatus", req.IdempotencyKey, req)
}

// WithdrawRequest takes back what the operators hold on an asset.
type WithdrawRequest struct {
	// Content is the asset, in any spelling.
	Content string `json:"content"`
	// Reference, IfStatus and IdempotencyKey are as in [SetStatusRequest].
	Reference      string       `json:"reference,omitzero"`
	IfStatus       asset.Status `json:"ifStatus,omitzero"`
	IdempotencyKey string       `json:"-"`
}

// Withdraw takes back what the operators hold on an asset. What else is held on it then gives it its status. The error
// matches [asset.ErrNoDecision] if they hold nothing, and [asset.ErrChanged] if the asset does not have the status
// IfStatus.
func (o *Operator) Withdraw(ctx context.Context, req WithdrawRequest) (UpdatedAsset, error) {
	return o.updateAsset(ctx, "/asset/withdraw", req.IdempotencyKey, req)
}

func (o *Operator) updateAsset(ctx context.Context, path, key string, body any) (UpdatedAsset, error) {
	answer, err := update(ctx, o, path, key, body, func(r *response) updatedAsset { return updatedAsset{replayed: isReplay(r)} })
	if err != nil {
		return UpdatedAsset{}, err
	}
	return UpdatedAsset{
		Asset: answer.assetBody.value(), Decision: answer.Decision, Previous: answer.Previous,
		Exceptions: answer.exceptionsBody.value(), Replayed: answer.replayed,
	}, nil
}
