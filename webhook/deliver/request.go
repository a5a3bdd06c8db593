package deliver

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/apguard/apguard/webhook"
)

const (
	// maxResponseHeader and maxResponseBody bound what is read of a response. The body is read so
	// that the connection can be used again.
	maxResponseHeader = 16 << 10
	maxResponseBody   = 4 << 10
	// idleTimeout and maxIdle bound how long connections stay open and how many do.
	idleTimeout = 90 * time.Second
	maxIdle     = 256
)

// newClient returns the client for all requests.
func (s *Sender) newClient() *http.Client {
	dialer := &net.Dialer{Timeout: s.options.Timeout, Resolver: s.options.Resolver}
	if s.options.Proxy == nil {
		dialer.ControlContext = s.checkAddress
	}
	return &http.Client{
		Timeout: s.options.Timeout,
		Transport: &http.Transport{
			Proxy:                  s.options.Proxy,
			DialContext:            dialer.DialContext,
			TLSClientConfig:        &tls.Config{RootCAs: s.options.RootCAs, MinVersion: tls.VersionTLS12},
			ForceAttemptHTTP2:      true,
			DisableCompression:     true,
			MaxResponseHeaderBytes: maxResponseHeader,
			IdleConnTimeout:        idleTimeout,
			MaxIdleConns:           maxIdle,
			MaxIdleConnsPerHost:    2,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// send sends the message of the attempt and returns the outcome.
func (s *Sender) send(ctx context.Context, attempt webhook.Attempt) webhook.Outcome {
	ctx, to := s.observe(ctx)
	outcome := s.post(ctx, attempt)
	outcome.Private = to.private.Load()
	return outcome
}

func (s *Sender) post(ctx context.Context, attempt webhook.Attempt) webhook.Outcome {
	if s.webhooks.CheckURL(attempt.Endpoint.URL) != nil {
		return webhook.Outcome{Failure: webhook.FailureAddress} // created when that was allowed
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, attempt.Endpoint.URL, bytes.NewReader(attempt.Choice.Message.Body))
	if err != nil {
		return webhook.Outcome{Failure: webhook.FailureConnection} // an endpoint of another version
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "apguard-webhook")
	for name, value := range attempt.Headers() {
		req.Header.Set(name, value)
	}
	response, err := s.client.Do(req)
	if err != nil {
		return webhook.Outcome{Failure: failureOf(err)}
	}
	defer response.Body.Close()                                                //nolint:errcheck // it was only read
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, maxResponseBody)) // the status is known
	return webhook.OutcomeOf(response.StatusCode, response.Header.Get("Retry-After"), s.webhooks.Now())
}

// failureOf returns the kind of failure of a request that got no response.
func failureOf(err error) webhook.Failure {
	var (
		requested   *url.Error
		certificate *tls.CertificateVerificationError
		authority   x509.UnknownAuthorityError
		record      tls.RecordHeaderError
		alert       tls.AlertError
	)
	switch {
	case errors.Is(err, errAddress):
		return webhook.FailureAddress
	case errors.As(err, &requested) && requested.Timeout():
		return webhook.FailureTimeout
	case errors.As(err, &certificate), errors.As(err, &authority), errors.As(err, &record), errors.As(err, &alert):
		return webhook.FailureTLS
	}
	return webhook.FailureConnection
}
