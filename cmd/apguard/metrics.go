package main

import (
	"net/http"

	"github.com/apguard/apguard/metrics"
)

// metricsPath is the path of the metrics on their separate listener.
const metricsPath = "/metrics"

// newMetrics returns a handler that serves only metrics, in the text format of Prometheus, version 0.0.4. What the
// store does not tell is missing. The text is made in memory, so that no request waits for a slow reader.
func newMetrics(counts *metrics.Counts, from metrics.Sources) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+metricsPath, func(w http.ResponseWriter, r *http.Request) {
		families, _ := counts.Read(r.Context(), from)
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		_, _ = w.Write(prometheusText(families)) // fails if the client has disconnected
	})
	return mux
}
