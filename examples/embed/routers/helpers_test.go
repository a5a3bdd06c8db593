package routers_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/examples/embed/routers"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
)

// key is the key of the seed, with all scopes.
const key = "apg_acme"

// hosts returns all ways to mount the operations.
func hosts() map[string]host {
	return map[string]host{
		"ServeMux":             {mount: routers.ServeMux, answers404: true},
		"ServeMuxWithCatchAll": {mount: routers.ServeMuxWithCatchAll},
		"Chi":                  {mount: routers.Chi, answers404: true},
		"ChiBeside":            {mount: routers.ChiBeside},
		"ChiMounted":           {mount: routers.ChiMounted},
		"Gorilla":              {mount: routers.Gorilla, answers404: true},
		"GorillaByMethod":      {mount: routers.GorillaByMethod, answers404: true},
		"Echo":                 {mount: routers.Echo, answers404: true},
	}
}

// host is a way to mount the operations.
type host struct {
	mount func(api *httpapi.API, base string) http.Handler
	// answers404 reports whether the API answers unknown paths below the base.
	answers404 bool
}

// seed returns an organization with a group and a key, and one blocked asset.
func seed() storage.Seed {
	return storage.Seed{
		Organizations: []storage.SeedOrganization{{ID: 1, Slug: "acme", Name: "Acme", Groups: []storage.SeedGroup{{ID: 7, Name: "Sites"}}}},
		Users:         []account.User{{ID: 1, FullName: "Ada Acme", Email: "ada@acme.example"}},
		Keys:          []storage.SeedKey{{Key: key, Organization: "acme", User: 1, Scopes: account.Scopes()}},
		Assets: []storage.SeedAsset{{
			Content: "https://bad.example", Status: asset.StatusBlocked,
			ChangedAt: time.Date(2025, time.January, 5, 10, 0, 0, 0, time.UTC),
		}},
	}
}

// seeded returns a store with the seed.
func seeded(t *testing.T) storage.Store {
	t.Helper()
	store := memory.New()
	require.NoError(t, store.Import(t.Context(), seed()))
	return store
}

// newAPI returns the operations on the store.
func newAPI(t *testing.T, store storage.Store) *httpapi.API {
	t.Helper()
	guard := apguard.New(store, apguard.Options{})
	api, err := httpapi.New(guard, httpapi.APIKeys(guard.Keys), httpapi.Options{})
	require.NoError(t, err)
	return api
}

// server is a host that listens on a real port.
type server struct {
	url string
	// ctx has a timeout, so that a test fails instead of hanging.
	ctx context.Context //nolint:containedctx // it is the context of one test
	// leave makes the client disconnect.
	leave context.CancelFunc
}

func serve(t *testing.T, handler http.Handler) server {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	t.Cleanup(s.CloseClientConnections) // before Close, which waits for connections in use
	return server{url: s.URL, ctx: ctx, leave: cancel}
}

// request returns a request with the key and a JSON body.
func (s server) request(t *testing.T, method, path, body string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(s.ctx, method, s.url+path, strings.NewReader(body))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-API-KEY", key)
	return r
}

// send sends a request and returns the reply, whose body the caller closes.
// Redirects are not followed.
func send(t *testing.T, r *http.Request) *http.Response {
	t.Helper()
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Do(r)
	require.NoError(t, err)
	return response
}

// reply is a whole reply.
type reply struct {
	status int
	header http.Header
	body   string
}

// do sends a request and reads the whole reply.
func do(t *testing.T, r *http.Request) reply {
	t.Helper()
	response := send(t, r)
	defer func() { require.NoError(t, response.Body.Close()) }()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return reply{response.StatusCode, response.Header, string(body)}
}
