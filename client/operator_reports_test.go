package client_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/client"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/report"
)

func TestOperator_reports(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	o := newOrigin(t, httpapi.Options{}, nil)
	op := o.operator(t)
	filed, err := o.client(t, acmeKey).CreateReport(ctx, client.ReportRequest{Title: "Fake shop", Proposals: []client.ProposalRequest{
		{Content: "HTTPS://github.io", ProposedStatus: asset.StatusBlocked}, {Content: "other.dev", ProposedStatus: asset.StatusBlocked},
	}})
	require.NoError(t, err)
	backlog, err := op.ReportBacklog(ctx, 1)
	require.NoError(t, err)
	require.Equal(t, 2, backlog.Todo+backlog.InProgress)
	got, err := op.Report(ctx, filed.ID)
	require.NoError(t, err)
	require.Equal(t, "HTTPS://github.io", got.Proposals[0].Content)
	require.Equal(t, report.Reporter{ID: 1, FullName: "Ada Lovelace", Email: "ada@acme.test"}, got.Reporter)

	request := client.ReviewRequest{ProposalID: got.Proposals[0].ID, Status: report.ReviewApprove, Comment: "It is"}
	_, err = op.ReviewProposal(ctx, request)
	require.ErrorIs(t, err, asset.ErrProtected)
	request.ConfirmProtected, request.IdempotencyKey = true, "k"
	reviewed, err := op.ReviewProposal(ctx, request)
	require.NoError(t, err)
	proposal := reviewed.Proposals[0]
	require.Equal(t, asset.StatusBlocked, proposal.Asset.Status)
	require.Equal(t, ada, proposal.ReviewedBy)
	again, err := op.ReviewProposal(ctx, request)
	require.NoError(t, err)
	require.True(t, again.Replayed)
	request.IdempotencyKey = ""
	_, err = op.ReviewProposal(ctx, request)
	require.ErrorIs(t, err, asset.ErrChanged, "a review is in effect")
	request.IfReview, request.Status = proposal.ReviewID, report.ReviewReject
	rejected, err := op.ReviewProposal(ctx, request)
	require.NoError(t, err)

	_, err = op.WithdrawReview(ctx, client.WithdrawReviewRequest{ReviewID: rejected.Proposals[0].ReviewID, IfReview: proposal.ReviewID})
	require.ErrorIs(t, err, asset.ErrChanged, "another review is in effect")
	_, err = op.WithdrawReview(ctx, client.WithdrawReviewRequest{ReviewID: proposal.ReviewID})
	require.ErrorIs(t, err, asset.ErrChanged, "it is not in effect")
	withdrawn, err := op.WithdrawReview(ctx, client.WithdrawReviewRequest{ReviewID: rejected.Proposals[0].ReviewID, Reason: "a mistake"})
	require.NoError(t, err)
	require.Equal(t, proposal.ReviewID, withdrawn.Proposals[0].ReviewID)
	reviews, err := op.Reviews(ctx, proposal.ID)
	require.NoError(t, err)
	i := slices.IndexFunc(reviews, func(r client.Review) bool { return !r.WithdrawnAt.IsZero() })
	require.Equal(t, client.Review{
		ID: rejected.Proposals[0].ReviewID, ProposalID: proposal.ID, Status: report.ReviewReject, ReviewedBy: ada, ReviewedAt: reviews[i].ReviewedAt,
		Comment: "It is", WithdrawnAt: reviews[i].WithdrawnAt, WithdrawnBy: ada, WithdrawnReason: "a mistake",
	}, reviews[i])
	escalated, err := op.EscalateReport(ctx, client.EscalateRequest{ID: filed.ID, Comment: "Needs a lawyer"})
	require.NoError(t, err)
	require.Equal(t, report.StatusInProgress, escalated.Status)

	selected := client.OperatorReportsRequest{OrganizationID: 1, OldestFirst: true}
	selected.Limit, selected.SearchQuery = 1, "GitHub"
	require.Equal(t, []client.OperatorReport{escalated.OperatorReport}, all(t, op.Reports(ctx, selected)))
	require.Len(t, all(t, op.Reports(ctx, client.OperatorReportsRequest{})), 3)
	_, err = op.Report(ctx, 12345)
	require.ErrorIs(t, err, client.ErrNotFound)
}
