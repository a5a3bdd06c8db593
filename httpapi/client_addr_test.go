package httpapi_test

import (
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/httpapi"
)

// proxies are the trusted proxies of the tests.
func proxies() []netip.Prefix {
	return []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("2001:db8:ffff::/48")}
}

func TestTrustProxies(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		remote    string
		forwarded []string
		want      string
	}{
		"no proxy":                          {"192.0.2.1:1234", nil, "192.0.2.1"},
		"no proxy, and a header that lies":  {"192.0.2.1:1234", []string{"198.51.100.7"}, "192.0.2.1"},
		"no proxy, a header naming a proxy": {"192.0.2.1:1234", []string{"198.51.100.7, 10.0.0.1"}, "192.0.2.1"},
		"one proxy":                         {"10.0.0.1:1234", []string{"192.0.2.1"}, "192.0.2.1"},
		"one proxy, and a lie before it":    {"10.0.0.1:1234", []string{"198.51.100.7, 192.0.2.1"}, "192.0.2.1"},
		"a lie that names a proxy":          {"10.0.0.1:1234", []string{"10.0.0.9, 192.0.2.1"}, "192.0.2.1"},
		"a lie that is no address":          {"10.0.0.1:1234", []string{"<script>, 192.0.2.1"}, "192.0.2.1"},
		"a lie in a header of its own":      {"10.0.0.1:1234", []string{"198.51.100.7", "192.0.2.1"}, "192.0.2.1"},
		"two proxies":                       {"10.0.0.1:1234", []string{"192.0.2.1, 10.0.0.2"}, "192.0.2.1"},
		"two proxies with headers of their own": {
			"10.0.0.1:1234", []string{"198.51.100.7, 192.0.2.1", "10.0.0.2"}, "192.0.2.1",
		},
		"a proxy without a header":        {"10.0.0.1:1234", nil, "10.0.0.1"},
		"a proxy with an empty header":    {"10.0.0.1:1234", []string{""}, "10.0.0.1"},
		"only proxies":                    {"10.0.0.1:1234", []string{"10.0.0.3,10.0.0.2"}, "10.0.0.3"},
		"an empty entry":                  {"10.0.0.1:1234", []string{"192.0.2.1,"}, "10.0.0.1"},
		"an unknown client":               {"10.0.0.1:1234", []string{"192.0.2.1, unknown"}, "10.0.0.1"},
		"an unknown client of proxy two":  {"10.0.0.1:1234", []string{"192.0.2.1, unknown, 10.0.0.2"}, "10.0.0.2"},
		"a port":                          {"10.0.0.1:1234", []string{"192.0.2.1:99"}, "192.0.2.1"},
		"a port that is none":             {"10.0.0.1:1234", []string{"192.0.2.1:99999"}, "10.0.0.1"},
		"white space":                     {"10.0.0.1:1234", []string{"\t192.0.2.1 "}, "192.0.2.1"},
		"a number":                        {"10.0.0.1:1234", []string{"3221225985"}, "10.0.0.1"},
		"leading zeros":                   {"10.0.0.1:1234", []string{"192.0.2.001"}, "10.0.0.1"},
		"IPv6":                            {"[2001:db8:ffff::1]:1234", []string{"2001:db8::7"}, "2001:db8::7"},
		"IPv6 in brackets":                {"[2001:db8:ffff::1]:1234", []string{"[2001:db8::7]"}, "2001:db8::7"},
		"IPv6 with a port":                {"[2001:db8:ffff::1]:1234", []string{"[2001:db8::7]:99"}, "2001:db8::7"},
		"IPv4 as IPv6":                    {"[::ffff:10.0.0.1]:1234", []string{"::ffff:192.0.2.1"}, "192.0.2.1"},
		"a zone":                          {"[fe80::1%eth0]:1234", nil, "fe80::1"},
		"a zone of a hop":                 {"10.0.0.1:1234", []string{"fe80::1%eth0"}, "fe80::1"},
		"a Unix socket":                   {"@", []string{"192.0.2.1"}, "invalid IP"},
		"no remote address":               {"", []string{"192.0.2.1"}, "invalid IP"},
		"a remote address that is a name": {"localhost:1234", []string{"192.0.2.1"}, "invalid IP"},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			trusted := proxies()
			clientAddr := httpapi.TrustProxies(trusted...)
			clear(trusted) // it has its own copy
			r := newGet(newReports, acmeKey)
			r.RemoteAddr = c.remote
			r.Header["X-Forwarded-For"] = c.forwarded
			r.Header.Set("X-Real-Ip", "198.51.100.8")
			r.Header.Set("Forwarded", "for=198.51.100.9")
			require.Equal(t, c.want, clientAddr(r).String())

			seen := new(recordingObserver)
			s := startWith(t, setup{everyRequest: true, options: httpapi.Options{Observer: seen, ClientAddr: clientAddr}})
			s.do(r)
			require.Equal(t, clientAddr(r), seen.requests[0].ClientAddr)
			require.Equal(t, c.want != "invalid IP", strings.Contains(s.log.String(), " client="))
			require.NotContains(t, s.log.String(), "198.51.100.")
		})
	}
}

func TestClientAddr_Default(t *testing.T) {
	t.Parallel()
	for remote, want := range map[string]string{
		"192.0.2.1:1234": "192.0.2.1", "[2001:db8::1]:1234": "2001:db8::1", "[::ffff:192.0.2.1]:1": "192.0.2.1", "@": "invalid IP",
	} {
		for _, path := range append(operationPaths(), base+"/nowhere") {
			seen := new(recordingObserver)
			s := startWith(t, setup{options: httpapi.Options{Observer: seen}})
			s.Handler = http.StripPrefix(base, s.api)
			r := newOperationRequest(path, acmeKey)
			r.RemoteAddr = remote
			r.Header.Set("X-Forwarded-For", "198.51.100.7")
			s.do(r)
			require.Equal(t, want, seen.requests[0].ClientAddr.String(), path)
		}
	}
}

func TestTrustProxies_None(t *testing.T) {
	t.Parallel()
	r := newGet(newReports, acmeKey)
	r.RemoteAddr = "10.0.0.1:1234"
	r.Header.Set("X-Forwarded-For", "192.0.2.1")
	require.Equal(t, "10.0.0.1", httpapi.TrustProxies()(r).String())
}

// Whatever a client writes into the header, its address is the one that the proxy appends.
func FuzzTrustProxies(f *testing.F) {
	f.Add("10.0.0.9, 198.51.100.7", "192.0.2.1:1234")
	f.Add("unknown,,[::1]:80,fe80::1%x", "[2001:db8::1]:1")
	f.Add("10.0.0.1", "10.0.0.2:1")
	f.Fuzz(func(t *testing.T, lie, remote string) {
		clientAddr := httpapi.TrustProxies(proxies()...)
		r := newGet(newReports, acmeKey)
		r.RemoteAddr = "10.0.0.1:1234"
		for _, header := range [][]string{{lie + ",192.0.2.1"}, {lie, "192.0.2.1"}, {lie, lie + ", 192.0.2.1 , 10.1.1.1"}} {
			r.Header["X-Forwarded-For"] = header
			require.Equal(t, "192.0.2.1", clientAddr(r).String())
		}
		r.RemoteAddr = remote
		r.Header["X-Forwarded-For"] = nil
		client := clientAddr(r)
		for _, proxy := range proxies() {
			if proxy.Contains(client) {
				return
			}
		}
		r.Header["X-Forwarded-For"] = []string{lie}
		require.Equal(t, client, clientAddr(r), "it is no proxy")
	})
}
