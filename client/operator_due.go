package client

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/apguard/apguard/asset"
)

// DueRequest selects decisions that are due for review.
type DueRequest struct {
	// Before selects the decisions whose ReviewAt is not after it. Zero means the present time.
	Before time.Time
	// Limit is the largest number of assets in a page, from 1 to [asset.MaxLimit]. Zero means [asset.DefaultLimit].
	Limit int
}

// DueAsset is an asset with a decision of the operators that is due for review.
type DueAsset struct {
	asset.Asset
	Decision Decision
}

// dueBody is a [DueAsset] in a response.
type dueBody struct {
	assetBody
	Decision Decision `json:"decision"`
}

func (b dueBody) value() DueAsset { return DueAsset{b.assetBody.value(), b.Decision} }

func (b dueBody) validate() error {
	return errors.Join(validateID(b.ID), b.assetBody.validate(), validateDecision(&b.Decision))
}

type duePage struct {
	Assets     []dueBody `json:"assets"`
	NextCursor string    `json:"nextCursor"`
}

func (p *duePage) validate() error {
	return validatePage(p.Assets, dueBody.validate, 0)
}

// Due yields the assets with a decision of the operators that is due for review, earliest first, page by page.
func (o *Operator) Due(ctx context.Context, req DueRequest) iter.Seq2[DueAsset, error] {
	const path = "/asset/due"
	return pages("GET "+path, "", func(cursor string) ([]DueAsset, string, error) {
		query := pageQuery(cursor, req.Limit)
		setTime(query, "before", req.Before)
		page, err := getPage[duePage](ctx, o.sender, path, query)
		return mapped(page.Assets, dueBody.value), page.NextCursor, err
	})
}
