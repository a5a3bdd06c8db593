package fetch

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"syscall"
)

const (
	// maxRedirects is the number of redirections that are followed.
	maxRedirects = 5
	// maxHeader bounds what is read of a response before its body.
	maxHeader = 64 << 10
)

// newClient returns the client for all requests. It keeps no connection, as the next request is later than servers
// wait for.
func (f *Fetcher) newClient() *http.Client {
	dialer := &net.Dialer{Resolver: f.options.Resolver}
	if f.options.Proxy == nil {
		dialer.ControlContext = f.checkAddress
	}
	return &http.Client{
		Transport: &http.Transport{
			Proxy:                  f.options.Proxy,
			DialContext:            dialer.DialContext,
			TLSClientConfig:        &tls.Config{RootCAs: f.options.RootCAs, MinVersion: tls.VersionTLS12},
			ForceAttemptHTTP2:      true,
			DisableKeepAlives:      true,
			MaxResponseHeaderBytes: maxHeader,
		},
		CheckRedirect: f.checkRedirect,
	}
}

// checkAddress refuses a connection to an address that is not public, unless the service allows it. The dialer calls it
// with the address to which it connects, after the host was looked up.
func (f *Fetcher) checkAddress(_ context.Context, _, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if f.lists.AllowPrivate() || err == nil && f.public(to.Addr()) {
		return nil
	}
	return &Error{Failure: FailureAddress}
}

// checkRedirect refuses a redirection to a URL that a list must not have.
func (f *Fetcher) checkRedirect(req *http.Request, via []*http.Request) error {
	if len(via) > maxRedirects {
		return &Error{Failure: FailureRedirect}
	}
	to := *req.URL
	to.Fragment, to.RawFragment = "", "" // it is not sent
	if err := f.checkURL(&to); err != nil {
		return err
	}
	req.Header.Del("Referer") // it has the URL of the list, which may contain a token
	return nil
}

// checkURL refuses a URL that a list must not have.
func (f *Fetcher) checkURL(to *url.URL) error {
	if f.lists.CheckURL(to.String()) != nil {
		return &Error{Failure: FailureURL}
	}
	return nil
}
