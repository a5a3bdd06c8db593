package fetch

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"syscall"

	"github.com/apguard/apguard/lists"
)

// Failure is a way in which a fetch fails.
type Failure string

// The ways in which a fetch fails.
const (
	// FailureURL means that the URL, or one to which it redirects, is one that a list must not have. It may have been
	// added when more was allowed.
	FailureURL Failure = "URL"
	// FailureAddress means that the host has an address that is not public.
	FailureAddress Failure = "ADDRESS"
	// FailureRedirect means that there were too many redirections.
	FailureRedirect Failure = "REDIRECT"
	// FailureConnection means that there was no connection, or no response.
	FailureConnection Failure = "CONNECTION"
	// FailureTLS means that there was no connection that is secure.
	FailureTLS Failure = "TLS"
	// FailureStatus means that the response had another status than 200.
	FailureStatus Failure = "STATUS"
	// FailureEncoding means that the file was compressed in a way that was not asked for.
	FailureEncoding Failure = "ENCODING"
	// FailureTimeout means that the file was not received in time.
	FailureTimeout Failure = "TIMEOUT"
	// FailureSize means that the file was too large.
	FailureSize Failure = "SIZE"
	// FailureBroken means that the file broke off, or was damaged.
	FailureBroken Failure = "BROKEN"
)

// Error says why a file was not received. Its text has nothing of the URL, which may contain a token.
type Error struct {
	Failure Failure
	// Status is the status code of FailureStatus.
	Status int
	// detail completes the text.
	detail string
}

// Error implements error.
func (e *Error) Error() string {
	text := map[Failure]string{
		FailureURL:        "the URL, or one to which it redirects, is not allowed",
		FailureAddress:    "address is not public",
		FailureRedirect:   fmt.Sprintf("more than %d redirections", maxRedirects),
		FailureConnection: "no connection",
		FailureTLS:        "no secure connection",
		FailureStatus:     fmt.Sprintf("status %d", e.Status),
		FailureEncoding:   "unknown content encoding",
		FailureTimeout:    "timed out",
		FailureSize:       "too large",
		FailureBroken:     "the file broke off, or is damaged",
	}[e.Failure]
	if e.detail != "" {
		text += ": " + e.detail
	}
	return text
}

// Unwrap returns the [*lists.FetchError] with the same text.
func (e *Error) Unwrap() error { return &lists.FetchError{Reason: e.Error()} }

// errorOf returns the error of a request that got no response.
func errorOf(err error) error {
	var (
		known     *Error
		requested *url.Error
	)
	switch {
	case errors.As(err, &known):
		return known
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &requested) && requested.Timeout():
		return &Error{Failure: FailureTimeout}
	}
	if detail, ok := secureDetail(err); ok {
		return &Error{Failure: FailureTLS, detail: detail}
	}
	return &Error{Failure: FailureConnection, detail: connectionDetail(err)}
}

// secureDetail reports whether an error is one of TLS, and returns what can be said of it.
func secureDetail(err error) (string, bool) {
	var (
		authority   x509.UnknownAuthorityError
		invalid     x509.CertificateInvalidError
		host        x509.HostnameError
		certificate *tls.CertificateVerificationError
		record      tls.RecordHeaderError
		alert       tls.AlertError
	)
	switch {
	case errors.As(err, &authority):
		return "certificate of an unknown authority", true
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "certificate has expired, or is not valid yet", true
	case errors.As(err, &host):
		return "certificate of another host", true
	case errors.As(err, &certificate):
		return "invalid certificate", true
	case errors.As(err, &record), errors.Is(err, http.ErrSchemeMismatch):
		return "the server does not speak TLS", true
	}
	return "", errors.As(err, &alert)
}

// connectionDetail returns what can be said of an error of a connection, or nothing.
func connectionDetail(err error) string {
	var (
		lookup *net.DNSError
		system syscall.Errno
	)
	switch {
	case errors.As(err, &lookup) && lookup.IsNotFound:
		return "no such host"
	case errors.As(err, &lookup):
		return "the host cannot be looked up"
	case errors.As(err, &system):
		return system.Error()
	}
	return ""
}
