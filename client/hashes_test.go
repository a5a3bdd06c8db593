package client_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/client"
)

func TestClient_Hashes(t *testing.T) {
	t.Parallel()
	c := serve(t, client.Options{Retries: -1}, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("If-None-Match") == `W/"t"` {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		w.Header().Set("Content-Type", "application/x-protobuf")
		w.Header().Set("Age", "90")
		w.Header().Set("Etag", `W/"t"`)
		_, _ = io.WriteString(w, "since "+r.URL.Query().Get("version"))
	})
	began := time.Now()
	got, err := c.Hashes(t.Context(), client.HashesRequest{Version: "v"})
	require.NoError(t, err)
	require.Equal(t, "since v", string(got.Data))
	require.Equal(t, `W/"t"`, got.ETag)
	require.False(t, got.AsOf.Before(began.Add(-90*time.Second)))
	require.False(t, got.AsOf.After(time.Now().Add(-90*time.Second)))
	_, err = c.Hashes(t.Context(), client.HashesRequest{ETag: got.ETag})
	require.ErrorIs(t, err, client.ErrNotModified)
}

// A response that is not what the operation returns is never a list.
func TestClient_Hashes_unusable(t *testing.T) {
	t.Parallel()
	for reason, header := range map[string]http.Header{
		"another media type": {"Content-Type": {"application/json"}, "Age": {"1"}},
		"no age":             {"Content-Type": {"application/x-protobuf"}},
		"a negative age":     {"Content-Type": {"application/x-protobuf"}, "Age": {"-1"}},
		"an age in minutes":  {"Content-Type": {"application/x-protobuf"}, "Age": {"1m"}},
		"a large age":        {"Content-Type": {"application/x-protobuf"}, "Age": {"4294967296"}},
		"rules in words":     {"Content-Type": {"application/x-protobuf"}, "Age": {"1"}, "Rules-Version": {"one"}},
	} {
		c := serve(t, client.Options{Retries: -1}, func(w http.ResponseWriter, _ *http.Request) {
			for name, values := range header {
				w.Header()[name] = values
			}
			_, _ = io.WriteString(w, "x")
		})
		_, err := c.Hashes(t.Context(), client.HashesRequest{})
		require.ErrorIs(t, err, client.ErrResponse, reason)
	}
	cut := serve(t, client.Options{Retries: -1}, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/x-protobuf")
		w.Header().Set("Age", "0")
		w.Header().Set("Content-Length", "10")
		_, _ = io.WriteString(w, strings.Repeat("x", 9))
	})
	_, err := cut.Hashes(t.Context(), client.HashesRequest{})
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
}
