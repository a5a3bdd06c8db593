package client

import (
	"context"
	"iter"
	"time"

	"github.com/apguard/apguard/asset"
)

// Change is a change of the status of an asset. In the feed, it may be one of the basis of the status alone,
// whose From equals its To.
type Change struct {
	AssetID int64      `json:"assetId"`
	Type    asset.Type `json:"type"`
	// Content is the canonical form of the asset.
	Content string       `json:"content"`
	From    asset.Status `json:"fromStatus"`
	To      asset.Status `json:"toStatus"`
	// At is in UTC and has whole milliseconds.
	At time.Time `json:"updatedAt"`
	// Basis is that of To. It has no ListID. In the changelog, it is zero.
	asset.Basis
}

// Known returns the asset as it is after the change.
func (c Change) Known() asset.Known {
	return asset.Known{Asset: asset.Asset{ID: c.AssetID, Identity: c.Identity(), Status: c.To}, Basis: c.Basis}
}

// Identity returns the identity of the changed asset.
func (c Change) Identity() asset.Identity {
	return asset.Identity{Type: c.Type, Canonical: c.Content}
}

func (c *Change) validate() error {
	if !asset.ValidID(c.AssetID) || c.Type == "" || c.Content == "" || !c.From.Valid() || !c.To.Valid() {
		return responseError("a change is incomplete")
	}
	return nil
}

// ChangelogRequest selects changes. A change must match all fields that are set.
type ChangelogRequest struct {
	Type asset.Type `json:"type,omitzero"`
	// Content is the asset, in any spelling. Content that is not recognized matches no change.
	Content string       `json:"content,omitzero"`
	From    asset.Status `json:"fromStatus,omitzero"`
	To      asset.Status `json:"toStatus,omitzero"`
	// StartDate and EndDate are the first and the last day in UTC, such as "2025-01-05".
	StartDate string `json:"startDate,omitzero"`
	EndDate   string `json:"endDate,omitzero"`
}

// Changelog yields the changes, newest first, while they arrive. An error ends the sequence. A sequence
// that has begun is not repeated if the connection breaks off.
func (c *Client) Changelog(ctx context.Context, req ChangelogRequest) iter.Seq2[Change, error] {
	return func(yield func(Change, error) bool) {
		call, err := post("/asset/changelog", req)
		var opened *response
		call.receive = receiveStream(&opened, "application/json")
		if err == nil {
			err = c.send(ctx, call)
		}
		if err != nil {
			yield(Change{}, err)
			return
		}
		streamed(opened, arrayItems[Change](opened.body, "changelog"))(yield)
	}
}
