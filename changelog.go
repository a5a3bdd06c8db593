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

// Validate returns an [*asset.InputError] that names every invalid field, or nil.
func (q ChangelogQuery) Validate() error {
	_, err := q.filter()
	return err
}

// filter returns the filter of the query without its content.
func (q ChangelogQuery) filter() (asset.ChangeFilter, error) {
	filter := asset.ChangeFilter{Type: q.Type, From: q.FromStatus, To: q.ToStatus}
	period, err := asset.ParseDays(q.StartDate, q.EndDate)

	var issues asset.Issues
	issues.CheckText("content", q.Content)
	if err := asset.JoinInput(err, filter.Validate(), issues.Err()); err != nil {
		return asset.ChangeFilter{}, err
	}
	filter.Period = period
	return filter, nil
}

// Changelog returns the changes that match the query, newest first; see
// [asset.Service.Changes]. The sequence uses bounded memory and holds no resources of the
// store between its reads.
//
// The returned error is that of [ChangelogQuery.Validate]. If the store fails, the sequence
// yields the error and ends.
func (g *Guard) Changelog(ctx context.Context, query ChangelogQuery) (iter.Seq2[asset.Change, error], error) {
	filter, err := query.filter()
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
