package client

import (
	"context"
	"encoding/json"
	"net/url"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
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

// CreatedDispute is a new dispute.
type CreatedDispute struct {
	ID int64 `json:"id,string"`
	// Content is the content as submitted.
	Content string `json:"content"`
	// Message says that only an external list blocks the asset. It is empty otherwise.
	Message string `json:"message"`
	// Replayed reports whether the request was executed before, with the same key.
	Replayed bool `json:"-"`
}

func (d *CreatedDispute) validate() error {
	if !asset.ValidID(d.ID) {
		return responseError("the dispute has no ID")
	}
	return nil
}

// CreateDispute creates a dispute. The error matches [ErrNotFound] if there is no such asset, and
// [ErrInvalid] if a dispute with the address exists already.
func (c *Client) CreateDispute(ctx context.Context, req DisputeRequest) (CreatedDispute, error) {
	call, err := write("/dispute/create", req.IdempotencyKey, req)
	if err != nil {
		return CreatedDispute{}, err
	}
	return fetch(ctx, c.sender, call, func(r *response) CreatedDispute { return CreatedDispute{Replayed: isReplay(r)} })
}

// OwnDispute is how a dispute went, for those who created it.
type OwnDispute struct {
	ID int64 `json:"id,string"`
	// Asset is the asset with its present status.
	Asset asset.Asset   `json:"asset"`
	State dispute.State `json:"state"`
	// Reason is the reason of the decision. It is empty unless the dispute is ACCEPTED or REJECTED, and
	// after an erasure.
	Reason    string    `json:"reason"`
	CreatedAt time.Time `json:"createdAt"`
	// ClosedAt is when the dispute was accepted, rejected or withdrawn, or zero.
	ClosedAt time.Time `json:"closedAt"`
}

// UnmarshalJSON implements [json.Unmarshaler].
func (d *OwnDispute) UnmarshalJSON(text []byte) error {
	type plain OwnDispute
	body := struct {
		*plain
		Asset assetBody `json:"asset"`
	}{plain: (*plain)(d)}
	err := json.Unmarshal(text, &body)
	d.Asset = body.Asset.value()
	return err
}

func (d *OwnDispute) validate() error {
	if !asset.ValidID(d.ID) || !asset.ValidID(d.Asset.ID) || d.State == "" {
		return responseError("the dispute is incomplete")
	}
	return validateAsset(d.Asset)
}

// GetDispute returns a dispute that the organization or the user of the key has created. The error
// matches [ErrNotFound] if there is no such dispute, or if others have created it.
func (c *Client) GetDispute(ctx context.Context, id int64) (OwnDispute, error) {
	query := make(url.Values)
	setNumber(query, "id", id)
	return fetch(ctx, c.sender, get("/dispute/get", query), func(*response) OwnDispute { return OwnDispute{} })
}
