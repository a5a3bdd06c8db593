package webhook

import (
	"strconv"
	"strings"
	"time"
)

// Outcome is what came of a request. Nothing else of a response is stored.
type Outcome struct {
	// Status is the status code of the response, or 0 without a response.
	Status int `json:"status,omitzero"`
	// Failure is empty if the request succeeded.
	Failure Failure `json:"failure,omitzero"`
	// RetryAfter is how long the receiver asked to wait. It is not stored.
	RetryAfter time.Duration `json:"-"`
	// Private says that the request went to an address that is not public. It is not stored.
	Private bool `json:"-"`
}

// Told returns the outcome as it is stored and told to operators. A failure of a receiver whose
// address is not public has no status and is [FailureConnection], so that operators cannot explore the
// network of the server.
func (o Outcome) Told() Outcome {
	if o.Private && !o.Succeeded() {
		return Outcome{Failure: FailureConnection}
	}
	return Outcome{Status: o.Status, Failure: o.Failure}
}

// Failure is a kind of failed request.
type Failure string

// The kinds of failures.
const (
	// FailureStatus means that the status code is neither a success nor a redirection.
	FailureStatus Failure = "STATUS"
	// FailureRedirect means that the receiver answered with a redirection, which is not followed.
	FailureRedirect Failure = "REDIRECT"
	// FailureTimeout means that there was no response in time.
	FailureTimeout Failure = "TIMEOUT"
	// FailureAddress means that the host has no address that is public, or that the URL is not
	// allowed any more.
	FailureAddress Failure = "ADDRESS"
	// FailureTLS means that the certificate of the receiver is not valid, for example.
	FailureTLS Failure = "TLS"
	// FailureConnection means any other reason why there was no response. For a receiver whose address
	// is not public, operators see it instead of every other failure; see [Outcome.Told].
	FailureConnection Failure = "CONNECTION"
)

// OutcomeOf returns the outcome of a response with the status code and the value of its header
// Retry-After.
func OutcomeOf(status int, retryAfter string, now time.Time) Outcome {
	o := Outcome{Status: status}
	switch {
	case status >= 200 && status < 300:
		return o
	case status >= 300 && status < 400:
		o.Failure = FailureRedirect
	default:
		o.Failure = FailureStatus
	}
	o.RetryAfter = parseRetryAfter(retryAfter, now)
	return o
}

// httpDate is the format of dates in headers.
const httpDate = "Mon, 02 Jan 2006 15:04:05 GMT"

// parseRetryAfter returns the time of a header Retry-After, in seconds or as a date, or 0.
func parseRetryAfter(text string, now time.Time) time.Duration {
	text = strings.TrimSpace(text)
	if seconds, err := strconv.ParseUint(text, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if at, err := time.Parse(httpDate, text); err == nil {
		return max(at.Sub(now), 0)
	}
	return 0
}

// Succeeded reports whether the receiver has accepted the message.
func (o Outcome) Succeeded() bool { return o.Failure == "" }
