package httpapi_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/audit/trail"
)

// An erasure leaves nothing for the next one.
func TestOperator_ErasePerson(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	require.NoError(t, s.guard.Accounts.PutUser(t.Context(), account.User{ID: 9, FullName: "Eve", Email: "EVE@mail.example"}))
	require.JSONEq(t, `{"users":1,"disputes":1}`, s.administer("/person/erase", `{"userId":9}`).Body)
	require.JSONEq(t, `{"users":0,"disputes":0}`, s.administer("/person/erase", `{"userId":9,"email":"eve@mail.example"}`).Body)
	require.Equal(t, http.StatusNotFound, s.read("/user/get?id=9").Status)
	require.NotContains(t, strings.ToLower(s.read("/dispute/get?id=1").Body), "eve@")
	require.Equal(t, []string{"ERASURE ERASED ", "USER REMOVED 9"}, s.accountEntries())
	requireInvalid(t, s.administer("/person/erase", `{}`), "a user or an e-mail address is required")
	requireInvalid(t, s.administer("/person/erase", `{"email":7,"name":"Eve"}`), "name: unknown field", "email: must be a string")
}

// A request removes old records only, and the next one finds nothing.
func TestOperator_Prune(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	require.Equal(t, http.StatusOK, s.operate("/dispute/withdraw", `{"id":2}`).Status)
	for records, c := range map[string]struct{ early, late, kept, removed string }{
		"REPORTS":  {"2025-01-05T11:00:00.500Z", "2025-01-05T11:00:00.501Z", "/report/get?id=2", "/report/get?id=1"},
		"DISPUTES": {"2025-06-01", "2025-06-01T12:00:00.123Z", "/dispute/get?id=2", ""},
		"CHANGES":  {"2025-01-01", "2025-06-01", "/asset/history?content=bad.example.com", ""},
	} {
		request := func(before string) string { return `{"records":"` + records + `","before":"` + before + `"}` }
		require.JSONEq(t, `{"removed":0,"nextCursor":null}`, s.administer("/prune", request(c.early)).Body, records)
		want := `{"removed":0,"nextCursor":null}`
		if c.removed != "" {
			want = `{"removed":1,"nextCursor":null}`
		}
		require.JSONEq(t, want, s.administer("/prune", request(c.late)).Body, records)
		require.JSONEq(t, `{"removed":0,"nextCursor":null}`, s.administer("/prune", request(c.late)).Body, records)
		require.Equal(t, http.StatusOK, s.read(c.kept).Status, records)
		if c.removed != "" {
			require.Equal(t, http.StatusNotFound, s.read(c.removed).Status, records)
		}
	}
	entries, err := s.guard.Audit.List(t.Context(), trail.ListRequest{Filter: trail.Filter{Kind: audit.KindPruning}})
	require.NoError(t, err)
	require.Len(t, entries.Items, 1)
	require.Equal(t, "REPORTS before 2025-01-05T11:00:00Z", entries.Items[0].Detail)
	require.Equal(t, int64(operatorUser), entries.Items[0].Actor.UserID)
}

func TestOperator_InvalidPrune(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	for body, issues := range map[string][]string{
		`{}`: {"records: is required", "before: is required"},
		`{"records":"ASSETS","before":"2025-01-01"}`:                                 {"records: must be CHANGES, DISPUTES or REPORTS"},
		`{"records":"CHANGES","before":"2025-06-02"}`:                                {"before: must not be in the future"},
		`{"records":"CHANGES","before":"yesterday"}`:                                 {"before: must be a date, written YYYY-MM-DD, or a time of RFC 3339"},
		`{"records":"CHANGES","before":"2025-01-01","cursor":1736071200000.7}`:       {"cursor: must be the nextCursor of a page"},
		`{"records":"CHANGES","before":"2025-01-01","cursor":"1736071200000.7.1"}`:   {"cursor: must be the nextCursor of a page"},
		`{"records":"CHANGES","before":"2025-01-01","limit":5,"cursor":"1736.0001"}`: {"limit: unknown field", "cursor: must be the nextCursor of a page"},
	} {
		requireInvalid(t, s.administer("/prune", body), issues...)
	}
}
