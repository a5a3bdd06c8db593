package deliver_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/webhook"
	"github.com/apguard/apguard/webhook/deliver"
)

const host = "receiver.example"

// resolver returns a resolver for which every host has the address.
func resolver(t *testing.T, address func() netip.Addr) *net.Resolver {
	t.Helper()
	server, err := (&net.ListenConfig{}).ListenPacket(t.Context(), "udp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = server.Close() })
	go func() {
		query := make([]byte, 1500)
		for {
			n, from, err := server.ReadFrom(query)
			if err != nil {
				return
			}
			_, _ = server.WriteTo(dnsAnswer(query[:n], address()), from)
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", server.LocalAddr().String())
	}}
}

// dnsAnswer answers a query for A with the address, and any other with nothing.
func dnsAnswer(query []byte, address netip.Addr) []byte {
	const header = 12
	end := header
	for end < len(query) && query[end] != 0 {
		end += int(query[end]) + 1
	}
	question := query[header : end+5]
	answer := append([]byte{query[0], query[1], 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}, question...)
	if kind := binary.BigEndian.Uint16(question[len(question)-4:]); kind == 1 {
		answer[7] = 1
		answer = append(answer, 0xc0, header, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4)
		answer = append(answer, address.AsSlice()...)
	}
	return answer
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

// An endpoint with http that was created when that was allowed gets nothing, whatever its address is.
func TestSender_Addresses_WithoutTLS(t *testing.T) {
	t.Parallel()
	f := newFixture(t, false)
	plain := newReceiver(t, nil)
	sender := f.sender(deliver.Options{})
	sender.SetPublic(func(netip.Addr) bool { return true })
	e := f.create("https://receiver.example/", webhook.Filter{})
	_, err := f.store.UpdateEndpoint(t.Context(), e.ID, func(e webhook.Endpoint) (webhook.Endpoint, error) {
		e.URL = plain.URL // as a service that allows it would have stored
		return e, nil
	})
	require.NoError(t, err)
	outcome, err := sender.Test(t.Context(), e.ID)
	require.NoError(t, err)
	require.Equal(t, webhook.Outcome{Failure: webhook.FailureAddress}, outcome)
	require.Empty(t, plain.requests())
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
		outcome, err := f.sender(deliver.Options{RootCAs: one.roots, Resolver: resolver(t, loopback)}).Test(t.Context(), e.ID)
		require.NoError(t, err)
		require.Equal(t, one.want, outcome, reason)
	}
	e := f.create(hostURL(t, plain), webhook.Filter{})
	outcome, err := f.sender(deliver.Options{Resolver: resolver(t, loopback)}).Test(t.Context(), e.ID)
	require.NoError(t, err)
	require.False(t, outcome.Succeeded(), "a server without TLS")
}
