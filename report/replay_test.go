package report_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/idempotency"
	"github.com/apguard/apguard/report"
)

// A retry gets the report of the first time, whatever has happened since.
func TestReviewService_retry(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ctx, scope := t.Context(), report.InOrganization(acme)
	filed := f.file(t, acme, "https://a.example", "https://b.example")
	proposal := filed.Proposals[0].ID
	key := func(text string) idempotency.Key { return idempotency.Key{Text: text} }
	calls := []func() (report.Updated, error){
		func() (report.Updated, error) {
			return f.reviews.Review(ctx, report.ReviewRequest{
				Scope: scope, ProposalID: proposal, Status: approve, Actor: 5, IfReview: new(int64), Idempotency: key("a"),
			})
		},
		func() (report.Updated, error) {
			return f.reviews.Escalate(ctx, report.EscalateRequest{Scope: scope, ReportID: filed.ID, Actor: 5, Idempotency: key("a")})
		},
		func() (report.Updated, error) {
			return f.reviews.Withdraw(ctx, report.WithdrawRequest{Scope: scope, ReviewID: 1, Actor: 5, Idempotency: key("a")})
		},
	}
	first := make([]report.Updated, len(calls))
	for i, call := range calls {
		var err error
		first[i], err = call()
		require.NoError(t, err)
		require.False(t, first[i].Replayed)
	}
	changes := f.changes(t)
	for i, call := range calls {
		again, err := call()
		require.NoError(t, err)
		require.Equal(t, report.Updated{Report: first[i].Report, Replayed: true}, again)
	}
	require.Equal(t, changes, f.changes(t))
	_, err := f.reviews.Withdraw(ctx, report.WithdrawRequest{Scope: scope, ReviewID: 2, Actor: 5, Idempotency: key("a")})
	require.ErrorIs(t, err, idempotency.ErrReused)
}

func TestReviewService_ifReview(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	proposal := f.file(t, acme, "https://a.example").Proposals[0]
	seen := func(id int64) *int64 { return &id }
	review := func(status report.ReviewStatus, ifReview *int64) error {
		_, err := f.reviews.Review(t.Context(), report.ReviewRequest{
			Scope: report.AnyOrganization(), ProposalID: proposal.ID, Status: status, IfReview: ifReview,
		})
		return err
	}
	withdraw := func(id int64, ifReview *int64) error {
		_, err := f.reviews.Withdraw(t.Context(), report.WithdrawRequest{Scope: report.AnyOrganization(), ReviewID: id, IfReview: ifReview})
		return err
	}
	require.ErrorIs(t, review(approve, seen(1)), asset.ErrChanged, "no review is in effect")
	require.NoError(t, review(approve, seen(0)))
	require.ErrorIs(t, review(reject, seen(0)), asset.ErrChanged)
	require.NoError(t, review(reject, seen(1)))
	require.ErrorIs(t, withdraw(1, seen(1)), asset.ErrChanged, "the rejection is in effect")
	require.NoError(t, withdraw(1, seen(2)), "a review that is not in effect")
	require.NoError(t, withdraw(2, nil), "the caller does not ask")
	require.ErrorIs(t, review(approve, seen(-1)), asset.ErrInvalid)
	require.ErrorIs(t, withdraw(2, seen(-1)), asset.ErrInvalid)
	require.Len(t, f.changes(t), 2, "the approval and its withdrawal")
}
