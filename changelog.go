package apguard

import (
	"context"
	"iter"
	"strings"

	"github.com/apguard/apguard/asset"
)

// Changelog returns the changes that match the query, newest first; see
// [asset.Service.Changes]. The sequence uses bounded memory and holds no resources of the
// store between its reads.
//
// The returned error is that of [asset.ChangelogQuery.Validate]. If the store fails, the sequence
// yields the error and ends.
func (g *Guard) Changelog(ctx context.Context, query asset.ChangelogQuery) (iter.Seq2[asset.Change, error], error) {
	filter, err := query.Filter()
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(query.Content) != "" {
		if filter.Identity, err = identify(query.Content); err != nil {
			return func(func(asset.Change, error) bool) {}, nil //nolint:nilerr // there is no such asset
		}
	}
	return g.Assets.Changes(ctx, filter), nil
}
