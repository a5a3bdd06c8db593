package apguard

import (
	"context"
	"slices"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

// UnderRequest is the request of [Guard.ChangesUnder].
type UnderRequest struct {
	// Identity is that of an asset, such as a domain. The asset need not exist.
	Identity asset.Identity
	// Cursor and Limit are those of [asset.ListChangesRequest].
	Cursor asset.ChangeCursor
	Limit  int
}

// ChangesUnder is the result of [Guard.ChangesUnder].
type ChangesUnder struct {
	asset.ChangePage
	// Partial says that changes may be missing, because there are too many assets.
	Partial bool
}

// ChangesUnder returns a page of the changes of an asset and of all that it covers, such as the URLs and
// the subdomains of a domain, or other forms of the same text, newest first. The error is an [*asset.InputError] if the request is
// invalid.
//
// It looks at the assets of the same site (see [classify.Site]), and at no more than 10,000 of them.
func (g *Guard) ChangesUnder(ctx context.Context, req UnderRequest) (ChangesUnder, error) {
	list := asset.ListChangesRequest{Assets: []int64{}, Cursor: req.Cursor, Limit: req.Limit}
	if err := list.Validate(); err != nil {
		return ChangesUnder{}, err
	}
	near, err := g.store.SiteAssets(ctx, req.Identity, maxExaminedSite+1)
	if err != nil {
		return ChangesUnder{}, err
	}
	result := ChangesUnder{Partial: len(near) > maxExaminedSite}
	for _, a := range near {
		if a.Identity == req.Identity || isCovered(req.Identity, a.Identity) {
			list.Assets = append(list.Assets, a.ID)
		}
	}
	if len(list.Assets) > 0 {
		result.ChangePage, err = g.Assets.ListChanges(ctx, list)
	}
	return result, err
}

// isCovered reports whether the asset covers another one.
func isCovered(identity, other asset.Identity) bool {
	return slices.ContainsFunc(classify.Covering(other), func(cover classify.Cover) bool {
		return cover.Identity == identity && cover.Effect != classify.CoverWithholds
	})
}
