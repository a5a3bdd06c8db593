package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/client"
)

// bystander makes small calls with a key of its own, on new connections.
type bystander struct {
	client *http.Client
	target *hostileServer
	number int
	calls  *calls
}

func newBystander(target *hostileServer) *bystander {
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 30 * time.Second}
	return &bystander{client: client, target: target, calls: new(calls)}
}

// round makes each call once.
func (b *bystander) round(ctx context.Context) {
	b.number++
	b.call(ctx, "changelog", b.target.url+"/asset/changelog", `{"content":"https://bad.example"}`)
	b.call(ctx, "check", b.target.url+"/asset/check", `{"content":"https://www.bad.example/x"}`)
	b.call(ctx, "dispute", b.target.url+"/dispute/create",
		fmt.Sprintf(`{"content":"https://bad.example/%d","email":"bob+%[2]d@globex.example","description":"It is ours."}`, b.number%disputable, b.number))
	b.call(ctx, "batch", b.target.url+"/organization/assets", fmt.Sprintf(`{"assets":[{"content":"https://globex.example/%d"}]}`, b.number))
	b.call(ctx, "reports", b.target.url+"/organization/reports?limit=10", "")
	if b.target.phishing != "" {
		b.call(ctx, "hashes", b.target.url+"/asset/hashes", "")
		b.call(ctx, "MetaMask", "http://"+b.target.phishing+"/v1/stalelist", "")
	}
	b.call(ctx, livePath, "http://"+b.target.addr+livePath, "")
	b.call(ctx, readyPath, "http://"+b.target.addr+readyPath, "")
}

// feedEnd returns the cursor at the end of the feed.
func (b *bystander) feedEnd(tb testing.TB) string {
	tb.Helper()
	origin, err := client.New(b.target.url, client.Options{Key: bystanderKey})
	require.NoError(tb, err)
	end, err := origin.Feed(tb.Context(), client.FeedRequest{Cursor: client.FeedEnd})
	require.NoError(tb, err)
	return end.Cursor
}

// call makes one call. A call without a body is a GET.
func (b *bystander) call(ctx context.Context, name, url, body string) {
	if !b.target.running() {
		return
	}
	method := http.MethodGet
	if body != "" {
		method = http.MethodPost
	}
	req, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		b.calls.fail(name, err.Error())
		return
	}
	req.Header.Set("X-API-KEY", bystanderKey)
	req.Header.Set("Content-Type", "application/json")
	began := time.Now()
	resp, err := b.client.Do(req)
	if err != nil {
		b.calls.add(name, 0, time.Since(began))
		b.calls.fail(name, err.Error())
		return
	}
	defer resp.Body.Close() //nolint:errcheck // it is only read
	text, err := io.ReadAll(resp.Body)
	b.calls.add(name, resp.StatusCode, time.Since(began))
	switch {
	case err != nil:
		b.calls.fail(name, err.Error())
	case resp.StatusCode == http.StatusServiceUnavailable && resp.Header.Get("Retry-After") != "":
		b.calls.refused++
	case resp.StatusCode != http.StatusOK:
		b.calls.fail(name, fmt.Sprintf("%d %s", resp.StatusCode, text))
	}
}

// calls are the calls of a bystander, by name.
type calls struct {
	durations map[string][]time.Duration
	statuses  map[string]map[int]int
	// refused is the number of calls that got 503 with Retry-After.
	refused int
	// failures are the calls that were neither answered with 200 nor refused.
	failures []string
}

func (c *calls) add(name string, status int, duration time.Duration) {
	if c.durations == nil {
		c.durations, c.statuses = make(map[string][]time.Duration), make(map[string]map[int]int)
	}
	if c.statuses[name] == nil {
		c.statuses[name] = make(map[int]int)
	}
	c.durations[name] = append(c.durations[name], duration)
	c.statuses[name][status]++
}

func (c *calls) fail(name, cause string) { c.failures = append(c.failures, name+": "+cause) }

func (c *calls) names() []string { return slices.Sorted(maps.Keys(c.durations)) }

// late returns the number of calls that took more than a second.
func (c *calls) late() (number int) {
	for _, durations := range c.durations {
		for _, each := range durations {
			if each > time.Second {
				number++
			}
		}
	}
	return number
}

func (c *calls) number() (number int) {
	for _, durations := range c.durations {
		number += len(durations)
	}
	return number
}

// times returns the median and the maximum of the times of a call.
func (c *calls) times(name string) (median, slowest time.Duration) {
	return c.percentile(name, 50), c.percentile(name, 100)
}

// percentile returns a percentile of the times of a call.
func (c *calls) percentile(name string, percent int) time.Duration {
	sorted := slices.Sorted(slices.Values(c.durations[name]))
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(len(sorted)*percent/100, len(sorted)-1)]
}

// slowest returns the name of the call with the greatest median.
func (c *calls) slowest() (name string) {
	var most time.Duration
	for _, each := range c.names() {
		if median, _ := c.times(each); median >= most {
			name, most = each, median
		}
	}
	return name
}
