package main

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLogRequests_RequestID(t *testing.T) {
	t.Parallel()
	p := start(t, newFile(t))
	_, header, _ := p.call(t, http.MethodPost, changes, p.token(t, "AGENT"), "{}")
	require.Len(t, header.Values("X-Request-Id"), 1)
	_, home, _ := p.call(t, http.MethodGet, "/", "", "")
	require.NotEmpty(t, home.Get("X-Request-Id"), "the desk's own routes have request IDs too")
	p.stop() // waits for the rest of the log
	require.Contains(t, p.log.String(), " id="+home.Get("X-Request-Id")+" ")
	var parts []string
	for line := range strings.Lines(p.log.String()) {
		if strings.Contains(line, " id="+header.Get("X-Request-Id")+" ") {
			parts = append(parts, strconv.FormatBool(strings.Contains(line, "part=operations")))
		}
	}
	require.Equal(t, []string{"true", "false"}, parts, p.log.String())
}

// The operations abort a connection by a panic, which must not be recovered.
func TestLogRequests_AbortedReply(t *testing.T) {
	t.Parallel()
	log := new(syncBuffer)
	handler := logRequests(slog.New(slog.NewTextHandler(log, nil)))(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusTeapot)
		_, _ = w.Write([]byte("short"))
		assert.NoError(t, http.NewResponseController(w).Flush(), "the writer can be unwrapped")
		panic(http.ErrAbortHandler)
	}))
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/long?token=secret", nil)
	require.PanicsWithValue(t, http.ErrAbortHandler, func() { handler.ServeHTTP(httptest.NewRecorder(), r) })
	require.Contains(t, log.String(), "method=GET path=/long status=418 bytes=5 took=")
	require.NotContains(t, log.String(), "secret")
}
