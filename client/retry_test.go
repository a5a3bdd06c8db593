package client_test

import (
	"context"
	"io"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/client"
	"github.com/apguard/apguard/httpapi"
)

// A step answers a request, or breaks the connection.
type step func(w http.ResponseWriter, next http.Handler, r *http.Request)

// answer is a step that answers itself.
func answer(status int, retryAfter, body string) step {
	return func(w http.ResponseWriter, _ http.Handler, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if retryAfter != "" {
			w.Header().Set("Retry-After", retryAfter)
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// abort breaks the connection before the request is executed.
func abort(http.ResponseWriter, http.Handler, *http.Request) { panic(http.ErrAbortHandler) }

// abortAfter executes the request, and breaks the connection before the response.
func abortAfter(_ http.ResponseWriter, next http.Handler, r *http.Request) {
	next.ServeHTTP(discard{}, r)
	panic(http.ErrAbortHandler)
}

// abortWithin executes the request, and breaks the connection within the response.
func abortWithin(w http.ResponseWriter, next http.Handler, r *http.Request) {
	next.ServeHTTP(discard{}, r)
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, `{"results":[`)
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}

// pass serves the request.
func pass(w http.ResponseWriter, next http.Handler, r *http.Request) { next.ServeHTTP(w, r) }

// discard is a response that is not sent.
type discard struct{}

func (discard) Header() http.Header         { return make(http.Header) }
func (discard) Write(p []byte) (int, error) { return len(p), nil }
func (discard) WriteHeader(int)             {}

// script is a handler that answers requests by its steps, and those after the last one as usual.
type script struct {
	mu    sync.Mutex
	steps []step
	// keys are the idempotency keys of the requests.
	keys []string
}

func (s *script) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		do := step(pass)
		if len(s.steps) > 0 {
			do, s.steps = s.steps[0], s.steps[1:]
		}
		s.keys = append(s.keys, r.Header.Get("Idempotency-Key"))
		s.mu.Unlock()
		do(w, next, r)
	})
}

// seen returns the idempotency keys of the requests so far, and how many steps are left.
func (s *script) seen() (keys []string, left int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.keys), len(s.steps)
}

const unknownBody = `{"error":{"code":"SERVICE_UNAVAILABLE","message":"The request may have been executed; repeat it"}}`

// A write that is answered badly in any way is repeated with the same key until it has its answer, and
// changes something once.
func TestClient_retries(t *testing.T) {
	t.Parallel()
	for reason, steps := range map[string][]step{
		"limits":                 {answer(429, "1", ""), answer(503, "1", "not JSON")},
		"in progress":            {answer(409, "1", "{}")},
		"proxy":                  {answer(502, "", "<html>"), answer(504, "", "")},
		"broken before":          {abort, abort},
		"broken after":           {abortAfter},
		"broken within":          {abortWithin, abort},
		"executed, then limited": {abortAfter, answer(429, "1", ""), abort, answer(503, "1", "")},
		"outcome unknown":        {answer(503, "5", unknownBody)},
	} {
		s := &script{steps: steps}
		o := newOrigin(t, httpapi.Options{}, s.wrap)
		added, err := o.client(t, acmeKey).AddToAllowlist(t.Context(), client.AddRequest{Assets: []client.Item{{Content: "shop.dev"}}})
		require.NoError(t, err, reason)
		require.Equal(t, 1, added.SuccessCount, reason)
		keys, _ := s.seen()
		require.Len(t, keys, len(steps)+1, reason)
		require.NotEmpty(t, keys[0])
		require.Len(t, slices.Compact(keys), 1, reason)
	}
}

// Reads are repeated too, without a key.
func TestClient_retries_reads(t *testing.T) {
	t.Parallel()
	s := &script{steps: []step{abort, answer(429, "1", ""), answer(503, "1", ""), answer(502, "", "")}}
	verdict, err := newOrigin(t, httpapi.Options{}, s.wrap).client(t, acmeKey).Check(t.Context(), "good.example.com")
	require.NoError(t, err)
	require.Equal(t, asset.StatusAllowed, verdict.Status)
	keys, _ := s.seen()
	require.Equal(t, []string{"", "", "", "", ""}, keys)
}

// What a caller of a write must know when it fails.
func TestClient_outcome(t *testing.T) {
	t.Parallel()
	denied := answer(429, "1", `{"error":{"code":"TOO_MANY_REQUESTS","message":"Too many requests"}}`)
	for reason, c := range map[string]struct {
		steps   []step
		want    []error
		not     []error
		unknown bool
	}{
		"limited":                  {[]step{denied, denied}, []error{client.ErrRateLimited}, []error{client.ErrUnavailable}, false},
		"unavailable":              {[]step{answer(503, "1", ""), answer(503, "1", "")}, []error{client.ErrUnavailable}, nil, false},
		"broken":                   {[]step{abort, abort}, []error{client.ErrOutcomeUnknown}, []error{client.ErrUnavailable}, true},
		"broken, then limited":     {[]step{abort, denied}, []error{client.ErrOutcomeUnknown, client.ErrRateLimited}, nil, true},
		"broken, then unavailable": {[]step{abort, answer(503, "1", "")}, []error{client.ErrOutcomeUnknown}, []error{client.ErrUnavailable}, true},
		"broken, then invalid":     {[]step{abort, answer(400, "", "{}")}, []error{client.ErrInvalid}, []error{client.ErrOutcomeUnknown}, false},
		"broken, then refused":     {[]step{abort, answer(401, "", "{}")}, []error{client.ErrOutcomeUnknown, client.ErrUnauthorized}, nil, true},
		"outcome unknown":          {[]step{answer(503, "1", unknownBody), answer(503, "1", unknownBody)}, []error{client.ErrOutcomeUnknown}, []error{client.ErrUnavailable}, true},
		"in progress":              {[]step{answer(409, "1", "{}"), answer(409, "1", "{}")}, []error{client.ErrInProgress}, nil, false},
		"gateway":                  {[]step{answer(502, "", ""), answer(504, "", "")}, []error{client.ErrOutcomeUnknown}, []error{client.ErrUnavailable}, true},
		"incomplete":               {[]step{abortWithin, abortWithin}, []error{client.ErrOutcomeUnknown, client.ErrResponse, io.ErrUnexpectedEOF}, nil, true},
		"not the API":              {[]step{answer(200, "", `{}`)}, []error{client.ErrOutcomeUnknown, client.ErrResponse}, nil, true},
		"no content":               {[]step{answer(204, "", "")}, []error{client.ErrOutcomeUnknown, client.ErrResponse}, nil, true},
		"server error":             {[]step{answer(500, "", "{}")}, nil, []error{client.ErrOutcomeUnknown, client.ErrUnavailable}, false},
	} {
		s := &script{steps: c.steps}
		o := newOrigin(t, httpapi.Options{}, s.wrap)
		impatient := newClient(t, o.url, client.Options{Key: acmeKey, Retries: 1})
		request := client.AddRequest{Assets: []client.Item{{Content: "shop.dev"}}}
		_, err := impatient.AddToAllowlist(t.Context(), request)
		for _, want := range c.want {
			require.ErrorIs(t, err, want, reason)
		}
		for _, not := range c.not {
			require.NotErrorIs(t, err, not, reason)
		}
		failed := failure(t, err)
		require.Equal(t, c.unknown, failed.OutcomeUnknown, reason)
		keys, left := s.seen()
		require.Equal(t, keys[0], failed.IdempotencyKey, reason)
		require.Zero(t, left, reason)

		request.IdempotencyKey = failed.IdempotencyKey
		added, err := impatient.AddToAllowlist(t.Context(), request)
		require.NoError(t, err, reason)
		require.Equal(t, 1, added.SuccessCount, "%s: it is repeated", reason)
	}
}

// A change without a key is never sent again once it may have been executed.
func TestOperator_once(t *testing.T) {
	t.Parallel()
	denied := answer(429, "1", "{}")
	for reason, c := range map[string]struct {
		steps   []step
		want    error
		unknown bool
	}{
		"limits":          {[]step{denied, answer(503, "1", "{}")}, nil, false},
		"broken":          {[]step{denied, abort}, client.ErrOutcomeUnknown, true},
		"broken within":   {[]step{abortWithin}, client.ErrOutcomeUnknown, true},
		"gateway":         {[]step{answer(504, "", "")}, client.ErrOutcomeUnknown, true},
		"outcome unknown": {[]step{answer(503, "1", unknownBody)}, client.ErrOutcomeUnknown, true},
		"conflict":        {[]step{answer(409, "", "{}")}, client.ErrConflict, false},
		"server error":    {[]step{answer(500, "", "{}")}, nil, false},
	} {
		s := &script{steps: c.steps}
		o := newOrigin(t, httpapi.Options{}, s.wrap)
		_, err := o.operator(t).SetStatuses(t.Context(), client.SetStatusesRequest{
			Items: []client.StatusItem{{Content: "shop.dev", Status: asset.StatusBlocked}},
		})
		keys, _ := s.seen()
		if reason == "limits" {
			require.NoError(t, err, reason)
			require.Equal(t, []string{"", "", ""}, keys, reason)
			continue
		}
		require.Len(t, keys, len(c.steps), reason)
		if c.want != nil {
			require.ErrorIs(t, err, c.want, reason)
		}
		require.Equal(t, c.unknown, failure(t, err).OutcomeUnknown, reason)
		require.Empty(t, failure(t, err).IdempotencyKey, reason)
	}
}

// pauses returns a client that records how long it waits between attempts.
func pauses(t *testing.T, opts client.Options, status int, retryAfter string) (c *client.Client, delays *[]time.Duration) {
	t.Helper()
	c = serve(t, opts, func(w http.ResponseWriter, r *http.Request) { answer(status, retryAfter, "{}")(w, nil, r) })
	delays = new([]time.Duration)
	client.SetSleep(c, func(_ context.Context, delay time.Duration) error {
		*delays = append(*delays, delay)
		return nil
	})
	return c, delays
}

func TestClient_retryAfter(t *testing.T) {
	t.Parallel()
	for reason, test := range map[string]struct {
		opts       client.Options
		status     int
		retryAfter string
		want       int
	}{
		"default":                          {client.Options{}, 429, "7", client.DefaultRetries},
		"fewer":                            {client.Options{Retries: 2}, 503, "7", 2},
		"none":                             {client.Options{Retries: -1}, 503, "7", 0},
		"longer than the time":             {client.Options{RetryTime: 6 * time.Second}, 429, "7", 0},
		"longer than the default time":     {client.Options{}, 429, "61", 0},
		"very long":                        {client.Options{}, 429, "99999999999999999999", 0},
		"a date":                           {client.Options{}, 429, "Wed, 21 Oct 2065 07:28:00 GMT", 0},
		"a server that only reads":         {client.Options{}, 503, "", 0},
		"a status that is not worth it":    {client.Options{}, 500, "7", 0},
		"a negative time is no short time": {client.Options{}, 429, "-1", 0},
	} {
		c, delays := pauses(t, test.opts, test.status, test.retryAfter)
		_, err := c.Check(t.Context(), "x.dev")
		require.Equal(t, test.status, failure(t, err).Status, reason)
		require.Len(t, *delays, test.want, reason)
		for _, delay := range *delays {
			require.GreaterOrEqual(t, delay, 7*time.Second, reason)
			require.Less(t, delay, 8*time.Second, reason)
		}
		if test.retryAfter == "7" {
			require.Equal(t, 7*time.Second, failure(t, err).RetryAfter, reason)
		}
	}
}

func TestClient_deadline(t *testing.T) {
	t.Parallel()
	c, delays := pauses(t, client.Options{}, 429, "7")
	ctx, cancel := context.WithTimeout(t.Context(), 6*time.Second)
	defer cancel()
	_, err := c.Check(ctx, "x.dev")
	require.ErrorIs(t, err, client.ErrRateLimited)
	require.Empty(t, *delays, "it would wait until after the deadline")
}

// The context ends a request that is under way, the time between attempts, and a call before it begins.
func TestClient_canceled(t *testing.T) {
	t.Parallel()
	arrived := make(chan struct{})
	c := serve(t, client.Options{}, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // so that the server notices the end of the connection
		arrived <- struct{}{}
		<-r.Context().Done()
	})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-arrived
		cancel()
	}()
	_, err := c.CreateDispute(ctx, client.DisputeRequest{Content: "x.dev"})
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorIs(t, err, client.ErrOutcomeUnknown)
	require.NotErrorIs(t, err, client.ErrUnavailable)

	_, err = c.CreateDispute(ctx, client.DisputeRequest{Content: "x.dev"})
	require.ErrorIs(t, err, context.Canceled)
	require.NotErrorIs(t, err, client.ErrOutcomeUnknown, "it was not sent")

	waiting := serve(t, client.Options{}, func(w http.ResponseWriter, r *http.Request) { answer(429, "1", "{}")(w, nil, r) })
	ctx, cancel = context.WithCancel(t.Context())
	client.SetSleep(waiting, func(ctx context.Context, _ time.Duration) error {
		cancel()
		return ctx.Err()
	})
	_, err = waiting.Check(ctx, "x.dev")
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorIs(t, err, client.ErrRateLimited)
}

// A server that accepts a request and then says nothing is left after the timeout.
func TestClient_silence(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	defer close(release)
	for _, begins := range []bool{false, true} {
		c := serve(t, client.Options{Timeout: 20 * time.Millisecond, Retries: -1}, func(w http.ResponseWriter, _ *http.Request) {
			if begins {
				w.Header().Set("Content-Type", "application/json")
				_, _ = io.WriteString(w, `{"changelog":[`)
				_ = http.NewResponseController(w).Flush()
			}
			<-release
		})
		_, err := last(t, c.Changelog(t.Context(), client.ChangelogRequest{}))
		require.ErrorContains(t, err, "the server has sent nothing")
		require.ErrorIs(t, err, client.ErrUnavailable)
	}
}

func TestClient_unreachable(t *testing.T) {
	t.Parallel()
	c := newClient(t, "http://127.0.0.1:1", client.Options{Key: "apg_secret"})
	_, err := c.CreateDispute(t.Context(), client.DisputeRequest{Content: "x.dev"})
	require.ErrorIs(t, err, client.ErrUnavailable)
	require.NotErrorIs(t, err, client.ErrOutcomeUnknown, "nothing was sent")
	require.Zero(t, failure(t, err).Status)
	require.NotContains(t, err.Error(), "secret")
}
