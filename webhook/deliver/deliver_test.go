package deliver_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/step"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
	"github.com/apguard/apguard/webhook"
	"github.com/apguard/apguard/webhook/deliver"
)

func TestSender_Run(t *testing.T) {
	t.Parallel()
	f := newFixture(t, true)
	var headers atomic.Pointer[http.Header]
	r := newReceiver(t, func(_ http.ResponseWriter, req *http.Request) { headers.Store(&req.Header) })
	e := f.create(r.URL+"/hook", webhook.Filter{})
	f.run(f.sender(deliver.Options{}))
	f.block(250)
	total := 0
	for total < 250 {
		delivered := f.event(deliver.EventDelivered)
		require.Equal(t, e.ID, delivered.EndpointID)
		total += delivered.Events
	}
	require.Equal(t, f.matching(webhook.Filter{}), r.assets(t))
	require.Len(t, r.requests(), 3)
	require.Equal(t, "application/json", headers.Load().Get("Content-Type"))
	last := r.requests()[2]
	require.Equal(t, signature(t, e.Secret, *headers.Load(), last.body), headers.Load().Get("webhook-signature"))
	require.EqualValues(t, 250, f.get(e.ID).Place.Position)

	f.block(1)
	require.Equal(t, 1, f.event(deliver.EventDelivered).Events, "changes that come later")
}

// A failed message is repeated as it was, before all later ones.
func TestSender_Run_Retries(t *testing.T) {
	t.Parallel()
	f := newFixture(t, true)
	var failures atomic.Int64
	r := newReceiver(t, func(w http.ResponseWriter, _ *http.Request) {
		if failures.Add(1) <= 8 {
			w.WriteHeader(http.StatusInternalServerError)
		}
	})
	e := f.create(r.URL, webhook.Filter{})
	f.block(2)
	f.run(f.sender(deliver.Options{}))
	for range 8 {
		require.Equal(t, webhook.Outcome{Status: 500, Failure: webhook.FailureStatus, Private: true}, f.event(deliver.EventRefused).Outcome)
		f.block(1)
		f.until(f.get(e.ID).DueAt)
	}
	require.Equal(t, 2, f.event(deliver.EventDelivered).Events)
	require.Equal(t, 8, f.event(deliver.EventDelivered).Events)
	require.Equal(t, f.matching(webhook.Filter{}), r.assets(t))
	require.Len(t, r.requests(), 10)
}

func TestSender_Run_Filter(t *testing.T) {
	t.Parallel()
	f := newFixture(t, true)
	r := newReceiver(t, nil)
	filter := webhook.Filter{Types: []asset.Type{asset.TypePage}, Statuses: []asset.Status{asset.StatusAllowed}}
	e := f.create(r.URL, filter)
	f.run(f.sender(deliver.Options{}))
	for range 3 {
		f.block(700)
		f.change(asset.TypePage, asset.StatusBlocked, 20)
	}
	f.change(asset.TypePage, asset.StatusAllowed, 2)
	require.Equal(t, 2, f.event(deliver.EventDelivered).Events)
	require.Equal(t, f.matching(filter), r.assets(t))

	f.block(700) // nothing is sent, and the stored place follows nevertheless
	f.block(700)
	eventually(t, func() bool { return f.get(e.ID).Place.Position >= 2162+1000 })
	require.Len(t, r.requests(), 1)
}

// Neither a receiver that never answers nor one that fails delays another.
func TestSender_Run_Independence(t *testing.T) {
	t.Parallel()
	f := newFixture(t, true)
	hang := make(chan struct{})
	slow := newReceiver(t, func(http.ResponseWriter, *http.Request) { <-hang })
	defer close(hang)
	failing := newReceiver(t, status(http.StatusServiceUnavailable))
	r := newReceiver(t, nil)
	f.create(slow.URL, webhook.Filter{})
	f.create(failing.URL, webhook.Filter{})
	e := f.create(r.URL, webhook.Filter{})
	f.run(f.sender(deliver.Options{}))
	for range 20 {
		f.block(1)
		require.Equal(t, e.ID, f.event(deliver.EventDelivered).EndpointID)
	}
	require.Equal(t, f.matching(webhook.Filter{}), r.assets(t))
	require.LessOrEqual(t, len(slow.requests()), 1)
	require.Len(t, failing.requests(), 1)
}

// Receivers that begin to hang together do not delay another one until their time limit.
func TestSender_Run_ManyBeginToHang(t *testing.T) {
	t.Parallel()
	f := newFixture(t, true)
	hang := make(chan struct{})
	hanging := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-hang }))
	defer hanging.Close()
	defer close(hang)
	for i := range 300 {
		f.create(fmt.Sprintf("%s/%d", hanging.URL, i), webhook.Filter{})
	}
	e := f.create(newReceiver(t, nil).URL, webhook.Filter{})
	f.block(1)
	f.run(f.sender(deliver.Options{}))
	for range 5 {
		first := <-f.events
		require.Equal(t, deliver.EventDelivered, first.Kind, "no receiver may reach its time limit before: %+v", first)
		require.Equal(t, e.ID, first.EndpointID)
		f.block(1)
	}
}

// Endpoints that fail take half of the slots, even if their receivers hang.
func TestSender_Run_ManyHang(t *testing.T) {
	t.Parallel()
	f := newFixture(t, true)
	hang := make(chan struct{})
	defer close(hang)
	var hanging atomic.Int64
	for range 5 {
		var requests atomic.Int64
		failing := newReceiver(t, func(w http.ResponseWriter, _ *http.Request) {
			if requests.Add(1) > 1 {
				hanging.Add(1)
				<-hang
			}
			w.WriteHeader(http.StatusServiceUnavailable)
		})
		f.create(failing.URL, webhook.Filter{})
	}
	f.block(1)
	f.run(f.sender(deliver.Options{Concurrency: 2}))
	for range 5 {
		f.event(deliver.EventRefused)
	}
	r := newReceiver(t, nil)
	e := f.create(r.URL, webhook.Filter{})
	f.pass(time.Hour)
	eventually(t, func() bool { return hanging.Load() > 0 })
	for range 5 {
		f.block(1)
		require.Equal(t, e.ID, f.event(deliver.EventDelivered).EndpointID)
	}
	require.EqualValues(t, 1, hanging.Load())
}

// A place beyond the end is reported once, and the endpoint goes on when the end is there.
func TestSender_Run_FuturePlace(t *testing.T) {
	t.Parallel()
	store := &counting{Store: memory.New()}
	f := newFixtureOn(t, store, true)
	f.block(2)
	r := newReceiver(t, nil)
	e := f.create(r.URL, webhook.Filter{})
	feed, err := f.store.Feed(t.Context())
	require.NoError(t, err)
	_, err = f.store.UpdateEndpoint(t.Context(), e.ID, func(e webhook.Endpoint) (webhook.Endpoint, error) {
		e.Place = webhook.Place{Cursor: feed.Cursor(4), Position: 4}
		return e, nil
	}, audit.Entry{})
	require.NoError(t, err)
	f.run(f.sender(deliver.Options{}))
	failed := <-f.events
	require.Equal(t, deliver.EventFailed, failed.Kind)
	require.Equal(t, e.ID, failed.EndpointID)
	require.ErrorIs(t, failed.Err, asset.ErrFutureCursor)
	f.block(1)
	before := store.looks.Load()
	eventually(t, func() bool { return store.looks.Load() > before+2 }) // at the same error
	f.block(2)
	require.Equal(t, 1, f.event(deliver.EventDelivered).Events, "event fails the test if the error was reported again")
	require.Equal(t, []int64{5}, r.assets(t))
}

func TestSender_Run_Gone(t *testing.T) {
	t.Parallel()
	f := newFixture(t, true)
	r := newReceiver(t, status(http.StatusGone))
	e := f.create(r.URL, webhook.Filter{})
	f.run(f.sender(deliver.Options{}))
	f.block(1)
	disabled := f.event(deliver.EventDisabled)
	require.Equal(t, e.ID, disabled.EndpointID)
	require.Equal(t, webhook.ReasonGone, disabled.DisabledBy)
	require.Equal(t, webhook.StateDisabled, f.get(e.ID).State)
	require.Zero(t, f.get(e.ID).Place.Position)
}

func TestSender_Run_RetryAfter(t *testing.T) {
	t.Parallel()
	f := newFixture(t, true)
	r := newReceiver(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "3600")
		w.WriteHeader(http.StatusTooManyRequests)
	})
	e := f.create(r.URL, webhook.Filter{})
	f.run(f.sender(deliver.Options{}))
	f.block(1)
	require.Equal(t, 429, f.event(deliver.EventRefused).Outcome.Status)
	wait := f.get(e.ID).DueAt.Sub(f.clock())
	require.GreaterOrEqual(t, wait, time.Hour)
	require.LessOrEqual(t, wait, 66*time.Minute)
}

func TestSender_Run_Redirect(t *testing.T) {
	t.Parallel()
	f := newFixture(t, true)
	target := newReceiver(t, nil)
	for _, code := range []int{301, 302, 303, 307, 308} {
		r := newReceiver(t, func(w http.ResponseWriter, req *http.Request) { http.Redirect(w, req, target.URL, code) })
		e := f.create(r.URL, webhook.Filter{})
		outcome, err := f.publicSender(deliver.Options{}).Test(t.Context(), e.ID)
		require.NoError(t, err)
		require.Equal(t, webhook.Outcome{Status: code, Failure: webhook.FailureRedirect}, outcome)
	}
	require.Empty(t, target.requests())
}

// A sender that is killed leaves its lease. Another one waits for the end of it and sends the same
// message.
func TestSender_Run_AfterAKill(t *testing.T) {
	t.Parallel()
	f := newFixture(t, true)
	r := newReceiver(t, nil)
	e := f.create(r.URL, webhook.Filter{})
	other := f.create(r.URL, webhook.Filter{Types: []asset.Type{asset.TypePage}})
	f.block(3)
	entry, err := f.feed.Since(t.Context(), asset.FeedCursor{}, 1)
	require.NoError(t, err)
	seen := f.get(e.ID)
	killed, err := f.webhooks.Take(t.Context(), seen, seen.Choose(webhook.Place{}, []webhook.Entry{
		{Change: entry[0].Change, Cursor: entry[0].Cursor, Position: 1},
	}))
	require.NoError(t, err)

	f.change(asset.TypePage, asset.StatusBlocked, 1) // before the sender reads, so that it reads one page
	f.run(f.sender(deliver.Options{}))
	require.Equal(t, other.ID, f.event(deliver.EventDelivered).EndpointID, "the other endpoint does not wait")
	require.Len(t, r.requests(), 1)
	f.pass(webhook.LeaseTime)
	require.Equal(t, 1, f.event(deliver.EventDelivered).Events)
	require.Equal(t, 3, f.event(deliver.EventDelivered).Events)
	require.Equal(t, killed.Choice.Message.ID, r.requests()[1].id)
	require.Equal(t, string(killed.Choice.Message.Body), r.requests()[1].body)
	_, err = f.webhooks.Record(t.Context(), killed, webhook.Outcome{Status: 200})
	require.ErrorIs(t, err, webhook.ErrLeaseLost)
}

// A sender that stops gives back what it is sending, so that the next one need not wait.
func TestSender_Run_AfterAStop(t *testing.T) {
	t.Parallel()
	f := newFixture(t, true)
	asked, hang := make(chan struct{}, 10), make(chan struct{})
	var requests atomic.Int64
	r := newReceiver(t, func(http.ResponseWriter, *http.Request) {
		asked <- struct{}{}
		if requests.Add(1) == 1 {
			<-hang
		}
	})
	e := f.create(r.URL, webhook.Filter{})
	stop := f.run(f.sender(deliver.Options{}))
	f.block(1)
	<-asked
	stop()
	close(hang)
	eventually(t, r.isIdle)
	require.Zero(t, f.get(e.ID).Failures)
	f.run(f.sender(deliver.Options{}))
	f.event(deliver.EventDelivered)
	require.Equal(t, f.matching(webhook.Filter{}), r.assets(t))
	require.Len(t, r.requests(), 2)
}

// readOnly is a store that only reads.
type readOnly struct{ storage.Store }

func (readOnly) UpdateEndpoint(context.Context, int64, func(webhook.Endpoint) (webhook.Endpoint, error), audit.Entry) (webhook.Endpoint, error) {
	return webhook.Endpoint{}, asset.ErrReadOnly
}

func TestSender_Run_ReadOnly(t *testing.T) {
	t.Parallel()
	f := newFixtureOn(t, readOnly{memory.New()}, true)
	r := newReceiver(t, nil)
	f.create(r.URL, webhook.Filter{})
	f.block(1)
	require.ErrorIs(t, f.sender(deliver.Options{}).Run(t.Context()), asset.ErrReadOnly)
	require.Empty(t, r.requests())
}

func TestSender_Run_LostPlace(t *testing.T) {
	t.Parallel()
	f := newFixture(t, true)
	r := newReceiver(t, nil)
	e := f.create(r.URL, webhook.Filter{})
	f.block(3)
	foreign := asset.Feed{Store: asset.StoreID{1}, Last: 77}
	_, err := f.store.UpdateEndpoint(t.Context(), e.ID, func(e webhook.Endpoint) (webhook.Endpoint, error) {
		e.Place = webhook.Place{Cursor: foreign.End(), Position: 77}
		e.Batch = webhook.Batch{First: 70, Last: 76}
		return e, nil
	}, audit.Entry{})
	require.NoError(t, err)
	f.run(f.sender(deliver.Options{}))
	require.Equal(t, e.ID, f.event(deliver.EventLost).EndpointID)
	require.Equal(t, 3, f.event(deliver.EventDelivered).Events)
	require.Equal(t, f.matching(webhook.Filter{}), r.assets(t))
}

// counting counts the reads of the feed and of its state.
type counting struct {
	storage.Store
	since, looks atomic.Int64
}

func (c *counting) Feed(ctx context.Context) (asset.Feed, error) {
	c.looks.Add(1)
	return c.Store.Feed(ctx)
}

func (c *counting) Since(ctx context.Context, after asset.FeedCursor, limit int) (step.Page[asset.FeedEntry], error) {
	c.since.Add(1)
	return c.Store.Since(ctx, after, limit)
}

// Endpoints share what is read of the feed, and those with nothing to send are not written.
func TestSender_Run_SharedPages(t *testing.T) {
	t.Parallel()
	store := &counting{Store: memory.New()}
	f := newFixtureOn(t, store, true)
	f.block(100)
	r := newReceiver(t, nil)
	filter := webhook.Filter{Types: []asset.Type{asset.TypePage}}
	for range 500 {
		f.create("http://localhost:1/", filter)
	}
	f.create(r.URL, webhook.Filter{})
	sender := f.sender(deliver.Options{})
	f.run(sender)
	for range 5 {
		f.block(1)
		f.event(deliver.EventDelivered)
	}
	eventually(t, func() bool { return sender.Examined() >= 500 })
	require.LessOrEqual(t, store.since.Load(), int64(20))
	require.EqualValues(t, 100, f.get(1).Place.Position)
}

func TestSender_Test(t *testing.T) {
	t.Parallel()
	f := newFixture(t, true)
	r := newReceiver(t, status(http.StatusNoContent))
	e := f.create(r.URL, webhook.Filter{})
	_, err := f.webhooks.Pause(t.Context(), e.ID)
	require.NoError(t, err)
	before := f.get(e.ID)
	outcome, err := f.sender(deliver.Options{}).Test(t.Context(), e.ID)
	require.NoError(t, err)
	require.Equal(t, webhook.Outcome{Status: 204}, outcome)
	require.Contains(t, r.requests()[0].body, `"type":"webhook.test"`)
	require.Equal(t, before, f.get(e.ID))
	_, err = f.sender(deliver.Options{}).Test(t.Context(), 99)
	require.ErrorIs(t, err, webhook.ErrNotFound)
}

func TestSender_Proxy(t *testing.T) {
	t.Parallel()
	var asked atomic.Pointer[url.URL]
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		asked.Store(req.URL)
		w.WriteHeader(http.StatusAccepted)
	}))
	defer proxy.Close()
	f := newFixture(t, true)
	e := f.create("http://receiver.example/hook", webhook.Filter{})
	through, err := url.Parse(proxy.URL)
	require.NoError(t, err)
	outcome, err := f.sender(deliver.Options{Proxy: http.ProxyURL(through)}).Test(t.Context(), e.ID)
	require.NoError(t, err)
	require.Equal(t, 202, outcome.Status)
	require.Equal(t, "receiver.example", asked.Load().Host)
}

// A response is not read to its end, and does not count beyond its status.
func TestSender_LargeBody(t *testing.T) {
	t.Parallel()
	const size = 100 << 20
	f := newFixture(t, true)
	written := make(chan int64, 1)
	r := newReceiver(t, func(w http.ResponseWriter, _ *http.Request) {
		n, _ := io.Copy(w, io.LimitReader(zeros{}, size))
		written <- n
	})
	e := f.create(r.URL, webhook.Filter{})
	outcome, err := f.sender(deliver.Options{}).Test(t.Context(), e.ID)
	require.NoError(t, err)
	require.True(t, outcome.Succeeded())
	require.Less(t, <-written, int64(size))
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func TestSender_Timeouts(t *testing.T) {
	t.Parallel()
	testsize.NotShort(t)
	f := newFixture(t, true)
	end := make(chan struct{})
	drip := func(w io.Writer, text string) {
		for b := range strings.SplitSeq(text+strings.Repeat("x", 1<<20), "") {
			if _, err := w.Write([]byte(b)); err != nil {
				return
			}
			if flusher, ok := w.(http.Flusher); ok {
				flusher.Flush()
			}
			select {
			case <-end:
				return
			case <-time.After(10 * time.Millisecond):
			}
		}
	}
	defer close(end)
	for reason, one := range map[string]struct {
		answer http.HandlerFunc
		want   webhook.Outcome
	}{
		"never answering": {func(http.ResponseWriter, *http.Request) { <-end }, webhook.Outcome{Failure: webhook.FailureTimeout}},
		"headers byte by byte": {func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := w.(http.Hijacker).Hijack()
			if err == nil {
				defer conn.Close() //nolint:errcheck // the client has gone
				drip(conn, "HTTP/1.1 200 OK\r\nX: ")
			}
		}, webhook.Outcome{Failure: webhook.FailureTimeout}},
		"body byte by byte": {func(w http.ResponseWriter, _ *http.Request) { drip(w, "") }, webhook.Outcome{Status: 200}},
		"headers that do not end": {func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := w.(http.Hijacker).Hijack()
			if err == nil {
				defer conn.Close() //nolint:errcheck // the client has gone
				_, _ = conn.Write(append([]byte("HTTP/1.1 200 OK\r\nX: "), bytes.Repeat([]byte("x"), 1<<20)...))
			}
		}, webhook.Outcome{Failure: webhook.FailureConnection}},
		"closing the connection": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
			webhook.Outcome{Failure: webhook.FailureConnection}},
	} {
		r := newReceiver(t, one.answer)
		e := f.create(r.URL, webhook.Filter{})
		timeout := 3 * time.Second // time for the status, on a busy machine
		if one.want.Failure == webhook.FailureTimeout {
			timeout = 200 * time.Millisecond
		}
		outcome, err := f.publicSender(deliver.Options{Timeout: timeout}).Test(t.Context(), e.ID)
		require.NoError(t, err)
		require.Equal(t, one.want, outcome, reason)
	}
}

// A batch that another sender has sent is repeated whole, even if this sender has read the feed in
// smaller pages.
func TestSender_Run_BatchAcrossPages(t *testing.T) {
	t.Parallel()
	f := newFixture(t, true)
	r, other := newReceiver(t, nil), newReceiver(t, nil)
	f.create(other.URL, webhook.Filter{})
	e := f.create(r.URL, webhook.Filter{})
	_, err := f.webhooks.Pause(t.Context(), e.ID)
	require.NoError(t, err)
	f.run(f.sender(deliver.Options{}))
	for range 3 {
		f.block(2)
		require.Equal(t, 2, f.event(deliver.EventDelivered).Events)
	}
	_, err = f.store.UpdateEndpoint(t.Context(), e.ID, func(e webhook.Endpoint) (webhook.Endpoint, error) {
		e.State, e.Batch, e.DueAt = webhook.StateActive, webhook.Batch{First: 1, Last: 5}, f.clock()
		return e, nil
	}, audit.Entry{})
	require.NoError(t, err)
	require.Equal(t, 5, f.event(deliver.EventDelivered).Events)
	require.Equal(t, 1, f.event(deliver.EventDelivered).Events)
	require.Equal(t, f.matching(webhook.Filter{}), r.assets(t))
}
