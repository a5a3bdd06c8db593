package main

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The operations break a connection by a panic, which passes.
func TestABrokenConnectionIsLogged(t *testing.T) {
	t.Parallel()
	log := new(logbook)
	handler := logRequests(slog.New(slog.NewTextHandler(log, nil)))(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusTeapot)
		_, _ = w.Write([]byte("short"))
		assert.NoError(t, http.NewResponseController(w).Flush(), "the connection is found")
		panic(http.ErrAbortHandler)
	}))
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/long?token=secret", nil)
	require.PanicsWithValue(t, http.ErrAbortHandler, func() { handler.ServeHTTP(httptest.NewRecorder(), r) })
	require.Contains(t, log.String(), "method=GET path=/long status=418 bytes=5 took=")
	require.NotContains(t, log.String(), "secret")
}
