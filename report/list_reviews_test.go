package report_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
)

func TestReviewService_List(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	proposal := f.file(t, acme, "https://a.example").Proposals[0]
	for _, more := range []int{999, 1, 1} {
		for range more {
			f.review(t, proposal, skip)
		}
		kept, err := f.reviews.List(t.Context(), report.InOrganization(acme), proposal.ID)
		require.NoError(t, err)
		for i, review := range kept {
			require.EqualValues(t, i+1, review.ID)
		}
	}
	kept, err := f.reviews.List(t.Context(), report.InOrganization(acme), proposal.ID)
	require.NoError(t, err)
	require.Len(t, kept, 1001)
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
