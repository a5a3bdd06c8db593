package deliver_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/internal/test/hosttest"
	"github.com/apguard/apguard/webhook"
	"github.com/apguard/apguard/webhook/deliver"
)

const host = "receiver.example"

// resolver returns a resolver for which every host has the address.
func resolver(t *testing.T, address func() netip.Addr) *net.Resolver {
	t.Helper()
	return resolverOf(t, func() []netip.Addr { return []netip.Addr{address()} })
}

// resolverOf returns a resolver for which every host has the addresses.
func resolverOf(t *testing.T, addresses func() []netip.Addr) *net.Resolver {
	t.Helper()
	return hosttest.Resolver(t, func(string) []netip.Addr { return addresses() })
}

// newTLSReceiver starts a server with a certificate for the host, and returns the authority that has
// issued it.
func newTLSReceiver(t *testing.T, expires time.Time) (*receiver, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{host}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: expires.Add(-48 * time.Hour), NotAfter: expires,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	require.NoError(t, err)
	certificate, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	roots := x509.NewCertPool()
	roots.AddCert(certificate)

	r := &receiver{}
	r.Server = httptest.NewUnstartedServer(r)
	r.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}, MinVersion: tls.VersionTLS12}
	r.Config.ErrorLog = log.New(io.Discard, "", 0) // refused handshakes
	r.EnableHTTP2 = true
	r.StartTLS()
	t.Cleanup(r.Close)
	return r, roots
}

func tomorrow() time.Time { return time.Now().Add(24 * time.Hour) }

// hostURL returns the URL of a server under the name of the host.
func hostURL(t *testing.T, server *httptest.Server) string {
	t.Helper()
	_, port, err := net.SplitHostPort(server.Listener.Addr().String())
	require.NoError(t, err)
	return "https://" + net.JoinHostPort(host, port) + "/hook"
}

func loopback() netip.Addr { return netip.MustParseAddr("127.0.0.1") }

// The address that counts is the one that is connected to, not what the name resolved to before.
func TestSender_Addresses(t *testing.T) {
	t.Parallel()
	f := newFixture(t, false)
	r, roots := newTLSReceiver(t, tomorrow())
	var public atomic.Bool
	current := func() netip.Addr {
		if public.Load() {
			return loopback()
		}
		return netip.MustParseAddr("127.0.0.2")
	}
	sender := f.sender(deliver.Options{RootCAs: roots, Resolver: resolver(t, current)})
	sender.SetPublic(func(addr netip.Addr) bool { return addr.Unmap() == loopback() })
	e := f.create(hostURL(t, r.Server), webhook.Filter{})
	test := func() webhook.Outcome {
		outcome, err := sender.Test(t.Context(), e.ID)
		require.NoError(t, err)
		return outcome
	}
	public.Store(true)
	require.Equal(t, webhook.Outcome{Status: 200}, test())
	require.Len(t, r.requests(), 1)
	r.CloseClientConnections()

	public.Store(false)
	eventually(t, func() bool { // until the client has noticed that its connection was closed
		return test() == webhook.Outcome{Failure: webhook.FailureAddress}
	})
	got := len(r.requests())
	require.Equal(t, webhook.Outcome{Failure: webhook.FailureAddress}, test())
	require.Len(t, r.requests(), got)
}

func TestSender_Addresses_Default(t *testing.T) {
	t.Parallel()
	f := newFixture(t, false)
	r, roots := newTLSReceiver(t, tomorrow())
	f.run(f.sender(deliver.Options{RootCAs: roots, Resolver: resolver(t, loopback)}))
	f.create(hostURL(t, r.Server), webhook.Filter{})
	f.block(1)
	require.Equal(t, webhook.FailureAddress, f.event(deliver.EventRefused).Outcome.Failure)
	require.Empty(t, r.requests())
}

// An address that is not public is refused in every form, before there is a connection: a name can lead to
// it, and so can an endpoint that was created when that was allowed.
func TestSender_Addresses_Forms(t *testing.T) {
	t.Parallel()
	f := newFixture(t, false)
	listener, connections := newListener(t, "127.0.0.1:0")
	_, port, err := net.SplitHostPort(listener.Addr().String())
	require.NoError(t, err)
	e := f.create("https://"+net.JoinHostPort(host, port), webhook.Filter{})
	refused := webhook.Outcome{Failure: webhook.FailureAddress}
	for text, reason := range map[string]string{
		"127.0.0.1":           "loopback",
		"::ffff:127.0.0.1":    "IPv4 in IPv6",
		"64:ff9b::127.0.0.1":  "NAT64",
		"64:ff9b:1::7f00:1":   "NAT64 of a network",
		"2002:7f00:1::":       "6to4",
		"0.0.0.0":             "unspecified, which is this machine",
		"::":                  "unspecified in IPv6",
		"::1":                 "loopback in IPv6",
		"10.0.0.1":            "private",
		"fd00::1":             "unique local",
		"169.254.169.254":     "link-local",
		"fe80::1":             "link-local in IPv6",
		"fe80::1%lo":          "link-local with a zone",
		"::ffff:169.254.1.1":  "link-local IPv4 in IPv6",
		"fd00:ec2::254":       "metadata service in IPv6",
		"255.255.255.255":     "broadcast",
		"::ffff:0.0.0.0":      "unspecified IPv4 in IPv6",
		"64:ff9b::a9fe:a9fe":  "link-local by NAT64",
		"0:0:0:0:0:0:0:0":     "unspecified, written out",
		"2001:0:7f00:1::f:f1": "Teredo",
	} {
		address := netip.MustParseAddr(text)
		named, err := f.sender(deliver.Options{Resolver: resolver(t, func() netip.Addr { return address.WithZone("") })}).Test(t.Context(), e.ID)
		require.NoError(t, err)
		require.Equal(t, refused, named, "a name with %s, %s", text, reason)

		literal := f.stored("https://" + strings.ReplaceAll(net.JoinHostPort(text, port), "%", "%25"))
		outcome, err := f.sender(deliver.Options{}).Test(t.Context(), literal.ID)
		require.NoError(t, err)
		require.Equal(t, refused, outcome, "%s, %s", text, reason)
	}
	for _, name := range []string{"localhost", "receiver.localhost", "0", "127.1"} {
		outcome, err := f.sender(deliver.Options{}).Test(t.Context(), f.stored("https://"+net.JoinHostPort(name, port)).ID)
		require.NoError(t, err)
		require.Equal(t, refused, outcome, name)
	}
	require.NoError(t, listener.Close())
	require.Zero(t, <-connections)
}

// stored returns an endpoint with a URL that the service may refuse, as a service that allows it would have
// stored it.
func (f *fixture) stored(url string) webhook.Endpoint {
	f.t.Helper()
	e := f.create("https://receiver.example/", webhook.Filter{})
	e, err := f.store.UpdateEndpoint(f.t.Context(), e.ID, func(e webhook.Endpoint) (webhook.Endpoint, error) {
		e.URL = url
		return e, nil
	}, audit.Entry{})
	require.NoError(f.t, err)
	return e
}

// newListener listens on the address and counts connections until it is closed.
func newListener(t *testing.T, address string) (listener net.Listener, connections <-chan int) {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", address)
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	counted := make(chan int, 1)
	go func() {
		n := 0
		for {
			connection, err := listener.Accept()
			if err != nil {
				break
			}
			_ = connection.Close()
			n++
		}
		counted <- n
	}()
	return listener, counted
}

// Names that have public and other addresses, at the same time or in turn, lead to the public ones
// only.
func TestSender_Addresses_Several(t *testing.T) {
	t.Parallel()
	public, private := loopback(), netip.MustParseAddr("127.0.0.2")
	for reason, one := range map[string]struct {
		addresses func(lookup int64) []netip.Addr
		delivered int
	}{
		"both, with the other one first":  {func(int64) []netip.Addr { return []netip.Addr{private, public} }, 10},
		"both, with the public one first": {func(int64) []netip.Addr { return []netip.Addr{public, private} }, 10},
		"public at the first look-up only": {func(lookup int64) []netip.Addr {
			if lookup == 1 {
				return []netip.Addr{public}
			}
			return []netip.Addr{private}
		}, 1},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t, false)
			r, roots := newTLSReceiver(t, tomorrow())
			r.Config.SetKeepAlivesEnabled(false) // so that there is a look-up for each request
			_, port, err := net.SplitHostPort(r.Listener.Addr().String())
			require.NoError(t, err)
			listener, connections := newListener(t, net.JoinHostPort(private.String(), port))
			var lookups atomic.Int64
			sender := f.sender(deliver.Options{RootCAs: roots, Resolver: resolverOf(t, func() []netip.Addr {
				return one.addresses((lookups.Add(1) + 1) / 2) // A and AAAA
			})})
			sender.SetPublic(func(addr netip.Addr) bool { return addr.Unmap() == public })
			e := f.create(hostURL(t, r.Server), webhook.Filter{})
			delivered := 0
			for range 10 {
				outcome, err := sender.Test(t.Context(), e.ID)
				require.NoError(t, err)
				if outcome.Succeeded() {
					delivered++
				} else {
					require.Equal(t, webhook.Outcome{Failure: webhook.FailureAddress}, outcome)
				}
			}
			require.Equal(t, one.delivered, delivered)
			require.NoError(t, listener.Close())
			require.Zero(t, <-connections, "nothing may connect to the other address")
		})
	}
}

// An endpoint with http that was created when that was allowed gets nothing, whatever its address is.
func TestSender_Addresses_WithoutTLS(t *testing.T) {
	t.Parallel()
	f := newFixture(t, false)
	plain := newReceiver(t, nil)
	sender := f.sender(deliver.Options{})
	sender.SetPublic(func(netip.Addr) bool { return true })
	outcome, err := sender.Test(t.Context(), f.stored(plain.URL).ID)
	require.NoError(t, err)
	require.Equal(t, webhook.Outcome{Failure: webhook.FailureAddress}, outcome)
	require.Empty(t, plain.requests())
}

// privateReceivers returns URLs of receivers on loopback addresses that fail, by the way in which they do.
func privateReceivers(t *testing.T) map[string]string {
	t.Helper()
	end := make(chan struct{})
	servers := make(map[string]string)
	for reason, answer := range map[string]http.HandlerFunc{
		"status 503":  status(http.StatusServiceUnavailable),
		"status 410":  status(http.StatusGone),
		"redirection": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/", http.StatusFound) },
		"timeout":     func(http.ResponseWriter, *http.Request) { <-end },
		"disconnect":  func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	} {
		servers[reason] = newReceiver(t, answer).URL
	}
	t.Cleanup(func() { close(end) }) // before the receivers are closed
	encrypted := httptest.NewUnstartedServer(http.NotFoundHandler())
	encrypted.Config.ErrorLog = log.New(io.Discard, "", 0) // refused handshakes
	encrypted.StartTLS()
	t.Cleanup(encrypted.Close)
	servers["unknown certificate"] = encrypted.URL
	closed, connections := newListener(t, "127.0.0.1:0")
	require.NoError(t, closed.Close())
	<-connections
	servers["refused connection"] = "http://" + closed.Addr().String()
	return servers
}

// Operators learn nothing about a receiver in the network of the server but that it has not accepted a
// message. The state of an endpoint follows what the receiver has answered.
func TestSender_Test_Private(t *testing.T) {
	t.Parallel()
	for reason, at := range privateReceivers(t) {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			for private, want := range map[bool]webhook.Failure{false: webhook.FailureAddress, true: webhook.FailureConnection} {
				f := newFixture(t, private)
				e := f.stored(at)
				sender := f.sender(deliver.Options{Timeout: time.Second})
				for range 2 { // with a new connection, and one that is open
					outcome, err := sender.Test(t.Context(), e.ID)
					require.NoError(t, err)
					require.Equal(t, webhook.Outcome{Failure: want}, outcome)
				}
				f.block(1)
				f.run(sender)
				eventually(t, func() bool { return !f.get(e.ID).LastAt.IsZero() })
				require.Equal(t, webhook.Outcome{Failure: want}, f.get(e.ID).Last)
				require.Equal(t, private && reason == "status 410", f.get(e.ID).State == webhook.StateDisabled)
			}
		})
	}
	f := newFixture(t, true)
	outcome, err := f.sender(deliver.Options{}).Test(t.Context(), f.create(newReceiver(t, nil).URL, webhook.Filter{}).ID)
	require.NoError(t, err)
	require.Equal(t, webhook.Outcome{Status: 200}, outcome, "a success")
}

func TestSender_TLS(t *testing.T) {
	t.Parallel()
	f := newFixture(t, true)
	valid, roots := newTLSReceiver(t, tomorrow())
	expired, expiredRoots := newTLSReceiver(t, time.Now().Add(-time.Hour))
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	for reason, one := range map[string]struct {
		server *httptest.Server
		roots  *x509.CertPool
		name   bool
		want   webhook.Outcome
	}{
		"valid":                {valid.Server, roots, true, webhook.Outcome{Status: 200}},
		"expired":              {expired.Server, expiredRoots, true, webhook.Outcome{Failure: webhook.FailureTLS}},
		"of another authority": {valid.Server, expiredRoots, true, webhook.Outcome{Failure: webhook.FailureTLS}},
		"for another host":     {valid.Server, roots, false, webhook.Outcome{Failure: webhook.FailureTLS}},
	} {
		at := one.server.URL
		if one.name {
			at = hostURL(t, one.server)
		}
		e := f.create(at, webhook.Filter{})
		outcome, err := f.publicSender(deliver.Options{RootCAs: one.roots, Resolver: resolver(t, loopback)}).Test(t.Context(), e.ID)
		require.NoError(t, err)
		require.Equal(t, one.want, outcome, reason)
	}
	e := f.create(hostURL(t, plain), webhook.Filter{})
	outcome, err := f.sender(deliver.Options{Resolver: resolver(t, loopback)}).Test(t.Context(), e.ID)
	require.NoError(t, err)
	require.False(t, outcome.Succeeded(), "a server without TLS")
}
