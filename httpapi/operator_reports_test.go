package httpapi_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage"
)

// reportIDs returns the IDs of a page and of their organizations.
func reportIDs(t *testing.T, got response) (ids, organizations []int64) {
	t.Helper()
	require.Equal(t, http.StatusOK, got.Status, got.Body)
	var page struct {
		Reports []struct {
			ID           int64
			Organization struct{ ID int64 }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(got.Body), &page))
	for _, r := range page.Reports {
		ids, organizations = append(ids, r.ID), append(organizations, r.Organization.ID)
	}
	return ids, organizations
}

func TestOperator_ListReports(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	for reason, c := range map[string]struct {
		query string
		want  []int64
	}{
		"all organizations":      {"", []int64{4, 3, 2, 1}},
		"one organization":       {"organizationId=2", []int64{3}},
		"unknown organization":   {"organizationId=9", nil},
		"an asset":               {"content=HTTPS://Bad.example.com", []int64{2, 1}},
		"a filter":               {"status=CLOSED", []int64{1}},
		"a filter and a page":    {"reporterQuery=ada&limit=1&cursor=4", []int64{1}},
		"an organization's page": {"organizationId=1&cursor=4&limit=1", []int64{2}},
		"the oldest first":       {"oldestFirst=true", []int64{1, 2, 3, 4}},
		"the oldest waiting":     {"oldestFirst=true&status=TODO&limit=1", []int64{3}},
		"a page of the oldest":   {"oldestFirst=true&organizationId=1&cursor=1&limit=1", []int64{2}},
	} {
		ids, _ := reportIDs(t, s.read("/report/list?"+c.query))
		require.Equal(t, c.want, ids, reason)
	}
	_, organizations := reportIDs(t, s.read("/report/list"))
	require.Equal(t, []int64{1, 2, 1, 1}, organizations)
	requireInvalid(t, s.read("/report/list?oldestFirst=1"), "oldestFirst: must be true or false")
	requireInvalid(t, s.read("/report/list?organizationId=0&status=DONE&limit=101"),
		"organizationId: must be a whole number from 1 to 2^53-1", "limit: must be from 1 to 100", "status: must be TODO, IN_PROGRESS or CLOSED")
}

func TestOperator_ReportBacklog(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	for query, want := range map[string]string{
		"":                  `{"todo":2,"inProgress":1,"oldestAt":"2025-01-07T00:00:00.000Z"}`,
		"?organizationId=2": `{"todo":1,"inProgress":0,"oldestAt":"2025-01-08T00:00:00.000Z"}`,
		"?organizationId=9": `{"todo":0,"inProgress":0,"oldestAt":null}`,
	} {
		require.JSONEq(t, want, s.read("/report/backlog"+query).Body, query)
	}
	requireInvalid(t, s.read("/report/backlog?organizationId=x"), "organizationId: must be a whole number from 1 to 2^53-1")
}

// A review changes the asset, and its withdrawal changes it back. Both are by the key's user.
func TestOperator_ReviewAndWithdraw(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	got := s.operate("/report/review", `{"proposalId":3,"reviewStatus":"APPROVE","comment":"clean now","ifReview":null}`)
	require.Equal(t, http.StatusOK, got.Status, got.Body)
	stored := strings.TrimSuffix(strings.TrimSpace(s.read("/report/get?id=2").Body), "}")
	require.JSONEq(t, stored+`,"exceptions":[],"moreExceptions":false}`, got.Body, "the reply has the report as it is stored")
	require.Equal(t, asset.StatusAllowed, s.status("https://bad.example.com"))

	proposal := decode(t, got.Body)["proposals"].([]any)[1].(map[string]any)
	require.Equal(t, "APPROVE", proposal["reviewStatus"])
	require.Equal(t, map[string]any{"id": json.Number("2"), "fullName": nil}, proposal["reviewedBy"])
	review := string(proposal["reviewId"].(json.Number))
	require.JSONEq(t, `{"reviews":[{"id":`+review+`,"proposalId":3,"reviewStatus":"APPROVE","reviewedBy":{"id":2,"fullName":null},"comment":"clean now",`+
		`"reviewedAt":"2025-06-01T12:00:00.123Z","withdrawnAt":null,"withdrawnBy":null,"withdrawnReason":null}]}`,
		s.read("/report/reviews?proposalId=3").Body)

	got = s.operate("/report/withdraw", `{"reviewId":`+review+`,"reason":"a mistake"}`)
	require.Equal(t, http.StatusOK, got.Status, got.Body)
	require.Equal(t, asset.StatusBlocked, s.status("https://bad.example.com"))
	require.JSONEq(t, `{"reviews":[{"id":`+review+`,"proposalId":3,"reviewStatus":"APPROVE","reviewedBy":{"id":2,"fullName":null},"comment":"clean now",`+
		`"reviewedAt":"2025-06-01T12:00:00.123Z","withdrawnAt":"2025-06-01T12:00:00.123Z","withdrawnBy":{"id":2,"fullName":null},"withdrawnReason":"a mistake"}]}`,
		s.read("/report/reviews?proposalId=3").Body)
	require.Equal(t, http.StatusConflict, s.operate("/report/withdraw", `{"reviewId":`+review+`}`).Status)
}

func TestOperator_Escalate(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	require.Equal(t, http.StatusOK, s.operate("/report/escalate", `{"id":2,"comment":"to a lawyer"}`).Status)
	require.JSONEq(t, `{"reviews":[{"id":3,"proposalId":3,"reviewStatus":"ESCALATE","reviewedBy":{"id":2,"fullName":null},"comment":"to a lawyer",`+
		`"reviewedAt":"2025-06-01T12:00:00.123Z","withdrawnAt":null,"withdrawnBy":null,"withdrawnReason":null}]}`,
		s.read("/report/reviews?proposalId=3").Body)
	requireError(t, s.operate("/report/withdraw", `{"reviewId":3}`), "", http.StatusConflict, "CONFLICT", "Only an APPROVE or a REJECT can be withdrawn")
}

func TestOperator_InvalidReportRequests(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	long := quote(strings.Repeat("x", report.MaxComment+1))
	for _, c := range []struct {
		reason, path, body string
		issues             []string
	}{
		{"no proposal", "/report/review", `{"reviewStatus":"SKIP","ifReview":null}`, []string{"proposalId: is required"}},
		{"no review status", "/report/review", `{"proposalId":1,"ifReview":null}`, []string{"reviewStatus: must be APPROVE, REJECT, SKIP or ESCALATE"}},
		{"a comment that is too long", "/report/review", `{"proposalId":1,"reviewStatus":"SKIP","ifReview":1,"comment":` + long + `}`, []string{"comment: must be at most 10000 bytes long"}},
		{"no seen review", "/report/review", `{"proposalId":1,"reviewStatus":"SKIP"}`, []string{"ifReview: is required"}},
		{"a seen review that is none", "/report/review", `{"proposalId":1,"reviewStatus":"SKIP","ifReview":0}`, []string{"ifReview: must be a whole number from 1 to 2^53-1"}},
		{"a seen review of a withdrawal that is none", "/report/withdraw", `{"reviewId":1,"ifReview":"1"}`, []string{"ifReview: must be a whole number from 1 to 2^53-1"}},
		{"no review", "/report/withdraw", `{"reason":"x"}`, []string{"reviewId: is required"}},
		{"no report", "/report/escalate", `{"id":null}`, []string{"id: is required"}},
		{"a list of reports", "/report/escalate", `{"id":[1]}`, []string{"id: must be a whole number from 1 to 2^53-1"}},
	} {
		t.Run(c.reason, func(t *testing.T) {
			t.Parallel()
			requireInvalid(t, s.operate(c.path, c.body), c.issues...)
		})
	}
}

// An approval that blocks a domain tells what stays ALLOWED below it, as setting its status does.
func TestOperator_ReviewExceptions(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	require.Equal(t, http.StatusOK, s.operate("/asset/setStatus", `{"content":"app.evil.example.com","status":"ALLOWED"}`).Status)
	filed, err := s.guard.Reports.File(t.Context(), report.FileRequest{OrganizationID: 1, Proposals: []report.ProposalRequest{
		{Content: "evil.example.com", ProposedStatus: asset.StatusBlocked},
	}})
	require.NoError(t, err)
	id := strconv.FormatInt(filed.Proposals[0].ID, 10)
	skipped := s.operate("/report/review", `{"proposalId":`+id+`,"reviewStatus":"SKIP","ifReview":null}`)
	require.Contains(t, skipped.Body, `"exceptions":[],"moreExceptions":false}`)
	seen := decode(t, skipped.Body)["proposals"].([]any)[0].(map[string]any)["reviewId"].(json.Number)
	approved := s.operate("/report/review", `{"proposalId":`+id+`,"reviewStatus":"APPROVE","ifReview":`+string(seen)+`}`)
	require.Contains(t, approved.Body, `"content":"app.evil.example.com","status":"ALLOWED"}],"moreExceptions":false}`)
}

// The exceptions are looked up after the review is stored. If that fails, the review succeeds without them.
func TestOperator_ReviewExceptions_Failing(t *testing.T) {
	t.Parallel()
	s := startOperatorWith(t, setup{wrap: func(store storage.Store) storage.Store {
		return sitelessStore{store}
	}})
	got := s.operate("/report/review", `{"proposalId":1,"reviewStatus":"APPROVE","ifReview":1}`)
	require.Equal(t, http.StatusOK, got.Status, got.Body)
	require.Contains(t, got.Body, `"exceptions":[],"moreExceptions":true}`)
	require.Contains(t, s.log.String(), errSite.Error())
}

var errSite = errors.New("site cannot be read")

// sitelessStore finds no assets of a site.
type sitelessStore struct{ storage.Store }

func (sitelessStore) SiteAssets(context.Context, asset.Identity, int) ([]asset.Asset, error) {
	return nil, errSite
}
