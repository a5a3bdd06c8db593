package main

import (
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/check/mirror"
)

// mirrorChecks counts the checks of a mirror.
type mirrorChecks struct {
	mu     sync.Mutex
	counts verdicts
}

func newMirrorChecks() *mirrorChecks { return &mirrorChecks{counts: newVerdicts()} }

func (c *mirrorChecks) add(one check.Verdict) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.counts[verdict{one.Status, one.Source}]++
}

// newMirrorMetrics returns a handler that serves only metrics.
func newMirrorMetrics(m *mirror.Mirror, c *mirrorChecks) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+metricsPath, func(w http.ResponseWriter, _ *http.Request) {
		replyMetrics(w, mirrorText(m.State(), time.Now()), c.text())
	})
	return mux
}

// mirrorText returns the metrics of the copy. It has no age until it is filled.
func mirrorText(state mirror.State, now time.Time) []byte {
	var page page
	filled := "0"
	if state.Filled {
		filled = "1"
		page.family("apguard_mirror_age_seconds", "gauge", "Age of the copy: every change that is older is in it.")
		page.sample("apguard_mirror_age_seconds", decimal(max(0, now.Sub(state.ReadAt)).Seconds()))
	}
	page.family("apguard_mirror_filled", "gauge", "1 if the mirror answers checks, or 0 until it has copied all statuses.")
	page.sample("apguard_mirror_filled", filled)
	page.family("apguard_mirror_assets", "gauge", "Assets in the copy, which are ALLOWED or BLOCKED.")
	page.sample("apguard_mirror_assets", strconv.Itoa(state.Assets))
	return page.text
}

// text returns the counts.
func (c *mirrorChecks) text() []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	var page page
	c.counts.write(&page)
	return page.text
}
