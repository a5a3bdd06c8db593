package main

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"sync"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/webhook"
)

// metricsPath is the path of the metrics on their separate listener.
const metricsPath = "/metrics"

// metrics is an [httpapi.Observer] that counts requests. It serves its counts, and what the other
// fields count, in the text format of Prometheus, version 0.0.4. Labels contain no text from clients,
// so clients cannot make the metrics grow.
type metrics struct {
	mu         sync.Mutex
	requests   map[outcome]int64
	operations map[string]*figures
	deliveries deliveries
	work       *work
}

// outcome is the key by which requests are counted.
type outcome struct {
	operation, method string
	status            int
}

// figures are the sums over the requests of one operation.
type figures struct {
	failed, aborted, gone int64
	received, sent        int64
	// within has the number of requests between consecutive durationBounds, and last the
	// number beyond the greatest bound.
	within  []int64
	seconds float64
}

// durationBounds are the upper bounds of the histogram, in seconds.
func durationBounds() []float64 {
	return []float64{0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30}
}

func newMetrics() *metrics {
	return &metrics{
		requests:   make(map[outcome]int64),
		operations: make(map[string]*figures),
		deliveries: deliveries{refused: make(map[webhook.Failure]int64)},
		work:       newWork(),
	}
}

// Observe implements [httpapi.Observer].
func (m *metrics) Observe(_ context.Context, e httpapi.RequestInfo) {
	operation := cmp.Or(e.Operation, "other")
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests[outcome{operation, cmp.Or(e.Method, "other"), e.Status}]++
	f := m.operations[operation]
	if f == nil {
		f = &figures{within: make([]int64, len(durationBounds())+1)}
		m.operations[operation] = f
	}
	f.add(e)
}

func (f *figures) add(e httpapi.RequestInfo) {
	if e.Err != nil {
		f.failed++
	}
	if e.Aborted {
		f.aborted++
	}
	if e.ClientGone {
		f.gone++
	}
	f.received += e.Received
	f.sent += e.Sent
	seconds := e.Duration.Seconds()
	f.seconds += seconds
	bucket, _ := slices.BinarySearch(durationBounds(), seconds)
	f.within[bucket]++
}

// handler returns a handler that serves only the metrics.
func (m *metrics) handler(guard *apguard.Guard, store storage.Store) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+metricsPath, func(w http.ResponseWriter, r *http.Request) {
		replyMetrics(w, m.text(), m.work.text(), m.deliveries.text(), storeText(store), feedText(r.Context(), guard.Feed),
			endpointsText(r.Context(), guard.Webhooks), disputesText(r.Context(), guard.DisputeQueue),
			backlogText(r.Context(), guard), listsText(r.Context(), guard.Lists))
	})
	return mux
}

// feedText returns how far the feed is behind. It is empty if the store does not answer.
func feedText(ctx context.Context, feed *asset.FeedService) []byte {
	ctx, cancel := context.WithTimeout(ctx, pingTimeout)
	defer cancel()
	state, err := feed.State(ctx)
	if err != nil {
		return nil
	}
	var page page
	page.family("apguard_feed_behind_seconds", "gauge", "Time since the feed had every committed change. On a standby, at most how far that is behind, and a second.")
	page.sample("apguard_feed_behind_seconds", decimal(state.Behind.Seconds()))
	return page.text
}

// text returns the metrics. It builds them in memory, so that no request waits for a slow
// reader.
func (m *metrics) text() []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	var page page
	page.family("apguard_requests_total", "counter", "Requests by status; status 0 is a request that was aborted before its reply.")
	for _, a := range slices.SortedFunc(maps.Keys(m.requests), compareOutcomes) {
		page.sample("apguard_requests_total", strconv.FormatInt(m.requests[a], 10),
			"operation", a.operation, "method", a.method, "status", strconv.Itoa(a.status))
	}
	operations := slices.Sorted(maps.Keys(m.operations))
	for _, c := range counters() {
		page.family(c.name, "counter", c.help)
		for _, operation := range operations {
			page.sample(c.name, strconv.FormatInt(c.value(m.operations[operation]), 10), "operation", operation)
		}
	}
	page.family("apguard_request_duration_seconds", "histogram", "Time from the start of the handler to the end of the reply.")
	for _, operation := range operations {
		page.histogram("apguard_request_duration_seconds", m.operations[operation], operation)
	}
	return page.text
}

func compareOutcomes(a, b outcome) int {
	return cmp.Or(cmp.Compare(a.operation, b.operation), cmp.Compare(a.method, b.method), cmp.Compare(a.status, b.status))
}

// counter is a metric with one value for each operation.
type counter struct {
	name, help string
	value      func(*figures) int64
}

func counters() []counter {
	return []counter{
		{"apguard_request_errors_total", "Requests with an error of the server.", func(f *figures) int64 { return f.failed }},
		{"apguard_requests_aborted_total", "Requests whose reply was cut off.", func(f *figures) int64 { return f.aborted }},
		{"apguard_requests_client_gone_total", "Requests whose client disconnected before the end of the reply.", func(f *figures) int64 { return f.gone }},
		{"apguard_request_body_bytes_total", "Bytes of request bodies that were read completely.", func(f *figures) int64 { return f.received }},
		{"apguard_reply_body_bytes_total", "Bytes of reply bodies.", func(f *figures) int64 { return f.sent }},
	}
}
