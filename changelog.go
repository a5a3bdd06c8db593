package apguard

import (
	"context"
	"iter"
	"strings"

	"github.com/apguard/apguard/asset"
)

// ChangelogQuery has the filters of the specification's "Asset changelog". A change
// must match all of them. A zero field matches every change.
type ChangelogQuery struct {
	Type asset.Type
	// Content is an asset in any spelling. Content that is not recognized matches no
	// change. Blank content matches every change.
	Content    string
	FromStatus asset.Status
	ToStatus   asset.Status
	// StartDate and EndDate are UTC days in the format YYYY-MM-DD, both included.
	StartDate string
	EndDate   string
}

// Changelog returns the changes that match the query, newest first; see
// [asset.Service.Changes]. The sequence uses bounded memory and holds no resources of the
// store between its reads.
//
// The returned error is an [*asset.InputError] if the query is invalid, and nil
// otherwise. If the store fails, the sequence yields the error and ends.
func (g *Guard) Changelog(ctx context.Context, query ChangelogQuery) (iter.Seq2[asset.Change, error], error) {
	filter := asset.ChangeFilter{Type: query.Type, From: query.FromStatus, To: query.ToStatus}
	period, err := asset.ParseDays(query.StartDate, query.EndDate)

	var issues asset.Issues
	issues.CheckText("content", query.Content)
	if err := asset.JoinInput(err, filter.Validate(), issues.Err()); err != nil {
		return nil, err
	}
	filter.Period = period
	if strings.TrimSpace(query.Content) != "" {
		if filter.Identity, err = identify(query.Content); err != nil {
			return func(func(asset.Change, error) bool) {}, nil //nolint:nilerr // there is no such asset
		}
	}
	return g.Assets.Changes(ctx, filter), nil
}
