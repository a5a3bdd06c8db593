package webhook_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage/memory"
	"github.com/apguard/apguard/webhook"
)

func TestService_Create(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.change(3)
	req := request()
	req.Filter = webhook.Filter{Types: []asset.Type{asset.TypeURL}, Statuses: []asset.Status{asset.StatusBlocked}}
	e, secret, err := f.Create(t.Context(), req)
	require.NoError(t, err)
	require.False(t, secret.IsZero())
	require.Equal(t, req.Filter, e.Filter)
	require.Equal(t, webhook.StateActive, e.State)
	require.Equal(t, f.now, e.CreatedAt)
	require.EqualValues(t, 3, e.Place.Position, "it receives later changes only")
	require.Empty(t, f.entries(e.Place))
}

func TestService_Create_Invalid(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for reason, change := range map[string]func(req *webhook.CreateRequest){
		"no URL":                   func(req *webhook.CreateRequest) { req.URL = "" },
		"not a URL":                func(req *webhook.CreateRequest) { req.URL = "https://[::1" },
		"http":                     func(req *webhook.CreateRequest) { req.URL = "http://receiver.example/" },
		"another scheme":           func(req *webhook.CreateRequest) { req.URL = "file:///etc/passwd" },
		"no scheme":                func(req *webhook.CreateRequest) { req.URL = "//receiver.example/" },
		"no host":                  func(req *webhook.CreateRequest) { req.URL = "https:///path" },
		"only a port":              func(req *webhook.CreateRequest) { req.URL = "https://:443/" },
		"opaque":                   func(req *webhook.CreateRequest) { req.URL = "https:receiver.example" },
		"user name":                func(req *webhook.CreateRequest) { req.URL = "https://user@receiver.example/" },
		"password":                 func(req *webhook.CreateRequest) { req.URL = "https://user:hunter2@receiver.example/" },
		"invalid with a password":  func(req *webhook.CreateRequest) { req.URL = "https://user:hunter2@receiver.example:port/" },
		"fragment":                 func(req *webhook.CreateRequest) { req.URL = "https://receiver.example/#a" },
		"empty fragment":           func(req *webhook.CreateRequest) { req.URL = "https://receiver.example/#" },
		"too long":                 func(req *webhook.CreateRequest) { req.URL = "https://a.example/" + strings.Repeat("a", webhook.MaxURL) },
		"NUL":                      func(req *webhook.CreateRequest) { req.URL = "https://a.example/\x00" },
		"invalid UTF-8":            func(req *webhook.CreateRequest) { req.URL = "https://a.example/\xff" },
		"address with a zone":      func(req *webhook.CreateRequest) { req.URL = "https://[fe80::1%25eth0]/" },
		"no events":                func(req *webhook.CreateRequest) { req.Events = nil },
		"unknown event":            func(req *webhook.CreateRequest) { req.Events = []webhook.EventType{"dispute.reopened"} },
		"event of test messages":   func(req *webhook.CreateRequest) { req.Events = []webhook.EventType{webhook.EventTest} },
		"repeated event":           func(req *webhook.CreateRequest) { req.Events = append(req.Events, req.Events[0]) },
		"unknown type in filter":   func(req *webhook.CreateRequest) { req.Filter.Types = []asset.Type{"NONE"} },
		"repeated type in filter":  func(req *webhook.CreateRequest) { req.Filter.Types = []asset.Type{asset.TypeURL, asset.TypeURL} },
		"unknown status in filter": func(req *webhook.CreateRequest) { req.Filter.Statuses = []asset.Status{"NONE"} },
		"repeated status in filter": func(req *webhook.CreateRequest) {
			req.Filter.Statuses = []asset.Status{asset.StatusBlocked, asset.StatusBlocked}
		},
	} {
		req := request()
		change(&req)
		_, secret, err := f.Create(t.Context(), req)
		require.ErrorIs(t, err, asset.ErrInvalid, reason)
		require.True(t, secret.IsZero(), reason)
		require.NotContains(t, err.Error(), "hunter2", reason)
	}
	for e, err := range f.All(t.Context()) {
		require.Fail(t, "nothing must be stored", "%+v, %v", e, err)
	}
}

func TestService_Create_Hosts(t *testing.T) {
	t.Parallel()
	const (
		address = "must not have an address that is not public"
		local   = "must not have the host localhost, which is the server itself"
		number  = "must have a name or an IP address as its host, an IPv4 address as four numbers from 0 to 255"
		port    = "must have a port from 1 to 65535"
		host    = "must have a host"
	)
	for reason, c := range map[string]struct {
		url, want string
		// private says that the URL is accepted if private addresses are allowed.
		private bool
	}{
		"unspecified address":                       {"https://0.0.0.0/", address, true},
		"unspecified address in IPv6":               {"https://[::]/", address, true},
		"loopback address":                          {"https://127.0.0.1/", address, true},
		"loopback address in IPv6":                  {"https://[::1]/", address, true},
		"loopback address, mapped to IPv6":          {"https://[::ffff:127.0.0.1]/", address, true},
		"private address":                           {"https://10.0.0.1:8443/", address, true},
		"link-local address":                        {"https://169.254.169.254/", address, true},
		"broadcast address":                         {"https://255.255.255.255/", address, true},
		"zero as an address":                        {"https://0/", number, false},
		"zero as an address, with a port":           {"https://0:443/", number, false},
		"number as an address":                      {"https://2130706433/", number, false},
		"number beyond 64 bits":                     {"https://99999999999999999999/", number, false},
		"hexadecimal number as an address":          {"https://0x7f000001/", number, false},
		"hexadecimal number as the last label":      {"https://127.0x1/", number, false},
		"short address":                             {"https://127.1/", number, false},
		"address with a leading zero":               {"https://0177.0.0.1/", number, false},
		"address with a trailing dot":               {"https://127.0.0.1./", number, false},
		"address of five numbers":                   {"https://1.1.1.1.1/", number, false},
		"number above 255":                          {"https://1.1.1.256/", number, false},
		"port 0":                                    {"https://receiver.example:0/", port, false},
		"port 0, written long":                      {"https://receiver.example:000/", port, false},
		"port above 65535":                          {"https://receiver.example:65536/", port, false},
		"port 99999":                                {"https://receiver.example:99999/", port, false},
		"port beyond 64 bits":                       {"https://receiver.example:99999999999999999999/", port, false},
		"localhost":                                 {"https://localhost/", local, true},
		"localhost with a port":                     {"https://localhost:8443/hook", local, true},
		"localhost in upper case":                   {"https://LOCALHOST/", local, true},
		"localhost with a trailing dot":             {"https://localhost./", local, true},
		"name below localhost":                      {"https://receiver.localhost/", local, true},
		"name below localhost, with a trailing dot": {"https://receiver.localhost./", local, true},
		"only a dot":                                {"https://./", host, false},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			req := request()
			req.URL = c.url
			store := memory.New()
			_, secret, err := webhook.NewService(store, store, store, webhook.Options{}).Create(t.Context(), req)
			require.EqualError(t, err, "invalid input: url: "+c.want)
			require.ErrorIs(t, err, asset.ErrInvalid)
			require.Equal(t, c.private, errors.Is(err, webhook.ErrNotPublic))
			require.True(t, secret.IsZero())

			private := webhook.NewService(store, store, store, webhook.Options{AllowPrivate: true})
			_, _, err = private.Create(t.Context(), req)
			if c.private {
				require.NoError(t, err)
			} else {
				require.EqualError(t, err, "invalid input: url: "+c.want)
			}
		})
	}
}

func TestService_Create_PublicHosts(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for reason, url := range map[string]string{
		"public address":                    "https://1.1.1.1/",
		"public address in IPv6":            "https://[2606:4700::1111]:8443/",
		"last port":                         "https://receiver.example:65535/",
		"empty port":                        "https://receiver.example:/",
		"name that ends in localhost":       "https://notlocalhost/",
		"name that begins with localhost":   "https://localhost.example/",
		"name with a trailing dot":          "https://receiver.example./",
		"name with a number":                "https://127.0.0.1.example/",
		"name whose last label has a digit": "https://receiver.x1/",
		"international name":                "https://b\u00fccher.example/",
		"name in upper case":                "HTTPS://RECEIVER.EXAMPLE/",
	} {
		req := request()
		req.URL = url
		_, _, err := f.Create(t.Context(), req)
		require.NoError(t, err, reason)
	}
}

func TestService_Create_Private(t *testing.T) {
	t.Parallel()
	store := memory.New()
	private := webhook.NewService(store, store, store, webhook.Options{AllowPrivate: true})
	for _, url := range []string{"http://127.0.0.1:8080/hook", "http://receiver.internal/", "https://10.0.0.1/", "https://receiver.example/"} {
		req := request()
		req.URL = url
		_, _, err := private.Create(t.Context(), req)
		require.NoError(t, err, url)
	}
	req := request()
	req.URL = "ftp://receiver.internal/"
	_, _, err := private.Create(t.Context(), req)
	require.ErrorIs(t, err, asset.ErrInvalid)
}
