package httpapi

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"
)

// RequestInfo describes a request and its response. Clients can choose the ID, the
// TraceID, and also the Fingerprint if Refused is not nil. Do not use these as metric labels.
type RequestInfo struct {
	// ID is the request ID; see [RequestID].
	ID string
	// TraceID is the trace of the header traceparent, in 32 hexadecimal digits. It is empty without
	// a valid header.
	TraceID string
	// Operation is the path of the operation, relative to the base, such as
	// "/asset/changelog". It is empty for unknown paths.
	Operation string
	// Method is one of the nine methods that net/http defines, else empty.
	Method string
	// Status is the status of the response. It is 499 if ClientGone is true and Err is nil.
	// It is 0 if a panic occurred first.
	Status int
	// Received and Sent are the sizes of the two bodies in bytes. Received is 0 unless
	// the request body was read completely.
	Received, Sent int64
	// Duration is the time from the start of the handler to the end of the response, without
	// Options.RefusalDelay and without reading the body of a refused request.
	Duration time.Duration
	// OrganizationID, UserID and Fingerprint come from the [account.Principal].
	// Fingerprint is also set for a key that was refused. Unknown values are zero.
	OrganizationID int64
	UserID         int64
	Fingerprint    string
	// Refused is the reason why the API key was refused, such as
	// [account.ErrExpiredKey]. The response does not include it. It is nil if there was
	// no key or the key was accepted.
	Refused error
	// Limit is the name of the limit that refused the request, else empty: the Policy of a
	// [limit.Error]. Package limit has constants for those of its own.
	Limit string
	// ClientAddr is the address of the client; see Options.ClientAddr.
	ClientAddr netip.Addr
	// Err is the failure of the server, or nil. The response does not include it. If
	// the handler panics, Err describes the panic, which continues after the Observer
	// returns.
	Err error
	// Aborted is true if the response is incomplete: the server failed while sending,
	// or the client disconnected or did not read in time.
	Aborted bool
	// ClientGone is true if the response could not be sent because the client had
	// disconnected. It is false for a client that reads too slowly, and for one that closed
	// only its half of the connection.
	ClientGone bool
}

// level returns the level of the log record.
func (i RequestInfo) level() slog.Level {
	switch {
	case i.Err == nil:
		return slog.LevelInfo
	case i.Aborted || i.Status >= http.StatusInternalServerError:
		return slog.LevelError
	default:
		return slog.LevelWarn
	}
}

// appendAttributes appends the attributes of the log record, except for the request line.
func (i RequestInfo) appendAttributes(attributes []slog.Attr) []slog.Attr {
	attributes = append(attributes,
		slog.Int("status", i.Status),
		slog.Duration("duration", i.Duration),
		slog.Int64("received", i.Received),
		slog.Int64("sent", i.Sent),
	)
	add := func(known bool, attribute slog.Attr) {
		if known {
			attributes = append(attributes, attribute)
		}
	}
	add(i.TraceID != "", slog.String("trace_id", i.TraceID))
	add(i.ClientAddr.IsValid(), slog.String("client", i.ClientAddr.String()))
	add(i.OrganizationID != 0, slog.Int64("organization", i.OrganizationID))
	add(i.UserID != 0, slog.Int64("user", i.UserID))
	add(i.Fingerprint != "", slog.String("key", i.Fingerprint))
	add(i.Refused != nil, slog.Any("refused", i.Refused))
	add(i.Limit != "", slog.String("limit", i.Limit))
	add(i.Aborted, slog.Bool("aborted", true))
	add(i.ClientGone, slog.Bool("client_gone", true))
	add(i.Err != nil, slog.Any("error", i.Err))
	return attributes
}

// knownMethod returns method if net/http defines it, else "". Clients can therefore
// not create new labels in an operator's metrics.
func knownMethod(method string) string {
	if slices.Contains(methods(), method) {
		return method
	}
	return ""
}

// statusClientGone is the status of a request whose client did not wait for the response.
// HTTP does not define it; proxies use it in their logs.
const statusClientGone = 499

// Observer receives every request after its response, for metrics or an audit log.
// It is called concurrently. The request does not end before Observe returns. The
// context has the values of the request's context. It is not canceled when the client
// disconnects.
type Observer interface {
	Observe(ctx context.Context, info RequestInfo)
}

// maxLogged is the maximum number of bytes of a method and of a path in the log.
const maxLogged = 256

// observe logs a request and passes it to the observer.
func (a *API) observe(ctx context.Context, w *responseWriter) {
	w.info.Duration = time.Since(w.began)
	w.info.Aborted = !w.complete
	if w.info.ClientGone && w.info.Err == nil {
		w.info.Status = statusClientGone
	}
	if level := w.info.level(); a.options.Logger.Enabled(ctx, level) {
		method, path := w.request.Method, w.request.URL.Path
		a.options.Logger.LogAttrs(ctx, level, "request", w.info.appendAttributes(append(make([]slog.Attr, 0, 16),
			slog.String("id", w.info.ID),
			slog.String("method", method[:min(len(method), maxLogged)]),
			slog.String("path", path[:min(len(path), maxLogged)]),
		))...)
	}
	if a.options.Observer != nil {
		a.options.Observer.Observe(ctx, w.info)
	}
}

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
		if ids := header[requestIDHeader]; len(ids) == 1 && validRequestID(ids[0]) {
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

// traceParentHeader is the header of the W3C Trace Context with the trace of the client.
const traceParentHeader = "Traceparent"

// traceParent names a span of the client. It is zero if there is none.
type traceParent struct {
	// traceID and spanID have 32 and 16 lower-case hexadecimal digits.
	traceID, spanID string
}

// traceParentOf returns the span that the header of a request names. It ignores a header that is
// repeated, malformed or of another version than 00.
func traceParentOf(request http.Header) traceParent {
	values := request[traceParentHeader]
	if len(values) != 1 {
		return traceParent{}
	}
	return parseTraceParent(values[0])
}

// parseTraceParent returns the span of a value such as
// 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01, or zero if it is malformed.
func parseTraceParent(value string) traceParent {
	const version = "00-"
	if len(value) != len(version)+32+1+16+1+2 || value[:3] != version || value[35] != '-' || value[52] != '-' {
		return traceParent{}
	}
	p := traceParent{traceID: value[3:35], spanID: value[36:52]}
	if !validHexID(p.traceID) || !validHexID(p.spanID) || !lowerHex(value[53:]) {
		return traceParent{}
	}
	return p
}

// validHexID reports whether an ID is hexadecimal and not zero.
func validHexID(id string) bool { return lowerHex(id) && strings.Trim(id, "0") != "" }

func lowerHex(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return (r < '0' || r > '9') && (r < 'a' || r > 'f') })
}

// requestID returns the ID of a request that has none of its own, or "" if there is no span.
func (p traceParent) requestID() string {
	if p.traceID == "" {
		return ""
	}
	return p.traceID + "-" + p.spanID
}
