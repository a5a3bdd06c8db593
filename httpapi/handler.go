package httpapi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strings"
	"time"

	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/httpapi/limit"
)

// requestHandler returns a handler that gives each request an ID, calls serve to
// answer it, and logs it. The context of serve has the ID and does not end when the client
// disconnects. operation is empty for unknown paths.
func (a *API) requestHandler(operation string, serve func(ctx context.Context, w *responseWriter)) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		parent := traceParentOf(r.Header)
		id := requestIDOf(rw.Header(), r.Header, parent)
		ctx, cancel := limit.Detach(context.WithValue(r.Context(), requestIDKey{}, id))
		defer cancel()
		w := newResponseWriter(rw, r, id, a.options)
		w.info = RequestInfo{ID: id, TraceID: parent.traceID, Operation: operation, Method: knownMethod(r.Method), ClientAddr: a.options.ClientAddr(r)}
		defer func() {
			cause := recover()
			if err := panicError(cause); err != nil {
				w.info.Err = err
			}
			a.observe(ctx, w)
			if cause != nil {
				panic(cause)
			}
		}()
		serve(ctx, w)
	})
}

// panicError returns the error to log for a panic, and nil for none or for one that
// aborts the response.
func panicError(cause any) error {
	err, isError := cause.(error)
	if cause == nil || isError && errors.Is(err, http.ErrAbortHandler) {
		return nil
	}
	return fmt.Errorf("panic: %v", cause)
}

// operationHandler returns the handler of an operation.
func (a *API) operationHandler(op operation) http.Handler {
	return a.requestHandler(op.path, func(ctx context.Context, w *responseWriter) {
		op := op.of(w.request.Method)
		if op.deprecated {
			announceSuccessor(w.Header(), w.request, op.path)
		}
		if err := a.serve(ctx, w, op); err != nil {
			answer, known := apiErrorOf(err)
			if !known {
				w.recordError(err)
			}
			var waited time.Duration
			if answer.status == http.StatusTooManyRequests {
				//nolint:contextcheck // this one ends when the client disconnects
				waited = a.load.Delay(w.request.Context(), w.info.ClientAddr, a.options.RefusalDelay)
			}
			waited += a.drain(w)
			w.began = w.began.Add(waited) // the wait is no work
			w.writeError(answer, op.errorBody)
		}
	})
}

// serve runs the checks in order, and then the operation.
func (a *API) serve(parent context.Context, w *responseWriter, op operation) error {
	r := w.request
	if !op.supports(r.Method) {
		w.Header().Set("Allow", strings.Join(op.methods, ", "))
		return apiError{status: http.StatusMethodNotAllowed}
	}
	if op.scope == "" && !op.anyScope {
		return op.handle(w, call{Request: r})
	}
	ctx, work := limit.Start(parent, a.options.Timeout)
	defer work.End()
	r = r.WithContext(ctx)
	principal, caller, err := a.identify(w, r, op)
	if err != nil {
		return err
	}
	ctx = work.PauseAfter(parent, ctx)
	if !op.permits(principal) {
		return apiError{status: cmp.Or(op.noAccess, http.StatusForbidden)}
	}
	request := limit.Request{
		Operation:  op.path,
		Method:     r.Method,
		Caller:     caller,
		Principal:  principal,
		ClientAddr: w.info.ClientAddr,
		Costly:     op.isCostly(r.ContentLength),
	}
	work.Resume()
	releases, err := admit(ctx, a.options.Admission, request)
	defer releaseAll(releases)
	if err != nil {
		return err
	}
	ctx = work.PauseAfter(parent, ctx)
	if op.user {
		ctx = audit.WithActor(ctx, audit.Actor{Channel: audit.ChannelAPI, UserID: principal.UserID, Key: principal.Fingerprint})
	}
	if ctx != r.Context() {
		r = r.WithContext(ctx)
	}
	c := call{Request: r, principal: principal, work: work}
	if op.maxBody > 0 {
		if err := checkContentType(r.Header); err != nil {
			return err
		}
		body := a.load.NewBody(request.Caller)
		defer body.Release()
		if c.body, err = readBody(w, r, body, op.maxBody); err != nil {
			return err
		}
	}
	// Only now, so that a client that sends its body slowly takes no place of others.
	request.Costly = op.isCostly(int64(len(c.body)))
	if err := a.load.Enter(request); err != nil {
		return err
	}
	c.place = &place{load: a.load, request: request, stopping: a.options.Stopping}
	defer c.place.leave()
	work.Resume()
	return limit.Cause(ctx, op.handle(w, c))
}

// checkContentType requires uncompressed JSON. It rejects a repeated header, because
// two parsers may disagree about which value counts.
func checkContentType(header http.Header) error {
	types := header.Values("Content-Type")
	if len(types) != 1 {
		return apiError{status: http.StatusUnsupportedMediaType}
	}
	mediaType, _, err := mime.ParseMediaType(types[0])
	if err != nil || mediaType != "application/json" {
		return apiError{status: http.StatusUnsupportedMediaType}
	}
	for _, encoding := range header.Values("Content-Encoding") {
		if encoding != "" && !strings.EqualFold(encoding, "identity") {
			return apiError{status: http.StatusUnsupportedMediaType, message: "Content-Encoding must be identity"}
		}
	}
	return nil
}
