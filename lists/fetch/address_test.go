package fetch_test

import (
	"crypto/x509"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/internal/test/hosttest"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/lists/fetch"
)

// certified is the host of the certificates of package httptest.
const certified = "example.com"

// newTLSSite starts a server for the certified host. It returns the URL of the server under that name, and who has
// issued the certificate.
func newTLSSite(t *testing.T, answer http.HandlerFunc) (s *site, url string, roots *x509.CertPool) {
	t.Helper()
	s = &site{handler: answer}
	s.Server = httptest.NewTLSServer(s)
	t.Cleanup(s.Close)
	roots = x509.NewCertPool()
	roots.AddCert(s.Certificate())
	return s, "https://" + net.JoinHostPort(certified, port(t, s.Listener)), roots
}

func port(t *testing.T, listener net.Listener) string {
	t.Helper()
	_, port, err := net.SplitHostPort(listener.Addr().String())
	require.NoError(t, err)
	return port
}

func loopback() netip.Addr { return netip.MustParseAddr("127.0.0.1") }

// resolver knows the certified host, which is on this machine, and another one, which is in its network.
func resolver(t *testing.T) *net.Resolver {
	t.Helper()
	return hosttest.Resolver(t, func(host string) []netip.Addr {
		if host == certified {
			return []netip.Addr{loopback()}
		}
		return []netip.Addr{netip.MustParseAddr("127.0.0.2")}
	})
}

// The address that counts is the one that is connected to, at the beginning and after each redirection.
func TestFetcher_addresses(t *testing.T) {
	t.Parallel()
	const notAllowed = "the URL, or one to which it redirects, is not allowed"
	private, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.2:0")
	require.NoError(t, err)
	var connections atomic.Int64
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	require.NoError(t, server.Listener.Close())
	server.Listener = private
	server.Config.ConnState = func(net.Conn, http.ConnState) { connections.Add(1) }
	server.Start()
	t.Cleanup(server.Close)
	for reason, c := range map[string]struct {
		to      string
		failure fetch.Failure
		text    string
	}{
		"a name of the own network":   {"https://" + net.JoinHostPort("private.example", port(t, private)), fetch.FailureAddress, "address is not public"},
		"an address of it":            {"https://" + private.Addr().String(), fetch.FailureURL, notAllowed},
		"localhost":                   {"https://localhost:" + port(t, private), fetch.FailureURL, notAllowed},
		"a metadata service":          {"https://169.254.169.254/latest", fetch.FailureURL, notAllowed},
		"a page without TLS":          {"http://" + certified + "/", fetch.FailureURL, notAllowed},
		"something that is no URL":    {"https://127.1/", fetch.FailureURL, notAllowed},
		"a name of it, without TLS":   {"http://" + net.JoinHostPort("private.example", port(t, private)), fetch.FailureURL, notAllowed},
		"an address in another form":  {"https://[::ffff:127.0.0.2]:" + port(t, private), fetch.FailureURL, notAllowed},
		"an address of another proto": {"ftp://" + private.Addr().String(), fetch.FailureURL, notAllowed},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t, false)
			s, url, roots := newTLSSite(t, redirect(c.to))
			fetcher := f.fetcher(fetch.Options{RootCAs: roots, Resolver: resolver(t)})
			fetcher.SetPublic(func(addr netip.Addr) bool { return addr.Unmap() == loopback() })
			f.add(url)
			f.syncByHand("a.com\n")
			err := f.fetchDue(fetcher)
			f.failed(err, c.failure, c.text)
			require.Len(t, s.asked(), 1)
		})
	}
	t.Cleanup(func() { require.Zero(t, connections.Load(), "nothing may connect to the own network") })
}

// By default, nothing on this machine is reached.
func TestFetcher_addresses_default(t *testing.T) {
	t.Parallel()
	f := newFixture(t, false)
	s, url, roots := newTLSSite(t, file("b.com\n"))
	f.add(url)
	f.syncByHand("a.com\n")
	err := f.fetchDue(f.fetcher(fetch.Options{RootCAs: roots, Resolver: resolver(t)}))
	f.failed(err, fetch.FailureAddress, "address is not public")
	require.Empty(t, s.asked())
}

// A list that was added when more was allowed is not fetched.
func TestFetcher_addresses_stored(t *testing.T) {
	t.Parallel()
	f := newFixture(t, false)
	s := newSite(t, file("b.com\n"))
	f.add("https://" + certified)
	f.syncByHand("a.com\n")
	_, err := f.store.PutList(t.Context(), "phantom", func(old lists.List, _ int) (lists.List, audit.Entry, error) {
		old.URL = s.URL
		return old, audit.Entry{}, nil
	})
	require.NoError(t, err)
	fetcher := f.fetcher(fetch.Options{})
	fetcher.SetPublic(func(netip.Addr) bool { return true })
	err = f.fetchDue(fetcher)
	f.failed(err, fetch.FailureURL, "the URL, or one to which it redirects, is not allowed")
	require.Empty(t, s.asked())
}

// A list is fetched with TLS, also after a redirection, which learns nothing of the URL of the list.
func TestFetcher_redirections(t *testing.T) {
	t.Parallel()
	f := newFixture(t, false)
	s, url, roots := newTLSSite(t, func(w http.ResponseWriter, r *http.Request) {
		switch path := r.URL.Path; {
		case path == "/hunter2":
			redirect("/1#part")(w, r)
		case len(path) < len("/11111"):
			redirect(path+"1#part")(w, r)
		default:
			file("b.com\n")(w, r)
		}
	})
	fetcher := f.fetcher(fetch.Options{RootCAs: roots, Resolver: resolver(t)})
	fetcher.SetPublic(func(netip.Addr) bool { return true })
	f.add(url)
	result, err := fetcher.FetchNow(t.Context(), lists.SyncRequest{Name: "phantom"})
	require.NoError(t, err)
	require.Equal(t, lists.SyncResult{Added: 1}, result)
	asked := s.asked()
	require.Len(t, asked, 6)
	for _, r := range asked {
		require.Empty(t, r.Header.Get("Referer"))
	}
}
