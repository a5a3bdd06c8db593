package httpapi_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/report"
)

// Two operators who saw the same state never decide past each other: in 20 races of each pair of
// decisions, one succeeds, and the other is told.
func TestOperator_Races(t *testing.T) {
	t.Parallel()
	review := func(status string) operatorCall {
		return operatorCall{"/report/review", `{"proposalId":3,"reviewStatus":"` + status + `","ifReview":null}`}
	}
	status := func(status string) operatorCall {
		return operatorCall{"/asset/setStatus", `{"content":"https://bad.example.com","status":"` + status + `","ifStatus":"BLOCKED"}`}
	}
	approved := []operatorCall{review("APPROVE")}
	for reason, c := range map[string]struct {
		before []operatorCall
		pair   [2]operatorCall
	}{
		"two opposite reviews":       {nil, [2]operatorCall{review("APPROVE"), review("REJECT")}},
		"two skips":                  {nil, [2]operatorCall{review("SKIP"), review("SKIP")}},
		"a review and an escalation": {nil, [2]operatorCall{review("REJECT"), {"/report/escalate", `{"id":2}`}}},
		"a review and a withdrawal": {approved, [2]operatorCall{
			{"/report/review", `{"proposalId":3,"reviewStatus":"REJECT","ifReview":3}`}, {"/report/withdraw", `{"reviewId":3}`},
		}},
		"two withdrawals":             {approved, [2]operatorCall{{"/report/withdraw", `{"reviewId":3}`}, {"/report/withdraw", `{"reviewId":3,"ifReview":3}`}}},
		"two statuses":                {nil, [2]operatorCall{status("ALLOWED"), status("UNKNOWN")}},
		"two decisions of a dispute":  {nil, [2]operatorCall{resolution("ACCEPTED", `,"assetStatus":"UNKNOWN"`), resolution("REJECTED", "")}},
		"a decision and a withdrawal": {nil, [2]operatorCall{resolution("REJECTED", ""), {"/dispute/withdraw", `{"id":1}`}}},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			for range 20 {
				s := startOperator(t)
				for _, call := range c.before {
					require.Equal(t, http.StatusOK, s.operate(call.path, call.body).Status)
				}
				got := s.race(c.pair)
				slices.Sort(got)
				require.Equal(t, []int{http.StatusOK, http.StatusConflict}, got)
			}
		})
	}
}

func resolution(state, more string) operatorCall {
	return operatorCall{"/dispute/resolve", fmt.Sprintf(`{"id":1,"state":"%s","reason":"x"%s}`, state, more)}
}

// race sends two requests at the same time and returns their statuses.
func (s testServer) race(pair [2]operatorCall) []int {
	var group sync.WaitGroup
	statuses := make([]int, len(pair))
	for i, call := range pair {
		group.Go(func() { statuses[i] = s.operate(call.path, call.body).Status })
	}
	group.Wait()
	return statuses
}

// A caller that names the review in effect can also withdraw another one.
func TestOperator_WithdrawOlderReview(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	for _, body := range []string{
		`{"proposalId":3,"reviewStatus":"APPROVE","ifReview":null}`, `{"proposalId":3,"reviewStatus":"REJECT","ifReview":3}`,
	} {
		require.Equal(t, http.StatusOK, s.operate("/report/review", body).Status)
	}
	for _, body := range []string{`{"reviewId":3}`, `{"reviewId":3,"ifReview":3}`, `{"reviewId":3,"ifReview":null}`} {
		requireError(t, s.operate("/report/withdraw", body), "", http.StatusConflict, "CONFLICT", "Changed in the meantime")
	}
	require.Equal(t, http.StatusOK, s.operate("/report/withdraw", `{"reviewId":3,"ifReview":4}`).Status)
}

func TestOperator_TooManyReviews(t *testing.T) {
	t.Parallel()
	s := startOperatorWith(t, setup{wrap: failingEverywhere(report.ErrTooManyReviews)})
	requireError(t, s.operate("/report/review", `{"proposalId":3,"reviewStatus":"SKIP","ifReview":null}`), "", http.StatusConflict, "CONFLICT",
		"Proposal would exceed the maximum of 1000 reviews, or 500 before a SKIP or an ESCALATE, or of 262144 bytes in them")
}

// Every write can be repeated with its key, whatever has happened since. Those of lists, of webhooks and of
// administrators take no keys, and neither do those on several assets, which change nothing when they are repeated.
func TestOperator_Repeats(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	s.askFor("github.io")
	s.askFor("gitlab.io")
	calls := []operatorCall{
		{"/dispute/startReview", `{"id":1}`},
		{"/dispute/release", `{"id":1}`},
		{"/dispute/addNote", `{"id":1,"text":"x"}`},
		resolution("ACCEPTED", `,"assetStatus":"UNKNOWN"`),
		{"/dispute/reopen", `{"id":1}`},
		{"/dispute/withdraw", `{"id":1}`},
		{"/asset/setStatus", `{"content":"https://bad.example.com","status":"BLOCKED","ifStatus":"UNKNOWN"}`},
		{"/asset/withdraw", `{"content":"https://bad.example.com","ifStatus":"BLOCKED"}`},
		{"/report/escalate", `{"id":2}`},
		{"/report/review", `{"proposalId":3,"reviewStatus":"APPROVE","ifReview":3}`},
		{"/report/withdraw", `{"reviewId":4}`},
		{"/pending/approve", `{"id":1,"comment":"x"}`},
		{"/pending/reject", `{"id":2,"comment":"x"}`},
	}
	posts := 0
	servedToOperators().operations(func(method, path string, _ node) {
		unrepeatable := strings.HasPrefix(path, "/webhook/") || strings.HasPrefix(path, "/list/") || path == "/allowlist/clear" || path == "/asset/setStatuses" || path == "/asset/undo"
		if route := (httpapi.Route{Method: method, Path: path}); !reads(route) && !unrepeatable && !administers(route) {
			posts++
		}
	})
	require.Len(t, calls, posts, "every write")
	first := make([]response, len(calls))
	for i, call := range calls {
		first[i] = s.postKeyed(operatorBase+call.path, operatorKey, call.body, "k")
		requireExecuted(t, first[i])
	}
	stored := s.stored()
	for i, call := range calls {
		path := operatorBase + call.path
		requireReplay(t, first[i], s.postKeyed(path, operatorKey, call.body, `"k"`))
		requireReused(t, s.postKeyed(path, operatorKey, call.body+" ", "k"), path)
		require.Equal(t, 400, s.postKeyed(path, operatorKey, call.body, "a b").Status)
		require.Equal(t, 400, s.postKeyed(path, operatorKey, strings.TrimSpace(call.body), "a", "a").Status)
	}
	require.Equal(t, stored, s.stored())
}
