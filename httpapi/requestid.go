package httpapi

import (
	"context"
	"crypto/rand"
	"net/http"
	"strings"
)

// requestIDHeader carries the name of a request, in both directions.
const requestIDHeader = "X-Request-Id"

// maxRequestID bounds what a client can put into the log by naming a request.
const maxRequestID = 128

type requestIDKey struct{}

// RequestID returns the name of the request that a context belongs to, which is
// in the reply's header X-Request-Id and in the log. It is empty for the context
// of no request of the API's.
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}

// requestID names a request: as a middleware did in the reply's header, else as
// the client did, else anew. A name that could be misread in a log is not taken.
func requestID(reply http.Header, r *http.Request) string {
	for _, header := range []http.Header{reply, r.Header} {
		if ids := header.Values(requestIDHeader); len(ids) == 1 && validRequestID(ids[0]) {
			return ids[0]
		}
	}
	return rand.Text()
}

// validRequestID reports whether id is made of 1 to 128 characters that are
// letters or digits of ASCII, or one of -._~:/+=.
func validRequestID(id string) bool {
	return id != "" && len(id) <= maxRequestID && !strings.ContainsFunc(id, func(r rune) bool {
		return reserved(r) && !strings.ContainsRune(":/+=", r)
	})
}
