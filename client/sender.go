package client

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// maxHeader is the maximum size of the headers of a response in bytes, unless Options.HTTPClient is
// given.
const maxHeader = 64 << 10

// sender sends the calls of a client.
type sender struct {
	base *url.URL
	http *http.Client
	// authorize adds the key. Printing a function does not show it.
	authorize func(http.Header)
	timeout   time.Duration
	retry     retry
	// sleep waits between two attempts.
	sleep func(context.Context, time.Duration) error
}

// newSender returns a sender, or an error that matches [ErrOptions].
func newSender(baseURL string, opts Options) (*sender, error) {
	base, err := parseBase(baseURL)
	if err != nil {
		return nil, err
	}
	for _, char := range []byte(opts.Key) {
		if char <= ' ' || char > '~' {
			return nil, optionError("key must consist of visible ASCII characters")
		}
	}
	return &sender{
		base:      base,
		http:      withoutRedirects(opts.HTTPClient),
		authorize: authorization(opts.Key),
		timeout:   cmp.Or(max(opts.Timeout, 0), DefaultTimeout),
		retry: retry{
			attempts: max(cmp.Or(opts.Retries, DefaultRetries), 0),
			time:     cmp.Or(max(opts.RetryTime, 0), DefaultRetryTime),
		},
		sleep: sleep,
	}, nil
}

type optionError string

func (e optionError) Error() string { return string(e) }

func (optionError) Unwrap() error { return ErrOptions }

// parseBase parses a base URL. Its errors show nothing of the URL, in which there can be a password.
func parseBase(text string) (*url.URL, error) {
	base, err := url.Parse(text)
	switch {
	case err != nil:
		return nil, optionError("base URL is malformed; it must begin with https:// or http://")
	case base.Scheme != "http" && base.Scheme != "https":
		return nil, optionError("base URL must begin with https:// or http://")
	case base.User != nil:
		return nil, optionError("base URL must not contain a user or a password")
	case base.Hostname() == "":
		return nil, optionError("base URL must have a host")
	case base.RawQuery != "" || base.ForceQuery || base.Fragment != "" || strings.Contains(text, "#"):
		return nil, optionError("base URL must not have a query or a fragment")
	}
	return base, nil
}

// authorization returns a function that adds the key to the headers of a request.
func authorization(key string) func(http.Header) {
	return func(header http.Header) {
		if key != "" {
			header.Set("X-Api-Key", key)
		}
	}
}

// withoutRedirects returns a copy of the client that follows no redirects.
func withoutRedirects(given *http.Client) *http.Client {
	var own http.Client
	if given != nil {
		own = *given
	} else if transport, ok := http.DefaultTransport.(*http.Transport); ok {
		transport = transport.Clone()
		transport.MaxResponseHeaderBytes = maxHeader
		own.Transport = transport
	}
	own.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &own
}
