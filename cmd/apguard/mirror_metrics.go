package main

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/check/mirror"
)

// counts counts the verdicts of checks.
type counts struct {
	mu     sync.Mutex
	checks map[decision]int64
}

// decision is the key by which checks are counted.
type decision struct {
	status asset.Status
	source check.Source
}

func newCounts() *counts {
	return &counts{checks: map[decision]int64{
		{asset.StatusAllowed, check.SourceAsset}: 0,
		{asset.StatusBlocked, check.SourceAsset}: 0,
		{asset.StatusUnknown, check.SourceNone}:  0,
	}}
}

func (c *counts) add(verdict check.Verdict) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.checks[decision{verdict.Status, verdict.Source}]++
}

// newMetricsHandler returns a handler that serves only metrics, in the text format of Prometheus.
func newMetricsHandler(m *mirror.Mirror, c *counts) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		_, _ = fmt.Fprint(w, stateText(m.State(), time.Now()), c.text()) // fails if the client has disconnected
	})
	return mux
}

// stateText returns the metrics of the copy. It has no age until it is filled.
func stateText(state mirror.State, now time.Time) string {
	var text strings.Builder
	filled := 0
	if state.Filled {
		filled = 1
		family(&text, "apguard_mirror_age_seconds", "gauge", "Age of the copy: every change that is older is in it.")
		fmt.Fprintln(&text, "apguard_mirror_age_seconds", max(0, now.Sub(state.ReadAt)).Seconds())
	}
	family(&text, "apguard_mirror_filled", "gauge", "1 if the mirror answers checks, or 0 until it has copied all statuses.")
	fmt.Fprintln(&text, "apguard_mirror_filled", filled)
	family(&text, "apguard_mirror_assets", "gauge", "Assets in the copy, which are ALLOWED or BLOCKED.")
	fmt.Fprintln(&text, "apguard_mirror_assets", state.Assets)
	return text.String()
}

// text returns the counts.
func (c *counts) text() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var text strings.Builder
	family(&text, "apguard_checks_total", "counter", "Checked contents by status, and by what decided: an asset or nothing.")
	order := func(a, b decision) int {
		return cmp.Or(cmp.Compare(a.status, b.status), cmp.Compare(a.source, b.source))
	}
	for _, d := range slices.SortedFunc(maps.Keys(c.checks), order) {
		fmt.Fprintf(&text, "apguard_checks_total{status=%q,source=%q} %d\n", d.status, d.source, c.checks[d])
	}
	return text.String()
}

func family(text *strings.Builder, name, kind, help string) {
	fmt.Fprintf(text, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}
