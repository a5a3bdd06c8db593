package deliver_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
	"github.com/apguard/apguard/webhook"
	"github.com/apguard/apguard/webhook/deliver"
)

// fixture is a store with services whose clock a test moves.
type fixture struct {
	t        *testing.T
	store    storage.Store
	feed     *asset.FeedService
	webhooks *webhook.Service
	events   chan deliver.Event

	mu  sync.Mutex
	now time.Time
}

func newFixture(t *testing.T, private bool) *fixture {
	t.Helper()
	return newFixtureOn(t, memory.New(), private)
}

func newFixtureOn(t *testing.T, store storage.Store, private bool) *fixture {
	t.Helper()
	f := &fixture{t: t, store: store, feed: asset.NewFeedService(store), events: make(chan deliver.Event, 10_000)}
	f.now = time.Date(2025, time.January, 5, 10, 0, 0, 0, time.UTC)
	f.webhooks = webhook.NewService(store, store, store, webhook.Options{Clock: f.clock, AllowPrivate: private})
	return f
}

func (f *fixture) clock() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()

	return f.now
}

// pass moves the clock.
func (f *fixture) pass(d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()

	f.now = f.now.Add(d)
}

// until moves the clock to a time, unless it is later.
func (f *fixture) until(at time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()

	if at.After(f.now) {
		f.now = at
	}
}

// sender returns a sender that looks often and reports to the events.
func (f *fixture) sender(opts deliver.Options) *deliver.Sender {
	f.t.Helper()
	opts.Interval = time.Millisecond
	opts.OnEvent = func(e deliver.Event) { f.events <- e }
	return deliver.New(f.webhooks, opts)
}

// publicSender is a sender for which all addresses are public.
func (f *fixture) publicSender(opts deliver.Options) *deliver.Sender {
	f.t.Helper()
	sender := f.sender(opts)
	sender.SetPublic(func(netip.Addr) bool { return true })
	return sender
}

// run runs a sender until the returned function is called, or the test ends.
func (f *fixture) run(sender *deliver.Sender) (stop func()) {
	f.t.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(f.t.Context()))
	ended := make(chan error, 1)
	go func() { ended <- sender.Run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		require.ErrorIs(f.t, <-ended, context.Canceled)
	})
	f.t.Cleanup(stop)
	return stop
}

// event returns the next event of that kind.
func (f *fixture) event(kind deliver.EventKind) deliver.Event {
	f.t.Helper()
	for {
		select {
		case e := <-f.events:
			if e.Kind == kind {
				return e
			}
			require.NotEqual(f.t, deliver.EventFailed, e.Kind, "%+v", e)
		case <-time.After(20 * time.Second):
			require.FailNow(f.t, "no such event", "%v", kind)
		}
	}
}

// create creates an endpoint.
func (f *fixture) create(url string, filter webhook.Filter) webhook.Endpoint {
	f.t.Helper()
	e, secret, err := f.webhooks.Create(f.t.Context(), webhook.CreateRequest{
		URL: url, Events: []webhook.EventType{webhook.EventStatusChanged}, Filter: filter,
	})
	require.NoError(f.t, err)
	e.Secret = secret
	return e
}

func (f *fixture) get(id int64) webhook.Endpoint {
	f.t.Helper()
	e, err := f.webhooks.Get(f.t.Context(), id)
	require.NoError(f.t, err)
	return e
}

// change sets the status of n new assets.
func (f *fixture) change(kind asset.Type, status asset.Status, n int) {
	f.t.Helper()
	require.NoError(f.t, f.tryChange(kind, status, n))
}

func (f *fixture) tryChange(kind asset.Type, status asset.Status, n int) error {
	feed, err := f.store.Feed(f.t.Context())
	if err != nil {
		return err
	}
	cmd := asset.SetStatusesCommand{Origin: asset.Origin{Cause: asset.CauseManual}, At: f.clock()}
	for i := range n {
		cmd.Items = append(cmd.Items, asset.StatusItem{
			Identity: asset.Identity{Type: kind, Canonical: fmt.Sprintf("https://%d-%d.example/", feed.Last, i)}, Status: status,
		})
	}
	_, err = f.store.SetAssetStatuses(f.t.Context(), cmd)
	return err
}

// block blocks n new URLs.
func (f *fixture) block(n int) {
	f.t.Helper()
	f.change(asset.TypeURL, asset.StatusBlocked, n)
}

// matching returns the assets of all changes of a status that a filter matches.
func (f *fixture) matching(filter webhook.Filter) []int64 {
	f.t.Helper()
	var assets []int64
	for entry, err := range f.feed.Follow(f.t.Context(), asset.FeedCursor{}) {
		require.NoError(f.t, err)
		if entry.Change.OfStatus() && filter.Matches(entry.Change) {
			assets = append(assets, entry.Change.AssetID)
		}
	}
	return assets
}

// received is a request that a receiver got.
type received struct {
	at     time.Time
	header http.Header
	id     string
	body   string
	assets []int64
}

// receiver is a server that records what it gets. answer writes the response.
type receiver struct {
	*httptest.Server
	answer http.HandlerFunc

	mu     sync.Mutex
	all    []received
	active int
	failed error // what was wrong with a request
}

// newReceiver starts a server. Without answer, it accepts all messages.
func newReceiver(t *testing.T, answer http.HandlerFunc) *receiver {
	t.Helper()
	r := &receiver{answer: answer}
	r.Server = httptest.NewServer(r)
	t.Cleanup(r.Close)
	return r
}

// ServeHTTP implements [http.Handler].
func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	r.record(req)
	defer func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.active--
	}()
	if r.answer != nil {
		r.answer(w, req)
	}
}

func (r *receiver) record(req *http.Request) {
	text, err := io.ReadAll(req.Body)
	var decoded struct {
		Data struct {
			Changes []struct {
				AssetID int64 `json:"assetId"`
			} `json:"changes"`
		} `json:"data"`
	}
	err = errors.Join(err, json.Unmarshal(text, &decoded))
	got := received{at: time.Now(), header: req.Header, id: req.Header.Get("webhook-id"), body: string(text)}
	for _, change := range decoded.Data.Changes {
		got.assets = append(got.assets, change.AssetID)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.active++
	if r.active > 1 {
		err = errors.Join(err, errors.New("two requests at a time"))
	}
	r.failed = errors.Join(r.failed, err)
	r.all = append(r.all, got)
}

// isIdle reports whether no request is being answered.
func (r *receiver) isIdle() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.active == 0
}

// messages returns the first request of each message so far.
func (r *receiver) messages() []received {
	var messages []received
	seen := make(map[string]bool)
	for _, got := range r.requests() {
		if !seen[got.id] {
			seen[got.id] = true
			messages = append(messages, got)
		}
	}
	return messages
}

// requests returns all requests so far.
func (r *receiver) requests() []received {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]received(nil), r.all...)
}

// assets returns the assets of all messages, each message once, in the order of the first attempts.
func (r *receiver) assets(t *testing.T) []int64 {
	t.Helper()
	bodies := make(map[string]string)
	var assets []int64
	for _, got := range r.requests() {
		if before, repeated := bodies[got.id]; repeated {
			require.Equal(t, before, got.body, "a repeated message is the same")
			continue
		}
		bodies[got.id] = got.body
		assets = append(assets, got.assets...)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	require.NoError(t, r.failed)
	return assets
}

// signature computes a signature without package webhook.
func signature(t *testing.T, secret webhook.Secret, header http.Header, body string) string {
	t.Helper()
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret.Reveal(), "whsec_"))
	require.NoError(t, err)
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(header.Get("webhook-id") + "." + header.Get("webhook-timestamp") + "." + body))
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// eventually waits until the condition is true.
func eventually(t *testing.T, condition func() bool) {
	t.Helper()
	for late := time.After(time.Minute); !condition(); {
		select {
		case <-late:
			require.FailNow(t, "the condition must become true")
		case <-time.After(time.Millisecond):
		}
	}
}

// status answers with a status code.
func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}
