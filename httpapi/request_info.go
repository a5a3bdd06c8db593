package httpapi

import (
	"log/slog"
	"net/http"
	"net/netip"
	"slices"
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
