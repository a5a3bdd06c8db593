package httpapi

import "net/http"

const (
	idempotencyKeyHeader      = "Idempotency-Key"
	idempotencyReplayedHeader = "Idempotency-Replayed"
)

// announceReplay tells the client that the response is that of an earlier call.
func announceReplay(header http.Header, replayed bool) {
	if replayed {
		header.Set(idempotencyReplayedHeader, "true")
	}
}
