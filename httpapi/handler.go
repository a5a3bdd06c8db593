package httpapi

import (
	"context"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/httpapi/limit"
)

// requestHandler returns a handler that gives each request of an operation an ID and a place, calls
// serve to answer it, and logs it. The context of serve has the ID and does not end when the client
// disconnects. If serve returns an error, it has written nothing. Unknown paths have the zero operation.
func (a *API) requestHandler(op operation, serve func(context.Context, *responseWriter, operation) error) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		op := op.of(r.Method)
		parent := traceParentOf(r.Header)
		id := requestIDOf(rw.Header(), r.Header, parent)
		ctx, cancel := limit.Detach(context.WithValue(r.Context(), requestIDKey{}, id))
		defer cancel()
		w := newResponseWriter(rw, r, id, a.options)
		w.info = RequestInfo{ID: id, TraceID: parent.traceID, Operation: op.path, Method: knownMethod(r.Method), ClientAddr: a.options.ClientAddr(r)}
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
		if op.deprecated {
			announceSuccessor(w.Header(), r, op.path)
		}
		place, err := a.load.Enter(w.info.ClientAddr)
		defer place.Leave()
		w.place = place
		if err == nil {
			err = serve(ctx, w, op)
		}
		if err != nil {
			answer := w.answerTo(err)
			a.holdBack(w, answer)
			w.writeError(answer, op.errorBody)
		}
	})
}

// answerTo returns the response to an error, and records a failure of the server.
func (w *responseWriter) answerTo(err error) apiError {
	answer, known := apiErrorOf(err)
	if !known {
		w.recordError(err)
	}
	return answer
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

// serve runs the checks in order, and then the operation.
func (a *API) serve(parent context.Context, w *responseWriter, op operation) error {
	r := w.request
	if !op.supports(r.Method) {
		w.Header().Set("Allow", strings.Join(op.methods, ", "))
		return apiError{status: http.StatusMethodNotAllowed}
	}
	ctx, work := limit.Start(parent, a.options.Timeout)
	defer work.End()
	r = r.WithContext(ctx)
	principal, caller, err := a.identify(w, r, op)
	if err != nil {
		return err
	}
	ctx = work.PauseAfter(parent, ctx)
	if err := op.checkAccess(principal, a.options.CommandLine); err != nil {
		return err
	}
	if err := w.place.Identify(caller.name, caller.organization); err != nil {
		return err
	}
	work.Resume()
	releases, err := admit(ctx, a.options.Admission, limit.Request{
		Operation:  op.path,
		Method:     r.Method,
		Caller:     caller.name,
		Principal:  principal,
		ClientAddr: w.info.ClientAddr,
		Costly:     op.isCostly(r.ContentLength),
	})
	defer releaseAll(releases)
	if err != nil {
		return err
	}
	ctx = work.PauseAfter(parent, ctx)
	if op.user {
		ctx = audit.WithActor(ctx, audit.Actor{Channel: a.options.channel(), UserID: principal.UserID, Key: principal.Fingerprint})
	}
	if ctx != r.Context() {
		r = r.WithContext(ctx)
	}
	c := call{Request: r, principal: principal, work: work, stopping: a.options.Stopping}
	if op.maxBody > 0 {
		if err := checkContentType(r.Header); err != nil {
			return err
		}
		if c.body, err = readBody(w, r, op.maxBody); err != nil {
			return err
		}
	}
	if op.isCostly(int64(len(c.body))) { // only now, so that a client that sends its body slowly takes nothing of others
		if err := w.place.Costly(); err != nil {
			return err
		}
	}
	work.Resume()
	return limit.Cause(ctx, op.handle(w, c))
}

// contentTypeHeader is the header of the content type, as net/http writes it.
const contentTypeHeader = "Content-Type"

// checkContentType requires uncompressed JSON. It rejects a repeated header, because
// two parsers may disagree about which value counts.
func checkContentType(header http.Header) error {
	if types := header[contentTypeHeader]; len(types) != 1 || !isJSON(types[0]) {
		return apiError{status: http.StatusUnsupportedMediaType}
	}
	return checkEncoding(header)
}

// isJSON reports whether a content type is that of JSON, with any parameters.
func isJSON(contentType string) bool {
	const plain = "application/json"
	if contentType == plain {
		return true // as nearly all clients write it
	}
	mediaType, _, err := mime.ParseMediaType(contentType)
	return err == nil && mediaType == plain
}

// checkEncoding requires that a body is uncompressed.
func checkEncoding(header http.Header) error {
	for _, encoding := range header["Content-Encoding"] {
		if encoding != "" && !strings.EqualFold(encoding, "identity") {
			return apiError{status: http.StatusUnsupportedMediaType, message: "Content-Encoding must be identity"}
		}
	}
	return nil
}

// admit asks every Admission. The caller must call releaseAll in any case.
func admit(ctx context.Context, admissions []limit.Admission, req limit.Request) (releases []func(), err error) {
	for _, admission := range admissions {
		release, err := admission.Admit(ctx, req)
		if err != nil {
			return releases, limitOrOpaque(limit.Cause(ctx, err))
		}
		if release != nil {
			releases = append(releases, release)
		}
	}
	return releases, nil
}

func releaseAll(releases []func()) {
	for _, release := range slices.Backward(releases) {
		release()
	}
}

// limitOrOpaque hides what an error of the host application matches, unless it is a limit.
func limitOrOpaque(err error) error {
	var refusal *limit.Error
	if errors.As(err, &refusal) {
		return refusal
	}
	return opaqueError{err}
}

// noFailures allows everything.
type noFailures struct{}

func (noFailures) Allow(context.Context, netip.Addr) error { return nil }
func (noFailures) Failed(context.Context, netip.Addr)      {}
