package client_test

import (
	"encoding/json"
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/client"
	"github.com/apguard/apguard/httpapi"
)

// A request without an idempotency key is sent again only if that cannot change something twice.
func TestClient_Do(t *testing.T) {
	t.Parallel()
	const list, add = "/organization/assets", `{"assets":[{"content":"shop.dev"}]}`
	limited := answer(429, "1", "{}")
	for reason, c := range map[string]struct {
		request client.Request
		steps   []step
		sent    int
		unknown bool
	}{
		"a read":                        {client.Request{Method: http.MethodGet, Path: list}, []step{abort, limited, answer(502, "", "")}, 4, false},
		"a write with a key":            {client.Request{Method: http.MethodPost, Path: list, Body: []byte(add), IdempotencyKey: "a"}, []step{abortAfter, limited}, 3, false},
		"repeatable":                    {client.Request{Method: http.MethodPost, Path: list, Body: []byte(add), Repeatable: true}, []step{abort, limited}, 3, false},
		"not executed":                  {client.Request{Method: http.MethodPost, Path: list, Body: []byte(add)}, []step{limited, answer(503, "1", "{}")}, 3, false},
		"may have been executed":        {client.Request{Method: http.MethodPost, Path: list, Body: []byte(add)}, []step{abortAfter}, 1, true},
		"may have been executed, proxy": {client.Request{Method: http.MethodPost, Path: list, Body: []byte(add)}, []step{answer(502, "", "")}, 1, true},
		"outcome unknown":               {client.Request{Method: http.MethodPost, Path: list, Body: []byte(add)}, []step{answer(503, "5", unknownBody)}, 1, true},
	} {
		s := &script{steps: c.steps}
		response, err := newOrigin(t, httpapi.Options{}, s.wrap).client(t, acmeKey).Do(t.Context(), c.request)
		keys, left := s.seen()
		require.Len(t, keys, c.sent, reason)
		require.Zero(t, left, reason)
		require.Equal(t, c.request.IdempotencyKey, keys[0], reason)
		if c.unknown {
			require.ErrorIs(t, err, client.ErrOutcomeUnknown, reason)
			continue
		}
		require.NoError(t, err, reason)
		text, err := io.ReadAll(response.Body)
		require.NoError(t, err, reason)
		require.True(t, json.Valid(text), reason)
		require.NoError(t, response.Body.Close(), reason)
	}
}

// A response that breaks off is an error of the call, and is not requested again.
func TestClient_Do_incomplete(t *testing.T) {
	t.Parallel()
	s := &script{steps: []step{abortWithin}}
	response, err := newOrigin(t, httpapi.Options{}, s.wrap).client(t, acmeKey).Do(t.Context(), client.Request{Method: http.MethodGet, Path: "/caller/get"})
	require.NoError(t, err)
	defer response.Body.Close() //nolint:errcheck // it is only read
	_, err = io.ReadAll(response.Body)
	require.ErrorIs(t, err, client.ErrResponse)
	keys, _ := s.seen()
	require.Len(t, keys, 1)
}
