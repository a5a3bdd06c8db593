package httpapi_test

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/httpapi"
)

// versions returns the versions of an answer of GET /queues.
func versions(t *testing.T, got response) (all, disputes, reports string) {
	t.Helper()
	require.Equal(t, http.StatusOK, got.Status, got.Body)
	var body struct {
		Version           string
		Disputes, Reports struct{ Version string }
	}
	require.NoError(t, json.Unmarshal([]byte(got.Body), &body))
	return body.Version, body.Disputes.Version, body.Reports.Version
}

func TestReadQueues(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	_, disputes, reports := versions(t, s.read("/queues"))
	require.Equal(t, http.StatusOK, s.operate("/dispute/startReview", `{"id":2}`).Status)
	got := s.read("/queues")
	_, otherDisputes, sameReports := versions(t, got)
	require.NotEqual(t, disputes, otherDisputes)
	require.Equal(t, reports, sameReports)
	require.Contains(t, got.Body, `"open":1,"underReview":1,"oldestAt":"2025-06-01T12:00:00.123Z"`)
	for query, issue := range map[string]string{
		"wait=31":        "wait: must be a whole number of seconds from 0 to 30",
		"wait=0.5":       "wait: must be a whole number of seconds from 0 to 30",
		"disputeId=1":    "disputeId: unknown field",
		"open=asset/1":   `open: must be "dispute/" or "report/" and an ID`,
		"open=report":    `open: must be "dispute/" or "report/" and an ID`,
		"open=dispute/0": `open: must be "dispute/" or "report/" and an ID`,
	} {
		requireInvalid(t, s.read("/queues?"+query), issue)
	}
}

// Times are those of the bubble.
func TestReadQueues_Wait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		stopping := make(chan struct{})
		s := startOperatorWith(t, setup{options: httpapi.Options{Timeout: time.Second, Stopping: stopping}})
		version, _, _ := versions(t, s.read("/queues"))
		began := time.Now()
		versions(t, s.read("/queues?wait=30"))
		versions(t, s.read("/queues?wait=30&version=another"))
		require.Zero(t, time.Since(began), "a client without the present version does not wait")
		same, _, _ := versions(t, s.read("/queues?wait=30&version="+version))
		require.Equal(t, version, same)
		require.Equal(t, 30*time.Second, time.Since(began), "without news, a request waits to the end")

		var got response
		waiting := background(func() { got = s.read("/queues?wait=30&version=" + version) })
		time.Sleep(10 * time.Second)
		require.Equal(t, http.StatusOK, s.operate("/dispute/startReview", `{"id":2}`).Status)
		began = time.Now()
		waiting()
		require.LessOrEqual(t, time.Since(began), time.Second)
		next, _, _ := versions(t, got)
		require.NotEqual(t, version, next)

		ctx, disconnect := context.WithCancel(t.Context())
		began = time.Now()
		request := newGet(operatorBase+"/queues?wait=30&version="+next, operatorKey).WithContext(ctx)
		waiting = background(func() { got = s.do(request) })
		synctest.Wait()
		disconnect()
		waiting()
		require.Zero(t, time.Since(began), "the client has disconnected")

		waiting = background(func() { got = s.read("/queues?wait=30&version=" + next) })
		synctest.Wait()
		close(stopping)
		waiting()
		require.Zero(t, time.Since(began), "the server stops")
	})
}

func TestReadQueues_WaitLimits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := startOperatorWith(t, setup{options: httpapi.Options{RefusalDelay: -1, MaxRequests: 4, MaxWaiting: 8, MaxCostly: 4}})
		version, _, _ := versions(t, s.read("/queues"))
		ask := func() response { return s.read("/queues?wait=30&version=" + version) }
		var group sync.WaitGroup
		for range 2 { // a quarter
			group.Go(func() { versions(t, ask()) })
			synctest.Wait() // a request that begins counts for the others
		}
		got := ask()
		require.Equal(t, http.StatusTooManyRequests, got.Status)
		require.Equal(t, `"waiting-requests";q=2;qu="concurrent-requests"`, got.Header.Get("RateLimit-Policy"))
		require.Equal(t, http.StatusOK, s.read("/report/list").Status, "requests that wait take no place of costly ones")
		versions(t, s.read("/queues"))
		group.Wait()
		versions(t, ask())
	})
}

// viewers returns the IDs of who else has a record open by an answer of GET /queues.
func viewers(t *testing.T, got response) []int64 {
	t.Helper()
	require.Equal(t, http.StatusOK, got.Status, got.Body)
	var body struct {
		Viewers []struct{ ID int64 }
	}
	require.NoError(t, json.Unmarshal([]byte(got.Body), &body))
	ids := make([]int64, 0, len(body.Viewers))
	for _, viewer := range body.Viewers {
		ids = append(ids, viewer.ID)
	}
	return ids
}

// Times are those of the bubble.
func TestReadQueues_Viewers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := startOperator(t)
		ada, err := s.guard.Keys.Create(t.Context(), account.KeyRequest{UserID: 1, Scopes: account.OperatorScopes()})
		require.NoError(t, err)
		asAda := func(query string) response { return s.get(operatorBase+"/queues?"+query, ada) }

		alone := s.read("/queues?open=dispute/2")
		require.Contains(t, alone.Body, `"viewers":[]`)
		got := asAda("open=dispute/2")
		require.Contains(t, got.Body, `"viewers":[{"id":2,"fullName":null}]`)
		require.Empty(t, viewers(t, asAda("open=dispute/1")), "another dispute")
		require.Empty(t, viewers(t, asAda("open=report/2")), "a report with the same ID")
		require.Empty(t, viewers(t, asAda("")), "nothing is open")
		require.Empty(t, viewers(t, s.get(operatorBase+"/queues?open=dispute/1", userlessKey)), "Ada has left for the report")
		time.Sleep(time.Minute)
		require.Empty(t, viewers(t, asAda("open=dispute/2")), "the last request was a while ago")
		time.Sleep(time.Minute)

		version, _, _ := versions(t, alone)
		began := time.Now()
		waiting := background(func() { got = s.read("/queues?wait=30&open=dispute/2&version=" + version) })
		time.Sleep(10 * time.Second)
		require.Equal(t, []int64{2}, viewers(t, asAda("open=dispute/2")))
		waiting()
		require.Equal(t, 10*time.Second, time.Since(began), "somebody has come")
		require.Contains(t, got.Body, `"viewers":[{"id":1,"fullName":"Ada Lovelace"}]`)
		version, disputes, _ := versions(t, got)
		_, before, _ := versions(t, alone)
		require.Equal(t, before, disputes, "the disputes have not changed")

		began = time.Now()
		got = s.read("/queues?wait=30&open=dispute/2&version=" + version)
		require.Equal(t, 5*time.Second, time.Since(began), "somebody has left")
		require.Empty(t, viewers(t, got))
		require.Equal(t, http.StatusOK, s.get(operatorBase+"/queues?open=dispute/2", userlessKey).Status)
		require.Empty(t, viewers(t, s.read("/queues?open=dispute/2")), "a key without a user is nobody")
	})
}
