package httpapi_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
)

func TestFigures(t *testing.T) {
	t.Parallel()
	clock := now
	s := startOperatorWith(t, setup{guard: apguard.Options{Clock: func() time.Time { return clock }}})
	for _, call := range []operatorCall{
		{"/asset/setStatus", `{"content":"https://bad.example.com","status":"BLOCKED","reason":"PHISHING","reviewAt":"2025-06-08T00:00:00Z"}`},
		{"/asset/setStatus", `{"content":"a.example.com","status":"BLOCKED","reason":"MALWARE","reviewAt":"2025-06-01T12:00:01Z"}`},
		{"/list/add", `{"name":"a","format":"domains"}`},
		{"/list/add", `{"name":"b","format":"domains"}`},
	} {
		require.Equal(t, http.StatusOK, s.operate(call.path, call.body).Status)
	}
	require.Equal(t, http.StatusOK, s.sync("b", "b.example.com\n").Status)
	clock = clock.Add(90 * time.Minute)
	accept := resolution("ACCEPTED", `,"assetStatus":"UNKNOWN"`)
	require.Equal(t, http.StatusOK, s.operate(accept.path, accept.body).Status)
	list, err := s.guard.Lists.Get(t.Context(), "b")
	require.NoError(t, err)
	require.Error(t, s.guard.Lists.Fail(t.Context(), list, errors.New("timeout")))

	body := s.read("/figures").Body
	june := strings.Index(body, `{"month":"2025-06"`)
	require.Equal(t, 11, strings.Count(body[:june], `"blocks":0,"disputesDecided":0,"disputesAccepted":0,"hoursMedian":null,"hours90":null,"reasons":[]},`))
	require.JSONEq(t, `{"months":[{"month":"2025-06","blocks":1,"disputesDecided":1,"disputesAccepted":1,"hoursMedian":1.5,"hours90":1.5,"reasons":[`+
		`{"reason":"PHISHING","blocks":0,"disputesAccepted":1},{"reason":"MALWARE","blocks":1,"disputesAccepted":0}]}],"due":{"total":1,"overdue":1},`+
		`"disputes":{"open":1,"oldestAt":"2025-06-01T12:00:00.123Z"},"reports":{"open":3,"oldestAt":"2025-01-07T00:00:00.000Z"},`+
		`"lists":{"total":2,"failing":[{"name":"b","syncedAt":"2025-06-01T12:00:00.123Z","failedAt":"2025-06-01T13:30:00.123Z","error":"timeout"}]}}`,
		`{"months":[`+body[june:])
	requireInvalid(t, s.read("/figures?month=6"), "month: unknown field")
}
