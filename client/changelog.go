package client

import (
	"context"
	"iter"

	"github.com/apguard/apguard/asset"
)

// validateStatusChange returns an error unless c is a change in the changelog or the feed.
func validateStatusChange(c asset.Change) error {
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

// Changelog yields the changes, newest first, while they arrive. Their ID, Origin and Basis are zero. An error ends the
// sequence. A sequence that has begun is not repeated if the connection breaks off.
func (c *Client) Changelog(ctx context.Context, req ChangelogRequest) iter.Seq2[asset.Change, error] {
	return func(yield func(asset.Change, error) bool) {
		call, err := post("/asset/changelog", req)
		var opened *response
		call.receive = receiveStream(&opened, "application/json")
		if err == nil {
			err = c.send(ctx, call)
		}
		if err != nil {
			yield(asset.Change{}, err)
			return
		}
		streamed(opened, arrayItems[asset.Change](opened.body, "changelog"), validateStatusChange)(yield)
	}
}
