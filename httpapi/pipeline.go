package httpapi

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
)

// handler returns what serves an operation.
func (a *API) handler(op operation) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		setCommonHeaders(w.Header())
		if op.deprecated {
			announceSuccessor(w.Header(), r, op.path)
		}
		if err := a.serve(w, r, op); err != nil {
			a.refuse(w, r, op, err)
		}
	})
}

// serve is the way of every request, and the order of the checks: the first that
// fails answers.
func (a *API) serve(w http.ResponseWriter, r *http.Request, op operation) error {
	if !slices.Contains(op.methods, r.Method) {
		w.Header().Set("Allow", strings.Join(op.methods, ", "))
		return refusal{status: http.StatusMethodNotAllowed, message: "Method not supported"}
	}
	principal, err := a.authenticate(r)
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
func (a *API) readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	tooLarge := refusal{status: http.StatusRequestEntityTooLarge, message: "Request body is too large"}
	if r.ContentLength > a.maxBody {
		return nil, tooLarge
	}
	if r.Body == nil { // no server makes such a request, but a caller in the process may
		return nil, nil
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, a.maxBody))
	var exceeded *http.MaxBytesError
	switch {
	case errors.As(err, &exceeded):
		return nil, tooLarge
	case err != nil:
		var issues asset.Issues
		issues.Add("", "the body ends too early")
		return nil, issues.Err()
	}
	return body, nil
}

// refuse answers with what err means to the client. What it means to nobody but
// the operator is logged, unless the client has left and the error is most
// likely the end of its request.
func (a *API) refuse(w http.ResponseWriter, r *http.Request, op operation, err error) {
	answer, known := refusalOf(err)
	if !known {
		a.logFailure(r, err)
	}
	a.writeRefusal(w, answer, op.body)
}

func (a *API) logFailure(r *http.Request, err error) {
	if clientGone(r) {
		return
	}
	a.logger.ErrorContext(r.Context(), "request failed", "method", r.Method, "path", r.URL.Path, "error", err)
}
