package client_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/client"
	"github.com/apguard/apguard/httpapi"
)

// Every status of the document has its error. Those that a client cannot provoke come from a server of
// the test.
func TestError_Is(t *testing.T) {
	t.Parallel()
	o := newOrigin(t, httpapi.Options{MaxBatchBody: 100}, nil)
	dispute := func(key, content string) error {
		_, err := o.client(t, key).CreateDispute(t.Context(), client.DisputeRequest{Content: content})
		return err
	}
	add := func(key, content string) error {
		_, err := o.client(t, key).AddToAllowlist(t.Context(), client.AddRequest{Assets: []client.Item{{Content: content}}})
		return err
	}
	_, reports := o.client(t, looseKey).ListReports(t.Context(), client.ReportsRequest{})
	_, nowhere := newClient(t, o.url+"/nowhere", client.Options{Key: acmeKey}).Check(t.Context(), "x.dev")
	for reason, c := range map[string]struct {
		err    error
		want   error
		status int
		code   string
	}{
		"invalid":                         {dispute(acmeKey, ""), client.ErrInvalid, 400, "BAD_REQUEST"},
		"unknown key":                     {dispute("apg_unknown", "x"), client.ErrUnauthorized, 401, "UNAUTHORIZED"},
		"no key":                          {dispute("", "x"), client.ErrUnauthorized, 401, "UNAUTHORIZED"},
		"no scope":                        {dispute(powerlessKey, "x"), client.ErrForbidden, 403, "FORBIDDEN"},
		"no organization":                 {reports, client.ErrForbidden, 403, "FORBIDDEN"},
		"no scope to change an allowlist": {add(powerlessKey, "x"), client.ErrUnauthorized, 401, "UNAUTHORIZED"},
		"no such asset":                   {dispute(acmeKey, "https://nowhere.example.com"), client.ErrNotFound, 404, "NOT_FOUND"},
		"wrong base URL":                  {nowhere, client.ErrNotFound, 404, "NOT_FOUND"},
		"too large":                       {add(acmeKey, strings.Repeat("x", 100)), client.ErrInvalid, 413, "PAYLOAD_TOO_LARGE"},
	} {
		require.ErrorIs(t, c.err, c.want, reason)
		failed := failure(t, c.err)
		require.Equal(t, c.status, failed.Status, reason)
		require.Equal(t, c.code, failed.Code, reason)
		require.NotEmpty(t, failed.RequestID, reason)
		require.NotEmpty(t, failed.Message, reason)
		require.NotErrorIs(t, c.err, client.ErrUnavailable, reason)
		require.NotErrorIs(t, c.err, client.ErrResponse, reason)
	}
	sentinels := map[int]error{
		400: client.ErrInvalid, 401: client.ErrUnauthorized, 403: client.ErrForbidden, 404: client.ErrNotFound, 409: client.ErrConflict,
		410: client.ErrCursor, 413: client.ErrInvalid, 422: client.ErrReused, 429: client.ErrRateLimited,
		502: client.ErrUnavailable, 503: client.ErrUnavailable, 504: client.ErrUnavailable,
	}
	require.ErrorIs(t, &client.Error{Status: 409, RetryAfter: time.Second}, client.ErrInProgress)
	for status, want := range sentinels {
		err := error(&client.Error{Status: status})
		require.ErrorIs(t, err, want)
		for other, not := range sentinels {
			if not != want { //nolint:errorlint // both are sentinels
				require.NotErrorIs(t, err, not, "%d is not %d", status, other)
			}
		}
	}
}

func TestError_Error(t *testing.T) {
	t.Parallel()
	err := &client.Error{
		Operation: "POST /asset/check", Status: 400, Code: "BAD_REQUEST", Message: "Invalid\n\x1b[31m input",
		Issues: []client.Issue{{Message: "content: is required"}}, RequestID: "r1", OutcomeUnknown: true, Err: io.ErrUnexpectedEOF,
	}
	require.Equal(t, "POST /asset/check: 400 BAD_REQUEST: Invalid??[31m input; content: is required: unexpected EOF"+
		" (the request may have been executed) [request r1]", err.Error())
	err.Message = strings.Repeat("x", 1_000_000)
	err.Issues = make([]client.Issue, 1000)
	for i := range err.Issues {
		err.Issues[i].Message = err.Message
	}
	require.Less(t, len(err.Error()), 3000)
}

func TestNew(t *testing.T) {
	t.Parallel()
	for reason, text := range map[string]string{
		"empty":             "",
		"no scheme":         "secret.example.com/api",
		"another scheme":    "ftp://secret.example.com",
		"no host":           "https:///secret",
		"only a port":       "https://:80/secret",
		"user":              "https://secret@example.com",
		"user and password": "https://ada:secret@example.com",
		"malformed":         "https://ada:secret@example.com:x/%zz",
		"query":             "https://example.com/?key=secret",
		"empty query":       "https://example.com/secret?",
		"fragment":          "https://example.com/#secret",
		"empty fragment":    "https://example.com/secret#",
	} {
		_, err := client.New(text, client.Options{})
		require.ErrorIs(t, err, client.ErrOptions, reason)
		require.NotContains(t, err.Error(), "secret", reason)
	}
	for _, key := range []string{"secret\n", "secret key", "sécret", "secret\x7f"} {
		_, err := client.New("https://example.com", client.Options{Key: key})
		require.ErrorIs(t, err, client.ErrOptions)
		require.NotContains(t, err.Error(), "cret")
	}
}

func TestNew_basePath(t *testing.T) {
	t.Parallel()
	var path string
	c := serve(t, client.Options{}, func(_ http.ResponseWriter, r *http.Request) { path = r.URL.EscapedPath() })
	base := strings.TrimPrefix(c.String(), "client of ")
	for given, want := range map[string]string{"": "/asset/check", "/": "/asset/check", "/api/v2/": "/api/v2/asset/check", "/a%2Fb": "/a%2Fb/asset/check"} {
		_, err := newClient(t, base+given, client.Options{}).Check(t.Context(), "x")
		require.ErrorIs(t, err, client.ErrResponse)
		require.Equal(t, want, path)
	}
}
