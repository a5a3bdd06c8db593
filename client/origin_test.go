package client_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/client"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
	"github.com/apguard/apguard/webhook"
)

// The keys of the seed.
const (
	acmeKey      = "apg_acme"      // every scope of the public API, an organization and a user
	operatorKey  = "apg_operator"  // every scope, an organization and a user
	powerlessKey = "apg_powerless" // an organization and no scope
	looseKey     = "apg_loose"     // every scope and no organization
)

func seed() storage.Seed {
	at := time.Date(2025, 1, 5, 10, 0, 0, 0, time.UTC)
	return storage.Seed{
		Organizations: []storage.SeedOrganization{
			{ID: 1, Slug: "acme", Name: "Acme", Groups: []storage.SeedGroup{{ID: 7, Name: "Sites"}}},
		},
		Users: []account.User{{ID: 1, FullName: "Ada Lovelace", Email: "ada@acme.test"}},
		Keys: []storage.SeedKey{
			{Key: acmeKey, Organization: "acme", User: 1, Scopes: account.Scopes()},
			{
				Key: operatorKey, Organization: "acme", User: 1,
				Scopes: slices.Concat(account.Scopes(), account.OperatorScopes(), []account.Scope{account.ScopeOperatorAdmin}),
			},
			{Key: powerlessKey, Organization: "acme", User: 1, Scopes: []account.Scope{}},
			{Key: looseKey, Scopes: account.Scopes()},
		},
		Assets: []storage.SeedAsset{
			{Content: "https://bad.example.com", Status: asset.StatusBlocked, ChangedAt: at},
			{Content: "good.example.com", Status: asset.StatusAllowed, ChangedAt: at.Add(time.Hour)},
			{Content: "https://quiet.example.com"},
		},
		Reports: []storage.SeedReport{
			{
				ID: 1, Organization: "acme", Title: "Bad site", Description: "It lies", BrandID: 3, Reporter: 1, CreatedAt: at,
				Proposals: []storage.SeedProposal{{
					Content: "https://bad.example.com", ProposedStatus: asset.StatusBlocked,
					ReviewStatus: report.ReviewApprove, ReviewedBy: 1, ReviewedAt: at.Add(time.Minute),
				}},
			},
			{ID: 2, Organization: "acme", Title: "Another one", CreatedAt: at.Add(time.Hour)},
		},
	}
}

// origin is a server of the API.
type origin struct {
	guard *apguard.Guard
	url   string
	// operators is the base URL of the operators' API.
	operators string
}

// newOrigin starts a server on a seeded store. wrap changes its handler, or is nil.
func newOrigin(tb testing.TB, opts httpapi.Options, wrap func(http.Handler) http.Handler) origin {
	tb.Helper()
	store := memory.New()
	require.NoError(tb, store.Import(tb.Context(), seed()))
	guard := apguard.New(store, apguard.Options{})
	opts.RefusalDelay = -1 // tests do not wait for it
	api, err := httpapi.New(guard, httpapi.APIKeys(guard.Keys), opts)
	require.NoError(tb, err)
	mux := http.NewServeMux()
	api.Mount(mux, "/api/v2")
	mux.Handle("/api/v2/", http.StripPrefix("/api/v2", api))
	opts.TestWebhook = func(context.Context, int64) (webhook.Outcome, error) {
		return webhook.Outcome{Status: http.StatusTeapot, Failure: webhook.FailureStatus}, nil
	}
	operators, err := httpapi.NewOperator(guard, httpapi.APIKeys(guard.Keys), opts)
	require.NoError(tb, err)
	operators.Mount(mux, "/operator")
	handler := http.Handler(mux)
	if wrap != nil {
		handler = wrap(mux)
	}
	server := httptest.NewServer(handler)
	tb.Cleanup(server.Close)
	return origin{guard: guard, url: server.URL + "/api/v2", operators: server.URL + "/operator"}
}

// client returns a client with the key that does not wait between attempts.
func (o origin) client(tb testing.TB, key string) *client.Client {
	tb.Helper()
	return newClient(tb, o.url, client.Options{Key: key})
}

// operator returns an operator's client with the key of a user that does not wait between attempts.
func (o origin) operator(tb testing.TB) *client.Operator {
	tb.Helper()
	return newOperator(tb, o.operators, client.Options{Key: operatorKey})
}

// newClient returns a client that does not wait between attempts.
func newClient(tb testing.TB, url string, opts client.Options) *client.Client {
	tb.Helper()
	c, err := client.New(url, opts)
	require.NoError(tb, err)
	client.SetSleep(c, func(ctx context.Context, _ time.Duration) error { return ctx.Err() })
	return c
}

// newOperator returns an operator's client that does not wait between attempts.
func newOperator(tb testing.TB, url string, opts client.Options) *client.Operator {
	tb.Helper()
	o, err := client.NewOperator(url, opts)
	require.NoError(tb, err)
	client.SetOperatorSleep(o, func(ctx context.Context, _ time.Duration) error { return ctx.Err() })
	return o
}

// serve starts a server with the handler, and returns a client of it.
func serve(tb testing.TB, opts client.Options, handler http.HandlerFunc) *client.Client {
	tb.Helper()
	server := httptest.NewServer(handler)
	tb.Cleanup(server.Close)
	return newClient(tb, server.URL, opts)
}

// failure returns the *client.Error in an error.
func failure(tb testing.TB, err error) *client.Error {
	tb.Helper()
	var failed *client.Error
	require.ErrorAs(tb, err, &failed)
	return failed
}

// fill blocks n new assets.
func fill(tb testing.TB, o origin, n int) {
	tb.Helper()
	items := make([]asset.StatusItem, 0, n)
	for i := range n {
		identity := asset.Identity{Type: asset.TypePage, Canonical: fmt.Sprintf("site-%d.example.com", i)}
		items = append(items, asset.StatusItem{Identity: identity, Status: asset.StatusBlocked})
	}
	for part := range slices.Chunk(items, 1000) {
		_, err := o.guard.Assets.SetStatuses(tb.Context(), asset.SetStatusesRequest{Items: part})
		require.NoError(tb, err)
	}
}
