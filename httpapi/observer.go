package httpapi

import (
	"context"
	"log/slog"
	"time"
)

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
