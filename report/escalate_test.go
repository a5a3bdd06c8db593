package report_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
)

func TestReviewService_Escalate(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	filed := f.file(t, acme, "https://a.example", "https://b.example", "https://c.example", "https://d.example", "https://e.example")
	f.review(t, filed.Proposals[0], reject)
	f.review(t, filed.Proposals[1], skip)
	f.review(t, filed.Proposals[2], approve)
	f.review(t, filed.Proposals[4], escalate)
	got, err := f.reviews.Escalate(t.Context(), report.EscalateRequest{
		Scope: report.InOrganization(acme), ReportID: filed.ID, Actor: 5, Comment: "too hard",
	})
	require.NoError(t, err)
	require.Equal(t, report.StatusInProgress, got.Status)
	for i, want := range []report.ReviewStatus{reject, escalate, approve, escalate, escalate} {
		require.Equal(t, want, got.Proposals[i].ReviewStatus)
	}
	kept, err := f.reviews.List(t.Context(), report.AnyOrganization(), filed.Proposals[3].ID)
	require.NoError(t, err)
	require.Equal(t, []report.Review{{
		ID: 6, ProposalID: filed.Proposals[3].ID, Status: escalate, ReviewedBy: 5, Comment: "too hard", ReviewedAt: got.UpdatedAt,
	}}, kept)
	kept, err = f.reviews.List(t.Context(), report.AnyOrganization(), filed.Proposals[4].ID)
	require.NoError(t, err)
	require.Len(t, kept, 2, "a proposal can be escalated again")
	require.Equal(t, kept[1].ID, got.Proposals[4].ReviewID)
}

func TestReviewService_Escalate_errors(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	empty, filed := f.file(t, acme), f.file(t, acme, "https://a.example")
	decided := f.review(t, f.file(t, acme, "https://b.example").Proposals[0], reject)
	for reason, c := range map[string]struct {
		req  report.EscalateRequest
		want error
	}{
		"another organization's report": {report.EscalateRequest{Scope: report.InOrganization(globex), ReportID: filed.ID}, report.ErrNotFound},
		"a report that does not exist":  {report.EscalateRequest{Scope: report.AnyOrganization(), ReportID: 99}, report.ErrNotFound},
		"the zero ID":                   {report.EscalateRequest{Scope: report.AnyOrganization()}, report.ErrNotFound},
		"no scope":                      {report.EscalateRequest{ReportID: filed.ID}, asset.ErrInvalid},
		"no proposal":                   {report.EscalateRequest{Scope: report.AnyOrganization(), ReportID: empty.ID}, report.ErrDecided},
		"every proposal is decided":     {report.EscalateRequest{Scope: report.AnyOrganization(), ReportID: decided.ID}, report.ErrDecided},
	} {
		_, err := f.reviews.Escalate(t.Context(), c.req)
		require.ErrorIs(t, err, c.want, reason)
	}
}

func TestEscalateRequest_Validate(t *testing.T) {
	t.Parallel()
	err := report.EscalateRequest{Actor: 1 << 53, Comment: "\xff"}.Validate()
	require.EqualError(t, err, "invalid input: organizationId: must be from 1 to 2^53-1; "+
		"actor: must be a user's id; comment: must be valid UTF-8 without NUL")
	req := report.EscalateRequest{Scope: report.InOrganization(acme), Comment: strings.Repeat("x", report.MaxComment)}
	require.NoError(t, req.Validate())
	req.Comment += "x"
	require.EqualError(t, req.Validate(), "invalid input: comment: must be at most 10000 bytes long")
}
