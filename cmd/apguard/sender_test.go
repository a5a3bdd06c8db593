package main

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/webhook"
)

// openGuard opens the database of a server with the services of another process.
func openGuard(t *testing.T, db string) *apguard.Guard {
	t.Helper()
	store, err := openFile(t.Context(), db)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	return apguard.New(store, apguard.Options{PrivateWebhooks: true})
}

// createEndpoint creates an endpoint for changes of status.
func createEndpoint(t *testing.T, guard *apguard.Guard, url string) (webhook.Endpoint, webhook.Secret) {
	t.Helper()
	e, secret, err := guard.Webhooks.Create(t.Context(), webhook.CreateRequest{
		URL: url, Events: []webhook.EventType{webhook.EventStatusChanged},
	})
	require.NoError(t, err)
	return e, secret
}

// block blocks an asset, which is a change to send.
func block(t *testing.T, guard *apguard.Guard) {
	t.Helper()
	_, err := guard.SetStatus(t.Context(), "https://sent.example", asset.StatusBlocked, asset.Origin{})
	require.NoError(t, err)
}

// A server sends changes while it runs, and says so in its log and its metrics without URLs and
// secrets.
func TestSender_Server(t *testing.T) {
	t.Parallel()
	ids := make(chan string, 10)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/gone/token" {
			w.WriteHeader(http.StatusGone)
			return
		}
		ids <- r.Header.Get(webhook.HeaderID)
	}))
	t.Cleanup(receiver.Close)
	db := filepath.Join(t.TempDir(), "test.db")
	s := start(t, "-db", db, "-private-webhooks", "-metrics", "127.0.0.1:0")
	guard := openGuard(t, db)
	_, secret := createEndpoint(t, guard, receiver.URL+"/hook/token")
	gone, _ := createEndpoint(t, guard, receiver.URL+"/gone/token")
	block(t, guard)
	require.Regexp(t, `^msg_`, <-ids)
	require.Eventually(t, func() bool {
		e, err := guard.Webhooks.Get(t.Context(), gone.ID)
		return err == nil && e.State == webhook.StateDisabled && strings.Contains(s.logged(), "webhook delivered")
	}, time.Minute, 10*time.Millisecond)

	address := metricsOn.FindStringSubmatch(s.printed)[1]
	_, text := request(t, address, "", call{path: metricsPath})
	got := scrape(t, text)
	for sample, want := range map[string]float64{
		`apguard_webhook_messages_total`:                  1,
		`apguard_webhook_refused_total{failure="STATUS"}`: 1,
		`apguard_webhook_lost_total`:                      0,
		`apguard_webhook_errors_total`:                    0,
		`apguard_webhook_disabled{reason="GONE"}`:         1,
		`apguard_webhook_disabled{reason="FAILING"}`:      0,
		`apguard_webhook_pending`:                         0,
		`apguard_webhook_failing_seconds`:                 0,
	} {
		require.Contains(t, got, sample)
		require.InDelta(t, want, got[sample], 0, sample)
	}
	require.NoError(t, s.stop())
	for _, hidden := range []string{"token", receiver.URL, secret.Reveal()} {
		require.NotContains(t, s.logged()+text, hidden)
	}
	require.Contains(t, s.logged(), `level=ERROR msg="webhook disabled; it waits for an operator" endpoint=2 events=1 status=410 failure=STATUS reason=GONE`)
	require.Contains(t, s.logged(), `msg="webhook delivered" endpoint=1 events=1 status=200`)
}

// An operator creates a webhook through the API and tests it.
func TestSender_Operator(t *testing.T) {
	t.Parallel()
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusTeapot)
	}))
	t.Cleanup(receiver.Close)
	db := filepath.Join(t.TempDir(), "test.db")
	s := startDemo(t, noVariables, "-db", db, "-private-webhooks")
	key, _ := mustRun(t, noVariables, "keys", "create", "-db", db, "-scopes", "operator:write", "-user", "1")
	operators, key := operatorsOn.FindStringSubmatch(s.printed)[1], strings.TrimSpace(key)
	status, body := request(t, operators, key, call{path: "/webhook/create", body: `{"url":"` + receiver.URL + `","events":["asset.status_changed"]}`})
	require.Equal(t, http.StatusOK, status, body)
	status, body = request(t, operators, key, call{path: "/webhook/test", body: `{"id":1}`})
	require.Equal(t, http.StatusOK, status, body)
	require.JSONEq(t, `{"status":null,"failure":"CONNECTION"}`, body, "no more is told of a private receiver")
}

// Without the flag, no address of the server's own network is reached, no matter who has created the
// endpoint.
func TestSender_PrivateAddress(t *testing.T) {
	t.Parallel()
	receiver := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("the receiver was reached")
	}))
	t.Cleanup(receiver.Close)
	db := filepath.Join(t.TempDir(), "test.db")
	s := start(t, "-db", db)
	guard := openGuard(t, db)
	createEndpoint(t, guard, receiver.URL)
	block(t, guard)
	require.Eventually(t, func() bool {
		return strings.Contains(s.logged(), `level=WARN msg="webhook refused; trying again later" endpoint=1 events=1 status=0 failure=ADDRESS`)
	}, time.Minute, 10*time.Millisecond)
}

// A request that is under way when the server stops is given back, so that the next server sends
// the message again at once.
func TestSender_Stop(t *testing.T) {
	t.Parallel()
	arrived, held := make(chan string, 10), make(chan struct{})
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		arrived <- r.Header.Get(webhook.HeaderID)
		<-held
	}))
	release := sync.OnceFunc(func() { close(held) })
	t.Cleanup(func() { release(); receiver.Close() })
	db := filepath.Join(t.TempDir(), "test.db")
	first := start(t, "-db", db, "-private-webhooks")
	guard := openGuard(t, db)
	e, _ := createEndpoint(t, guard, receiver.URL)
	block(t, guard)
	id := <-arrived
	require.NoError(t, first.stop())
	e, err := guard.Webhooks.Get(t.Context(), e.ID)
	require.NoError(t, err)
	require.Zero(t, e.Failures)
	require.False(t, e.DueAt.After(time.Now()), "no lease is left")
	release()
	start(t, "-db", db, "-private-webhooks")
	require.Equal(t, id, <-arrived)
}
