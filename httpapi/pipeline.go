package httpapi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
)

// answer returns a handler that names each request and keeps account of it, and
// has it answered by the given function. An operation that is "" is none.
func (a *API) answer(operation string, serve func(w *reply)) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		ctx := context.WithValue(r.Context(), requestIDKey{}, requestID(rw.Header(), r))
		w := a.begin(rw, r.WithContext(ctx), operation)
		defer func() {
			cause := recover()
			if err := panicError(cause); err != nil {
				w.exchange.Err = err
			}
			a.finish(ctx, w)
			if cause != nil {
				panic(cause)
			}
		}()
		serve(w)
	})
}

// panicError returns what a panic tells the operator: nothing when there is none, or
// when it was to break the connection.
func panicError(cause any) error {
	err, isError := cause.(error)
	if cause == nil || isError && errors.Is(err, http.ErrAbortHandler) {
		return nil
	}
	return fmt.Errorf("panic: %v", cause)
}

// handler returns what serves an operation.
func (a *API) handler(op operation) http.Handler {
	return a.answer(op.path, func(w *reply) {
		if op.deprecated {
			announceSuccessor(w.Header(), w.request, op.path)
		}
		if err := a.serve(w, w.request, op); err != nil {
			answer, known := refusalOf(err)
			if !known {
				w.conceal(err)
			}
			w.refuse(answer, op.body)
		}
	})
}

// serve is the way of every request, and the order of the checks: the first that
// fails answers.
func (a *API) serve(w *reply, r *http.Request, op operation) error {
	if !slices.Contains(op.methods, r.Method) {
		w.Header().Set("Allow", strings.Join(op.methods, ", "))
		return refusal{status: http.StatusMethodNotAllowed, message: "Method not supported"}
	}
	if op.scope == "" { // it is open to everybody
		return op.handle(a, w, call{Request: r})
	}
	principal, err := a.authenticate(w, r)
	if err != nil {
		return err
	}
	if !op.open(principal) {
		return refusal{status: op.noAccess}
	}
	c := call{Request: r, principal: principal}
	if op.takesBody {
		if err := checkContentType(r.Header); err != nil {
			return err
		}
		if c.body, err = a.readBody(w, r); err != nil {
			return err
		}
	}
	return op.handle(a, w, c)
}

// open reports whether the operation is open to the principal.
func (op operation) open(principal account.Principal) bool {
	return principal.Has(op.scope) && (!op.organization || principal.HasOrganization())
}

// checkContentType demands JSON that is not compressed. A header given twice is
// refused, as two readers of the request may disagree on which one counts.
func checkContentType(header http.Header) error {
	types := header.Values("Content-Type")
	if len(types) != 1 {
		return refusal{status: http.StatusUnsupportedMediaType, message: "Content-Type must be application/json"}
	}
	mediaType, _, err := mime.ParseMediaType(types[0])
	if err != nil || mediaType != "application/json" {
		return refusal{status: http.StatusUnsupportedMediaType, message: "Content-Type must be application/json"}
	}
	for _, encoding := range header.Values("Content-Encoding") {
		if encoding != "" && !strings.EqualFold(encoding, "identity") {
			return refusal{status: http.StatusUnsupportedMediaType, message: "Content-Encoding must be identity"}
		}
	}
	return nil
}

// readBody reads the body, unless it is too large or says that it is.
func (a *API) readBody(w *reply, r *http.Request) ([]byte, error) {
	tooLarge := refusal{status: http.StatusRequestEntityTooLarge, message: "Request body is too large"}
	if r.ContentLength > a.maxBody {
		return nil, tooLarge
	}
	if r.Body == nil { // no server makes such a request, but a caller in the process may
		return nil, nil
	}
	w.awaitBody()
	body, err := io.ReadAll(http.MaxBytesReader(w.ResponseWriter, r.Body, a.maxBody))
	var exceeded *http.MaxBytesError
	switch {
	case errors.As(err, &exceeded):
		return nil, tooLarge
	case err != nil:
		var issues asset.Issues
		issues.Add("", "the body ends too early")
		return nil, issues.Err()
	}
	w.exchange.Received = int64(len(body))
	return body, nil
}
