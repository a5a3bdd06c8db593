package client

import (
	"context"
	"iter"
	"net/url"
	"time"

	"github.com/apguard/apguard/asset"
)

// Asset is an asset in a list.
type Asset struct {
	// Listed has no ListID.
	asset.Listed
	// Content is the asset as it is shown.
	Content string `json:"content"`
}

func validateListed(a Asset) error {
	if err := validateID(a.ID); err != nil {
		return err
	}
	return validateAsset(a.Asset)
}

// AssetsRequest asks for a page of assets. An asset must match all filters that are set.
type AssetsRequest struct {
	Status asset.Status
	Type   asset.Type
	// Prefix is the beginning of the canonical form.
	Prefix string
	// ChangedSince selects assets with an UpdatedAt at or after this time.
	ChangedSince time.Time
	// Cursor is the NextCursor of the previous page, or 0 for the first page.
	Cursor int64
	// Limit is the largest number of assets in a page, from 1 to 10,000. Zero means 1,000.
	Limit int
}

// AssetsPage is a page of assets, ordered by ID.
type AssetsPage struct {
	Assets []Asset `json:"assets"`
	// NextCursor continues the list. It is 0 on the last page.
	NextCursor int64 `json:"nextCursor,string"`
}

func (p *AssetsPage) validate() error {
	return validatePage(p.Assets, validateListed, p.NextCursor)
}

// validateCursor returns an error unless the cursor is 0 or that of a next page.
func validateCursor(cursor int64) error {
	if cursor < 0 {
		return responseError("invalid cursor")
	}
	return nil
}

const assetsPath = "/asset/list"

// ListAssets returns a page of assets.
func (c *Client) ListAssets(ctx context.Context, req AssetsRequest) (AssetsPage, error) {
	query := make(url.Values)
	setText(query, "status", req.Status)
	setText(query, "type", req.Type)
	setText(query, "prefix", req.Prefix)
	setTime(query, "changedSince", req.ChangedSince)
	setNumber(query, "cursor", req.Cursor)
	setNumber(query, "limit", int64(req.Limit))
	return getPage[AssetsPage](ctx, c.sender, assetsPath, query)
}

// getPage returns the response of a GET request.
func getPage[T any, P item[T]](ctx context.Context, s *sender, path string, query url.Values) (T, error) {
	return fetch[T, P](ctx, s, get(path, query), func(*response) (page T) { return page })
}

// Assets yields all assets from req.Cursor on, page by page. [Client.Export] is faster for all assets.
func (c *Client) Assets(ctx context.Context, req AssetsRequest) iter.Seq2[Asset, error] {
	return pages("GET "+assetsPath, req.Cursor, func(cursor int64) ([]Asset, int64, error) {
		req.Cursor = cursor
		page, err := c.ListAssets(ctx, req)
		return page.Assets, page.NextCursor, err
	})
}
