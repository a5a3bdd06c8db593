package httpapi

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"time"
)

// Observer is told of every request that the API has answered, those that it
// refused too: for metrics, or for an audit. It is called concurrently, and the
// request is not over before Observe returns. The context is the request's, which
// may have ended.
type Observer interface {
	Observe(ctx context.Context, e Exchange)
}

// Exchange is one request and what became of it. What a client is free to invent
// is in ID, and in Fingerprint when Refused is set.
type Exchange struct {
	// ID is the name of the request; see [RequestID].
	ID string
	// Operation is the path of the operation below the base, such as
	// "/asset/changelog". It is empty for a path that is no operation.
	Operation string
	// Method is one of the nine that net/http names, or empty for any other.
	Method string
	// Status is the one that was answered, whether or not the client took it.
	Status int
	// Received and Sent are the bytes of the bodies: of the request's, as far as it
	// was read to its end, and of the reply's.
	Received, Sent int64
	// Duration is the time from the first look at the request to the end of the
	// reply.
	Duration time.Duration
	// OrganizationID, UserID and Fingerprint tell of the [account.Principal]. They
	// are zero for what it has not, and before a caller is known; a key that was
	// refused has a Fingerprint all the same.
	OrganizationID int64
	UserID         int64
	Fingerprint    string
	// Refused is why the caller's key gave no access, such as
	// [account.ErrExpiredKey], which the reply does not tell. It is nil when the
	// request had no key or the key was good.
	Refused error
	// Err is what went wrong on the server's side and the reply keeps to itself: a
	// panic too, which goes on. It is nil for a request that was the client's own
	// fault.
	Err error
	// Aborted says that the reply broke off: something failed in its middle, or the
	// client left or did not read on.
	Aborted bool
	// ClientGone says that the client had left before its reply, or in the middle of
	// it: that the request's context was canceled, which a host that cancels it
	// itself does too. What failed then most likely failed because of that, and is
	// not in Err. A client that is there, but did not read on in time, is not gone.
	ClientGone bool
}

// level returns how much the exchange matters to an operator.
func (e Exchange) level() slog.Level {
	switch {
	case e.Err == nil:
		return slog.LevelInfo
	case e.Aborted || e.Status >= http.StatusInternalServerError:
		return slog.LevelError
	default:
		return slog.LevelWarn
	}
}

// attributes returns what the log tells of the exchange beside the request line.
func (e Exchange) attributes() []slog.Attr {
	attributes := []slog.Attr{
		slog.Int("status", e.Status),
		slog.Duration("duration", e.Duration),
		slog.Int64("received", e.Received),
		slog.Int64("sent", e.Sent),
	}
	if e.OrganizationID != 0 {
		attributes = append(attributes, slog.Int64("organization", e.OrganizationID))
	}
	if e.UserID != 0 {
		attributes = append(attributes, slog.Int64("user", e.UserID))
	}
	if e.Fingerprint != "" {
		attributes = append(attributes, slog.String("key", e.Fingerprint))
	}
	if e.Refused != nil {
		attributes = append(attributes, slog.Any("refused", e.Refused))
	}
	if e.Aborted {
		attributes = append(attributes, slog.Bool("aborted", true))
	}
	if e.ClientGone {
		attributes = append(attributes, slog.Bool("client_gone", true))
	}
	if e.Err != nil {
		attributes = append(attributes, slog.Any("error", e.Err))
	}
	return attributes
}

// knownMethod returns the method if it is one of net/http's, so that nobody can
// fill an operator's metrics with methods of their own.
func knownMethod(method string) string {
	if slices.Contains(methods(), method) {
		return method
	}
	return ""
}

// maxLogged bounds what a client can put into the log by its method and its path.
const maxLogged = 256

// finish ends the account of a request, also when its handler panics, and tells
// it to the log, in one line, and to the observer.
func (a *API) finish(ctx context.Context, w *reply) {
	w.exchange.Duration = time.Since(w.began)
	w.exchange.Aborted = !w.whole
	w.exchange.ClientGone = w.exchange.ClientGone || !w.whole && !w.late && clientGone(w.request)
	if level := w.exchange.level(); a.logger.Enabled(ctx, level) {
		method, path := w.request.Method, w.request.URL.Path
		a.logger.LogAttrs(ctx, level, "request", append([]slog.Attr{
			slog.String("id", w.exchange.ID),
			slog.String("method", method[:min(len(method), maxLogged)]),
			slog.String("path", path[:min(len(path), maxLogged)]),
		}, w.exchange.attributes()...)...)
	}
	if a.observer != nil {
		a.observer.Observe(ctx, w.exchange)
	}
}
