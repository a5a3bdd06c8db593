package httpapi_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/httpapi/limit"
	"github.com/apguard/apguard/report"
)

func TestCreateReport(t *testing.T) {
	t.Parallel()
	s := start(t)
	got := s.post(reportPath, acmeKey, `{"title":"Fake shop","description":"It copies ours.","proposals":[`+
		`{"content":" HTTPS://New.example.com/ ","proposedStatus":"BLOCKED"},{"content":"https://bad.example.com","proposedStatus":"ALLOWED"}]}`)
	require.Equal(t, http.StatusOK, got.Status, got.Body)
	const want = `{"id":5,"title":"Fake shop","description":"It copies ours.","status":"TODO",` +
		`"createdAt":"2025-06-01T12:00:00.123Z","updatedAt":"2025-06-01T12:00:00.123Z","brandId":null,` +
		`"reporter":{"id":1,"fullName":"Ada Lovelace","email":"ada@acme.test","automation":false},"proposals":[` +
		`{"id":4,"asset":{"id":4,"type":"URL","content":"https://new.example.com","status":"UNKNOWN"},"proposedStatus":"BLOCKED",` +
		`"reviewStatus":null,"reviewedBy":null,"reviewedAt":null},` +
		`{"id":5,"asset":{"id":1,"type":"URL","content":"https://bad.example.com","status":"BLOCKED"},"proposedStatus":"ALLOWED",` +
		`"reviewStatus":null,"reviewedBy":null,"reviewedAt":null}]}`
	require.JSONEq(t, want, got.Body)
	require.JSONEq(t, `{"reports":[`+want+`],"nextCursor":5}`, s.get(newReports+"?limit=1", acmeKey).Body, "as the organization lists it")
	require.NotContains(t, s.get(newReports, globexKey).Body, "Fake shop")

	got = s.post(reportPath, globexKey, `{"title":null,"proposals":[]}`)
	require.Equal(t, http.StatusOK, got.Status, got.Body)
	require.Contains(t, got.Body, `"id":6,"title":"","description":"","status":"TODO",`)
	require.Contains(t, got.Body, `"reporter":null,"proposals":[]}`)
	require.Empty(t, s.log.String())
}

func TestCreateReport_Invalid(t *testing.T) {
	t.Parallel()
	s := start(t)
	proposals := func(elements ...string) string { return `{"proposals":[` + strings.Join(elements, ",") + `]}` }
	many := func(n int) string {
		elements := make([]string, n)
		for i := range elements {
			elements[i] = fmt.Sprintf(`{"content":"https://%d.example","proposedStatus":"BLOCKED"}`, i)
		}
		return proposals(elements...)
	}
	const (
		valid   = `{"content":"https://new.example.com","proposedStatus":"BLOCKED"}`
		status  = "must be UNKNOWN, ALLOWED or BLOCKED"
		tooMany = "proposals: must hold at most 100 elements"
	)
	for body, issues := range map[string][]string{
		`{}`:                 {"proposals: is required"},
		`{"proposals":null}`: {"proposals: is required"},
		`{"proposals":{}}`:   {"proposals: must be an array"},
		`{"proposals":"x"}`:  {"proposals: must be an array"},
		`{"title":5,"description":[],"proposals":[]}`: {"title: must be a string", "description: must be a string"},
		`{"title":"\u0000","proposals":[]}`:           {"title: must be valid UTF-8 without NUL"},
		proposals(`5`): {
			"proposals[0]: must be an object", "proposals[0].proposedStatus: " + status, "proposals[0].content: empty content",
		},
		proposals(`{}`): {"proposals[0].proposedStatus: " + status, "proposals[0].content: empty content"},
		proposals(valid, `{"content":"shop.example.com"}`): {"proposals[1].proposedStatus: " + status},
		proposals(`{"content":5,"proposedStatus":[]}`): {
			"proposals[0].content: must be a string", "proposals[0].proposedStatus: must be a string",
		},
		proposals(`{"content":"no asset","proposedStatus":"blocked"}`): {
			"proposals[0].proposedStatus: " + status, "proposals[0].content: inner white space, control character or invisible direction mark",
		},
		proposals(valid, strings.Replace(valid, "https://new", "HTTPS://NEW", 1)): {
			"proposals[1].content: must not be proposed twice in a report",
		},
		proposals(valid, strings.Replace(valid, "BLOCKED", "ALLOWED", 1)): {
			"proposals[1].content: must not be proposed twice in a report",
		},
		proposals(`{"content":"https://new.example.com","proposedStatus":"BLOCKED","reviewStatus":"APPROVE"}`): {
			"proposals[0].reviewStatus: unknown field",
		},
		proposals(`{"content":"https://new.example.com","proposed_status":"BLOCKED"}`): {
			"proposals[0].proposed_status: unknown field, did you mean proposedStatus?", "proposals[0].proposedStatus: " + status,
		},
		`{"proposals":[],"organizationId":2}`:                         {"organizationId: unknown field"},
		`{"proposals":[],"reporterId":2,"brandId":1}`:                 {"reporterId: unknown field", "brandId: unknown field"},
		`{"proposals":[],"proposals":[]}`:                             {"proposals: must not be given twice"},
		`{"title":"` + strings.Repeat("t", 501) + `","proposals":[]}`: {"title: must be at most 500 bytes long"},
		many(101):  {tooMany},
		many(1001): {tooMany},
		`{"proposals":[` + strings.Repeat(`{},`, 1000) + `{}]}`: {tooMany},
	} {
		got := s.post(reportPath, acmeKey, body)
		require.Equal(t, http.StatusBadRequest, got.Status, "%.200s", body)
		require.Equal(t, invalid(issues...), got.Body, "%.200s", body)
	}
	requireInvalid(t, s.post(reportPath+"?id=1&id=2", acmeKey, proposals(valid)), "id: unknown field")
	require.Equal(t, http.StatusRequestEntityTooLarge, s.post(reportPath, acmeKey, strings.Repeat(" ", httpapi.MaxBody+1)).Status)
	page, err := s.guard.Reports.List(t.Context(), report.ListRequest{Scope: report.AnyOrganization()})
	require.NoError(t, err)
	require.Len(t, page.Reports, 4, "nothing was stored")
	require.Equal(t, http.StatusOK, s.post(reportPath, acmeKey, many(100)).Status)
}

// A key files for its own organization, as its own user, and has no other access.
func TestCreateReport_Isolated(t *testing.T) {
	t.Parallel()
	s := start(t)
	const writer, lister = "apg_writer", "apg_lister"
	s.addKeyOf(writer, 1, 2, account.ScopeReportWrite)
	s.addKeyOf(lister, 1, 2, account.ScopeReports)
	require.Equal(t, http.StatusForbidden, s.post(reportPath, lister, posts[reportPath]).Status)
	require.Equal(t, http.StatusForbidden, s.get(newReports, writer).Status)
	got := s.postKeyed(reportPath, writer, posts[reportPath], "k")
	requireExecuted(t, got)
	filed, err := s.guard.Reports.Get(t.Context(), report.InOrganization(1), 5)
	require.NoError(t, err)
	require.EqualValues(t, 2, filed.Reporter.ID)
	requireExecuted(t, s.postKeyed(reportPath, globexKey, posts[reportPath], "k"))
	_, err = s.guard.Reports.Get(t.Context(), report.InOrganization(2), 6)
	require.NoError(t, err, "the key of another organization")

	a, err := s.guard.Asset(t.Context(), "https://new.example.com")
	require.NoError(t, err)
	require.Equal(t, asset.StatusUnknown, a.Status, "a report changes no status")

	s.addKeyOf("apg_removed_organization", 1, 1, account.ScopeReportWrite)
	s.addKeyOf("apg_removed_user", 2, 2, account.ScopeReportWrite)
	require.NoError(t, s.guard.Accounts.RemoveOrganization(t.Context(), 1))
	require.NoError(t, s.guard.Accounts.RemoveUser(t.Context(), 2))
	for _, key := range []string{"apg_removed_organization", "apg_removed_user"} {
		require.Equal(t, http.StatusUnauthorized, s.post(reportPath, key, posts[reportPath]).Status, key)
	}
}

// The rate of the key bounds how often it reports the same asset.
func TestCreateReport_Rate(t *testing.T) {
	t.Parallel()
	rate, err := limit.NewRate(limit.RateOptions{Rate: 1, Burst: 3, Clock: func() time.Time { return now }})
	require.NoError(t, err)
	s := startWith(t, setup{options: httpapi.Options{Admission: []limit.Admission{rate}}})
	statuses := make(map[int]int)
	for range 1000 {
		statuses[s.post(reportPath, acmeKey, posts[reportPath]).Status]++
	}
	require.Equal(t, map[int]int{http.StatusOK: 3, http.StatusTooManyRequests: 997}, statuses)
}
