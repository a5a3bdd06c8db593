package observe

import (
	"context"

	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/step"
)

// FileReport implements [storage.Store].
func (s observedStore) FileReport(ctx context.Context, cmd report.FileCommand) (report.Report, error) {
	return call(ctx, s, "report.file", s.Store.FileReport, cmd)
}

// ReportByID implements [storage.Store].
func (s observedStore) ReportByID(ctx context.Context, scope report.Scope, id int64) (report.Report, error) {
	return get(ctx, s, "report.get", func(ctx context.Context) (report.Report, error) {
		return s.Store.ReportByID(ctx, scope, id)
	})
}

// Proposal implements [storage.Store].
func (s observedStore) Proposal(ctx context.Context, scope report.Scope, id int64) (report.Proposal, error) {
	return get(ctx, s, "report.get_proposal", func(ctx context.Context) (report.Proposal, error) {
		return s.Store.Proposal(ctx, scope, id)
	})
}

// Reports implements [storage.Store].
func (s observedStore) Reports(ctx context.Context, req report.ListRequest) (report.Page, error) {
	return call(ctx, s, "report.list", s.Store.Reports, req)
}

// AddReviews implements [storage.Store].
func (s observedStore) AddReviews(ctx context.Context, cmd report.ReviewCommand) (report.Report, error) {
	return change(ctx, s, "report.review", s.Store.AddReviews, cmd)
}

// WithdrawReview implements [storage.Store].
func (s observedStore) WithdrawReview(ctx context.Context, cmd report.WithdrawCommand) (report.Report, error) {
	return change(ctx, s, "report.withdraw_review", s.Store.WithdrawReview, cmd)
}

// Reviews implements [storage.Store].
func (s observedStore) Reviews(ctx context.Context, scope report.Scope, proposalID, after int64, limit int) (step.Page[report.Review], error) {
	return get(ctx, s, "report.list_reviews", func(ctx context.Context) (step.Page[report.Review], error) {
		return s.Store.Reviews(ctx, scope, proposalID, after, limit)
	})
}

// ReportBacklog implements [storage.Store].
func (s observedStore) ReportBacklog(ctx context.Context, scope report.Scope) (report.Backlog, error) {
	return call(ctx, s, "report.backlog", s.Store.ReportBacklog, scope)
}

// PruneReports implements [storage.Store].
func (s observedStore) PruneReports(ctx context.Context, cmd report.PruneCommand) (step.Pruned[int64], error) {
	return call(ctx, s, "report.prune", s.Store.PruneReports, cmd)
}
