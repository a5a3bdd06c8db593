package main

import (
	"net/http"
	"strconv"
	"time"

	"github.com/apguard/apguard/check/mirror"
)

// newMirrorMetrics returns a handler that serves only metrics.
func newMirrorMetrics(m *mirror.Mirror, checks *work) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+metricsPath, func(w http.ResponseWriter, _ *http.Request) {
		replyMetrics(w, mirrorText(m.State(), time.Now()), checks.checksText())
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
