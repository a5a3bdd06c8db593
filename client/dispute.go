package client

import (
	"context"

	"github.com/apguard/apguard/asset"
)

// DisputeRequest disputes the status of a blocked asset.
type DisputeRequest struct {
	// Content is the asset, in any spelling.
	Content string `json:"content"`
	// Email is the contact address. If it is empty, the address of the key's user is used.
	Email string `json:"email,omitzero"`
	// Description is the reason.
	Description string `json:"description,omitzero"`
	// IdempotencyKey has 1 to 255 visible ASCII characters. If it is empty, the call has a key of its
	// own.
	IdempotencyKey string `json:"-"`
}

// Dispute is a new dispute.
type Dispute struct {
	ID int64 `json:"id,string"`
	// Content is the content as submitted.
	Content string `json:"content"`
	// Message says that only an external list blocks the asset. It is empty otherwise.
	Message string `json:"message"`
	// Replayed reports whether the request was executed before, with the same key.
	Replayed bool `json:"-"`
}

func (d *Dispute) validate() error {
	if !asset.ValidID(d.ID) {
		return responseError("the dispute has no ID")
	}
	return nil
}

// CreateDispute creates a dispute. The error matches [ErrNotFound] if there is no such asset, and
// [ErrInvalid] if a dispute with the address exists already.
func (c *Client) CreateDispute(ctx context.Context, req DisputeRequest) (Dispute, error) {
	call, err := write("/dispute/create", req.IdempotencyKey, req)
	if err != nil {
		return Dispute{}, err
	}
	return fetch(ctx, c, call, func(r *response) Dispute { return Dispute{Replayed: isReplay(r)} })
}
