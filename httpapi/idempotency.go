package httpapi

import (
	"crypto/sha256"
	"net/http"

	"github.com/apguard/apguard/idempotency"
)

const (
	idempotencyKeyHeader      = "Idempotency-Key"
	idempotencyReplayedHeader = "Idempotency-Replayed"
)

// idempotencyKey returns the key in the header of a call, or zero if there is none. Calls are
// the same if their bodies have the same bytes.
func idempotencyKey(c call) (idempotency.Key, error) {
	values := c.Header.Values(idempotencyKeyHeader)
	switch len(values) {
	case 0:
		return idempotency.Key{}, nil
	case 1:
	default:
		return idempotency.Key{}, inputError(idempotencyKeyHeader, "must not be given twice")
	}
	key, err := idempotency.ParseKey(values[0])
	if err != nil {
		return idempotency.Key{}, err
	}
	key.Fingerprint = sha256.Sum256(c.body)
	return key, nil
}

// announceReplay tells the client that the response is that of an earlier call.
func announceReplay(header http.Header, replayed bool) {
	if replayed {
		header.Set(idempotencyReplayedHeader, "true")
	}
}
