package httpapi

import (
	"context"
	"iter"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/report"
)

// Service is what an [API] serves. [*apguard.Guard] implements it. A host application
// can wrap it in its own implementation, for example to count, cache or refuse calls.
//
// The methods are called concurrently. The API answers an [*asset.InputError] with 400
// and its issues. It recognizes the errors that the methods of Guard return. An error that
// matches asset.ErrUnavailable or [context.DeadlineExceeded] is answered with 503, and
// every other error with 500. The context is canceled with the cause
// [context.DeadlineExceeded] when Options.Timeout has passed; an error that matches
// [context.Canceled] is then answered with 503 too. The context is not canceled when the client
// disconnects.
type Service interface {
	// Changelog returns the changes that match the query, newest first. The sequence
	// ends after an error.
	Changelog(ctx context.Context, query apguard.ChangelogQuery) (iter.Seq2[asset.Change, error], error)
	// Check returns the status of a content and where it comes from.
	Check(ctx context.Context, content string) (check.Verdict, error)
	// CheckBatch checks several contents. It returns one result for each, in order.
	CheckBatch(ctx context.Context, contents []string) ([]check.Result, error)
	// ListAssets returns a page of assets, ordered by ID, and AllAssets yields all that match
	// the filter. The sequence ends after an error.
	ListAssets(ctx context.Context, req asset.ListRequest) (asset.ListPage, error)
	AllAssets(ctx context.Context, filter asset.Filter) iter.Seq2[asset.Listed, error]
	// FeedState describes the feed. It changes with each change of a status, and assets that
	// are read afterwards have all changes up to its Last.
	FeedState(ctx context.Context) (asset.Feed, error)
	// CreateDispute creates a dispute, or repeats the answer to an earlier call with the
	// same idempotency key.
	CreateDispute(ctx context.Context, req dispute.CreateRequest) (dispute.Created, error)
	// AddToAllowlist adds assets to an organization's allowlist, or repeats the answer to
	// an earlier call with the same idempotency key. It returns one result for each item,
	// in order. A dry run stores nothing.
	AddToAllowlist(ctx context.Context, req allowlist.AddRequest) (allowlist.Added, error)
	// RemoveFromAllowlist removes assets from an organization's allowlist. It returns one
	// result for each ID, in order.
	RemoveFromAllowlist(ctx context.Context, req allowlist.RemoveRequest) ([]allowlist.RemoveResult, error)
	// ListReports returns a page of reports.
	ListReports(ctx context.Context, req report.ListRequest) (report.Page, error)
}
