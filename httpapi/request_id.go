package httpapi

import (
	"context"
	"crypto/rand"
	"net/http"
	"strings"
)

// requestIDHeader is the header of the request ID, in requests and responses.
const requestIDHeader = "X-Request-Id"

// maxRequestID is the maximum length of a request ID.
const maxRequestID = 128

type requestIDKey struct{}

// RequestID returns the ID of the request to which ctx belongs. It returns "" if
// ctx does not come from an [API].
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}

// requestIDOf returns the ID that middleware has set in the response header, else
// the one that the client sent, else that of its span, else a new one. Invalid IDs are ignored.
func requestIDOf(response, request http.Header, parent traceParent) string {
	for _, header := range []http.Header{response, request} {
		if ids := header.Values(requestIDHeader); len(ids) == 1 && validRequestID(ids[0]) {
			return ids[0]
		}
	}
	if id := parent.requestID(); id != "" {
		return id
	}
	return rand.Text()
}

// validRequestID reports whether id has 1 to 128 ASCII letters, digits and
// -._~:/+= characters. Such an ID cannot be misread in a log.
func validRequestID(id string) bool {
	return id != "" && len(id) <= maxRequestID && !strings.ContainsFunc(id, func(r rune) bool {
		return reserved(r) && !strings.ContainsRune(":/+=", r)
	})
}
