package main

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/metrics"
)

// scrape parses a text in the exposition format of Prometheus. It returns the values by
// name and labels, and requires every line to be valid.
func scrape(t *testing.T, text string) map[string]float64 {
	t.Helper()
	samples := make(map[string]float64)
	families := make(map[string]bool)
	family := ""
	require.True(t, strings.HasSuffix(text, "\n"))
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if help := helpLine.FindStringSubmatch(line); help != nil {
			family = help[1]
			require.False(t, families[family], "family %s occurs twice", family)
			families[family] = true
			continue
		}
		if kind := typeLine.FindStringSubmatch(line); kind != nil {
			require.Equal(t, family, kind[1])
			continue
		}
		sample := sampleLine.FindStringSubmatch(line)
		require.NotNil(t, sample, "invalid line: %s", line)
		require.Equal(t, family, histogramPart.ReplaceAllString(sample[1], ""), "samples follow their family")
		value, err := strconv.ParseFloat(sample[3], 64)
		require.NoError(t, err)
		require.NotContains(t, samples, sample[1]+sample[2], "every sample is unique")
		samples[sample[1]+sample[2]] = value
	}
	return samples
}

var (
	helpLine      = regexp.MustCompile(`^# HELP ([a-z_]+) [^\\]+$`)
	typeLine      = regexp.MustCompile(`^# TYPE ([a-z_]+) (?:counter|gauge|histogram)$`)
	sampleLine    = regexp.MustCompile(`^([a-z_]+)(\{[a-z]+="(?:[^"\\\n]|\\["\\n])*"(?:,[a-z]+="(?:[^"\\\n]|\\["\\n])*")*\})? (\S+)$`)
	histogramPart = regexp.MustCompile(`_(bucket|sum|count)$`)
)

// textOf returns what a server replies.
func textOf(t *testing.T, counts *metrics.Counts, from metrics.Sources) string {
	t.Helper()
	families, err := counts.Read(t.Context(), from)
	require.NoError(t, err)
	return string(prometheusText(families))
}

// requestsOf returns the metrics of requests.
func requestsOf(t *testing.T, counts *metrics.Counts) map[string]float64 {
	t.Helper()
	got := scrape(t, textOf(t, counts, metrics.Sources{}))
	maps.DeleteFunc(got, func(sample string, _ float64) bool { return !requestMetric.MatchString(sample) })
	return got
}

var requestMetric = regexp.MustCompile(`^apguard_(requests?|reply)_`)

func TestMetrics_Text(t *testing.T) {
	t.Parallel()
	m := metrics.NewCounts(nil)
	for _, e := range []httpapi.RequestInfo{
		{Operation: "/a", Method: "POST", Status: 200, Received: 10, Sent: 100, Duration: time.Millisecond},
		{Operation: "/a", Method: "POST", Status: 200, Received: 1, Sent: 1000, Duration: time.Millisecond + 1},
		{Operation: "/a", Method: "POST", Status: 500, Err: errors.New("down"), Duration: time.Hour},
		{Operation: "/a", Status: 200, Aborted: true, ClientGone: true, Duration: 30 * time.Second},
		{Method: "GET", Status: 404, Sent: 7},
		{Operation: `/"\` + "\n", Method: "GET"},
	} {
		m.Observe(t.Context(), e)
	}
	got := requestsOf(t, m)
	want := map[string]float64{
		`apguard_requests_total{operation="/a",method="POST",status="200"}`:      2,
		`apguard_requests_total{operation="/a",method="POST",status="500"}`:      1,
		`apguard_requests_total{operation="/a",method="other",status="200"}`:     1,
		`apguard_requests_total{operation="other",method="GET",status="404"}`:    1,
		`apguard_requests_total{operation="/\"\\\n",method="GET",status="0"}`:    1,
		`apguard_request_errors_total{operation="/a"}`:                           1,
		`apguard_request_errors_total{operation="other"}`:                        0,
		`apguard_requests_aborted_total{operation="/a"}`:                         1,
		`apguard_requests_client_gone_total{operation="/a"}`:                     1,
		`apguard_request_body_bytes_total{operation="/a"}`:                       11,
		`apguard_reply_body_bytes_total{operation="/a"}`:                         1100,
		`apguard_reply_body_bytes_total{operation="other"}`:                      7,
		`apguard_request_duration_seconds_bucket{operation="/a",le="0.001"}`:     1,
		`apguard_request_duration_seconds_bucket{operation="/a",le="0.005"}`:     2,
		`apguard_request_duration_seconds_bucket{operation="/a",le="10"}`:        2,
		`apguard_request_duration_seconds_bucket{operation="/a",le="30"}`:        3,
		`apguard_request_duration_seconds_bucket{operation="/a",le="+Inf"}`:      4,
		`apguard_request_duration_seconds_count{operation="/a"}`:                 4,
		`apguard_request_duration_seconds_sum{operation="/a"}`:                   3630.002000001,
		`apguard_request_duration_seconds_bucket{operation="other",le="0.001"}`:  1,
		`apguard_request_duration_seconds_bucket{operation="/\"\\\n",le="+Inf"}`: 1,
		`apguard_request_duration_seconds_count{operation="other"}`:              1,
		`apguard_requests_aborted_total{operation="other"}`:                      0,
		`apguard_requests_client_gone_total{operation="/\"\\\n"}`:                0,
		`apguard_request_body_bytes_total{operation="other"}`:                    0,
		`apguard_request_duration_seconds_sum{operation="other"}`:                0,
	}
	for sample, value := range want {
		require.Contains(t, got, sample)
		require.InDelta(t, value, got[sample], 1e-9, sample)
	}
	// 5 outcomes, and for each of 3 operations: 5 counters and a histogram with 14 buckets,
	// a sum and a count.
	require.Len(t, got, 5+3*(5+14+2))
	first := textOf(t, m, metrics.Sources{})
	for range 10 {
		require.Equal(t, first, textOf(t, m, metrics.Sources{}), "the order is stable")
	}
}

func TestMetrics_Empty(t *testing.T) {
	t.Parallel()
	require.Empty(t, requestsOf(t, metrics.NewCounts(nil)))
}

func TestMetrics_Concurrent(t *testing.T) {
	t.Parallel()
	const writers, each = 8, 500
	m := metrics.NewCounts(nil)
	var wg sync.WaitGroup
	for range writers {
		wg.Go(func() {
			for range each {
				m.Observe(context.Background(), httpapi.RequestInfo{Operation: "/a", Method: "GET", Status: 200, Sent: 1, Duration: time.Duration(rand.Int64N(int64(time.Minute)))})
			}
		})
	}
	for range 20 {
		got := requestsOf(t, m)
		require.Equal(t, got[`apguard_requests_total{operation="/a",method="GET",status="200"}`], //nolint:testifylint // both are integers
			got[`apguard_request_duration_seconds_count{operation="/a"}`], "a page is consistent")
	}
	wg.Wait()
	got := requestsOf(t, m)
	require.InDelta(t, writers*each, got[`apguard_reply_body_bytes_total{operation="/a"}`], 0)
	require.InDelta(t, writers*each, got[`apguard_request_duration_seconds_bucket{operation="/a",le="+Inf"}`], 0)
}

var metricsOn = regexp.MustCompile(`(?m)^metrics on (http://\S+)/metrics\n`)

func TestMetrics_Listener(t *testing.T) {
	t.Parallel()
	s := startDemo(t, noVariables, "-db", "memory", "-metrics", "127.0.0.1:0")
	key := keyOf(t, s)
	page := metricsOn.FindStringSubmatch(s.printed)[1]
	for _, c := range tour() {
		url, key := baseAndKey(t, s, c)
		status, body := request(t, url, key, c)
		require.Equal(t, http.StatusOK, status, body)
	}
	status, _ := request(t, s.url, "apg_wrong", call{path: "/asset/changelog", body: "{}"})
	require.Equal(t, http.StatusUnauthorized, status)

	// A client may receive its reply before the request is counted.
	var got map[string]float64
	for end := time.Now().Add(time.Minute); counted(got) < len(tour())+1 && time.Now().Before(end); {
		status, header, body := send(t, http.MethodGet, page, "", call{path: "/metrics"})
		require.Equal(t, http.StatusOK, status)
		require.Equal(t, "text/plain; version=0.0.4; charset=utf-8", header.Get("Content-Type"))
		require.NotContains(t, body, key)
		got = scrape(t, body)
	}
	require.InDelta(t, 1, got[`apguard_requests_total{operation="/asset/changelog",method="POST",status="200"}`], 0)
	require.InDelta(t, 1, got[`apguard_requests_total{operation="/asset/changelog",method="POST",status="401"}`], 0)
	require.InDelta(t, 1, got[`apguard_requests_total{operation="/organization/assets",method="POST",status="200"}`], 0)
	require.InDelta(t, 2, got[`apguard_request_duration_seconds_count{operation="/asset/changelog"}`], 0)
	require.Positive(t, got[`apguard_reply_body_bytes_total{operation="/dispute/create"}`])
	require.Contains(t, got, "apguard_feed_behind_seconds")
	require.Zero(t, got["apguard_feed_behind_seconds"])
	require.InDelta(t, 1, got[`apguard_disputes{state="OPEN"}`], 0)
	require.InDelta(t, 1, got[`apguard_checks_total{status="BLOCKED",source="ASSET"}`], 0)
	require.InDelta(t, 2, got[`apguard_allowlist_items_total{action="add",reason="NONE"}`], 0)
	require.Contains(t, got, "apguard_dispute_oldest_seconds")
	require.Contains(t, got, "apguard_report_oldest_seconds")
	require.Contains(t, got, "apguard_decisions_overdue")

	status, _ = request(t, page, key, call{path: "/api/v2/organization/reports"})
	require.Equal(t, http.StatusNotFound, status, "the listener for metrics has no operations")
	status, _ = request(t, strings.TrimSuffix(s.url, "/api/v2"), key, call{path: "/metrics"})
	require.Equal(t, http.StatusNotFound, status, "the operations' listener has no metrics")
}

// counted returns the number of counted requests.
func counted(samples map[string]float64) int {
	sum := 0.0
	for sample, value := range samples {
		if strings.HasPrefix(sample, "apguard_requests_total{") {
			sum += value
		}
	}
	return int(sum)
}

func TestMetrics_OffByDefault(t *testing.T) {
	t.Parallel()
	require.NotContains(t, start(t, "-db", "memory").printed, "metrics on")
}

// TestMetrics_BoundedByClients sends requests with invented methods, paths and keys.
func TestMetrics_BoundedByClients(t *testing.T) {
	t.Parallel()
	m := metrics.NewCounts(nil)
	handler := seededHandler(t, m)
	ask := func(method, path, key string) {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		r.Method, r.URL.Path = method, path
		r.Header.Set("X-Api-Key", key)
		handler.ServeHTTP(httptest.NewRecorder(), r)
	}
	for range 2 {
		ask("GET", "/api/v2/organization/reports", "apg_globex")
		ask("MADEUP", "/api/v2/organization/reports", "apg_globex")
		ask("GET", "/nothing", "")
		ask("MADEUP", "/nothing", "")
	}
	before := len(requestsOf(t, m))
	for i := range 2000 {
		made := strconv.Itoa(i)
		ask("X"+made, "/api/v2/organization/reports", "apg_globex")
		ask("GET", "/"+made, "apg_"+made)
		ask("X"+made, "/api/v2/"+made, "apg_"+made)
		ask("GET", "/api/v2/organization/reports", "apg_globex")
	}
	require.Len(t, requestsOf(t, m), before)
}
