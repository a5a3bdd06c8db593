package client

import (
	"time"

	"github.com/apguard/apguard/asset"
)

// assetBody is an [asset.Asset] in a response.
type assetBody struct {
	// ID is null for an asset that does not exist.
	ID   int64      `json:"id"`
	Type asset.Type `json:"type"`
	// Content is the canonical form.
	Content string       `json:"content"`
	Status  asset.Status `json:"status"`
}

func (b assetBody) value() asset.Asset {
	return asset.Asset{ID: b.ID, Identity: asset.Identity{Type: b.Type, Canonical: b.Content}, Status: b.Status}
}

// validate returns an error unless b is an asset, which may not exist.
func (b assetBody) validate() error { return validateAsset(b.value()) }

// validateAsset returns an error unless a is an asset, which may not exist.
func validateAsset(a asset.Asset) error {
	if a.Type == "" || a.Canonical == "" || !a.Status.Valid() {
		return responseError("an asset is incomplete")
	}
	return nil
}

// Decision is the status that the operators hold on an asset; see [asset.Decision].
type Decision struct {
	Status asset.Status `json:"status"`
	Reason asset.Reason `json:"reason,omitzero"`
	Note   string       `json:"note,omitzero"`
	// Reference names the record behind the decision, such as "report/12". It may be empty.
	Reference string `json:"reference,omitzero"`
	// Actor is who decided. It is zero if that is unknown.
	Actor NamedUser `json:"actor"`
	Since time.Time `json:"since"`
	// ExpiresAt is when the decision ends, and ReviewAt when operators want to look at it again. Each is zero for
	// never.
	ExpiresAt time.Time `json:"expiresAt,omitzero"`
	ReviewAt  time.Time `json:"reviewAt,omitzero"`
}

func validateDecision(d *Decision) error {
	if d != nil && (!d.Status.Valid() || d.Since.IsZero()) {
		return responseError("a decision is incomplete")
	}
	return nil
}

// Exceptions are the assets that stay ALLOWED below an asset that is BLOCKED, such as a subdomain.
type Exceptions struct {
	// Assets are the first ones, in the order of their IDs.
	Assets []asset.Asset
	// More reports whether there may be more.
	More bool
}

// exceptionsBody is [Exceptions] in a response.
type exceptionsBody struct {
	Exceptions     []assetBody `json:"exceptions"`
	MoreExceptions bool        `json:"moreExceptions"`
}

func (b exceptionsBody) value() Exceptions {
	return Exceptions{mapped(b.Exceptions, assetBody.value), b.MoreExceptions}
}

func (b exceptionsBody) validate() error { return validateAll(b.Exceptions, assetBody.validate) }
