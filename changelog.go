package apguard

import (
	"context"
	"iter"
	"strings"

	"github.com/apguard/apguard/asset"
)

// ChangelogQuery chooses changes as the specification's "Asset changelog" does.
// The zero value of a field means any.
type ChangelogQuery struct {
	Type asset.Type
	// Content names one asset, in whatever way it is written. Content that no
	// rule recognizes chooses nothing; blank content means any.
	Content    string
	FromStatus asset.Status
	ToStatus   asset.Status
	// StartDate and EndDate are whole days in UTC, YYYY-MM-DD, both included.
	StartDate string
	EndDate   string
}

// Changelog returns every change that the query chooses, newest first, as
// [asset.Service.Changes] yields them: in bounded memory, and without holding
// anything of the store while the caller is busy.
//
// The error is an [*asset.InputError]; what goes wrong later is yielded.
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
			return func(func(asset.Change, error) bool) {}, nil //nolint:nilerr // no asset has a change then
		}
	}
	return g.Assets.Changes(ctx, filter), nil
}
