package main

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"sync"

	"github.com/apguard/apguard/httpapi"
)

// metricsPath is where the metrics are, on a listener of their own.
const metricsPath = "/metrics"

// metrics counts what became of the requests, as an [httpapi.Observer], and shows
// it in the text format of Prometheus, version 0.0.4. Nothing that clients invent
// is in a label, so that they cannot make it grow.
type metrics struct {
	mu         sync.Mutex
	requests   map[answered]int64
	operations map[string]*figures
}

// answered is what requests that are counted together have in common.
type answered struct {
	operation, method string
	status            int
}

// figures are about the requests of one operation.
type figures struct {
	failed, aborted, gone int64
	received, sent        int64
	// within counts the requests up to each of the durationBounds that took longer
	// than the bound before, and at its end those beyond all bounds.
	within  []int64
	seconds float64
}

// durationBounds are the upper bounds of the histogram, in seconds.
func durationBounds() []float64 {
	return []float64{0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30}
}

func newMetrics() *metrics {
	return &metrics{requests: make(map[answered]int64), operations: make(map[string]*figures)}
}

// Observe implements [httpapi.Observer].
func (m *metrics) Observe(_ context.Context, e httpapi.RequestInfo) {
	operation := cmp.Or(e.Operation, "other")
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests[answered{operation, cmp.Or(e.Method, "other"), e.Status}]++
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

// handler serves the metrics and nothing else.
func (m *metrics) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+metricsPath, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		_, _ = w.Write(m.text()) // fails when the client is gone
	})
	return mux
}

// text writes the metrics into memory, as no request may wait for whoever reads
// them.
func (m *metrics) text() []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	var page page
	page.family("apguard_requests_total", "counter", "Requests answered; status 0 is one that broke off before it had any.")
	for _, a := range slices.SortedFunc(maps.Keys(m.requests), compareAnswered) {
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
	page.family("apguard_request_duration_seconds", "histogram", "Time from the first look at a request to the end of its reply.")
	for _, operation := range operations {
		page.histogram("apguard_request_duration_seconds", m.operations[operation], operation)
	}
	return page.text
}

func compareAnswered(a, b answered) int {
	return cmp.Or(cmp.Compare(a.operation, b.operation), cmp.Compare(a.method, b.method), cmp.Compare(a.status, b.status))
}

// counter is a figure of each operation.
type counter struct {
	name, help string
	value      func(*figures) int64
}

func counters() []counter {
	return []counter{
		{"apguard_request_errors_total", "Requests in which something went wrong on the server's side.", func(f *figures) int64 { return f.failed }},
		{"apguard_requests_aborted_total", "Requests whose reply broke off.", func(f *figures) int64 { return f.aborted }},
		{"apguard_requests_client_gone_total", "Requests whose client left before the end.", func(f *figures) int64 { return f.gone }},
		{"apguard_request_body_bytes_total", "Bytes of the bodies of requests that were read to their end.", func(f *figures) int64 { return f.received }},
		{"apguard_reply_body_bytes_total", "Bytes of the bodies of replies.", func(f *figures) int64 { return f.sent }},
	}
}
