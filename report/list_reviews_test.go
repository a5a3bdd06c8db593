package report_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
)

func TestReviewService_List(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	proposal := f.file(t, acme, "https://a.example").Proposals[0]
	text := strings.Repeat("x", report.MaxComment)
	for range report.MaxTotalReviewBytes / report.MaxComment {
		_, err := f.reviews.Review(t.Context(), report.ReviewRequest{Scope: report.AnyOrganization(), ProposalID: proposal.ID, Status: reject, Comment: text})
		require.NoError(t, err)
	}
	for n := report.MaxTotalReviewBytes / report.MaxComment; n < report.MaxReviews; n++ {
		f.review(t, proposal, reject)
	}
	kept, err := f.reviews.List(t.Context(), report.InOrganization(acme), proposal.ID)
	require.NoError(t, err)
	require.Len(t, kept, report.MaxReviews, "several pages, because of their bytes")
	for i, review := range kept {
		require.EqualValues(t, i+1, review.ID)
	}
	_, err = f.reviews.Review(t.Context(), report.ReviewRequest{Scope: report.AnyOrganization(), ProposalID: proposal.ID, Status: reject})
	require.ErrorIs(t, err, report.ErrTooManyReviews)
}

func TestReviewService_List_errors(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	proposal := f.file(t, acme, "https://a.example").Proposals[0].ID
	_, err := f.reviews.List(t.Context(), report.InOrganization(globex), proposal)
	require.ErrorIs(t, err, report.ErrProposalNotFound)
	_, err = f.reviews.List(t.Context(), report.AnyOrganization(), proposal+1)
	require.ErrorIs(t, err, report.ErrProposalNotFound)
	_, err = f.reviews.List(t.Context(), report.Scope{}, proposal)
	require.ErrorIs(t, err, asset.ErrInvalid)
}
