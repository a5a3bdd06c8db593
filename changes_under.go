package apguard

import (
	"context"

	"github.com/apguard/apguard/asset"
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
// the subdomains of a domain, or other forms of the same text, newest first. The error is an
// [*asset.InputError] if the request is invalid.
//
// It looks at the assets of the same site (see [classify.Site]), and at no more than 10,000 of them.
func (g *Guard) ChangesUnder(ctx context.Context, req UnderRequest) (ChangesUnder, error) {
	list := asset.ListChangesRequest{Assets: []int64{}, Cursor: req.Cursor, Limit: req.Limit}
	if err := list.Validate(); err != nil {
		return ChangesUnder{}, err
	}
	near, more, err := g.near(ctx, req.Identity)
	if err != nil {
		return ChangesUnder{}, err
	}
	result := ChangesUnder{Partial: more}
	for _, a := range near {
		if a.Identity == req.Identity || covers(req.Identity, a.Identity, 0) {
			list.Assets = append(list.Assets, a.ID)
		}
	}
	if len(list.Assets) > 0 {
		result.ChangePage, err = g.Assets.ListChanges(ctx, list)
	}
	return result, err
}
