package webhook_test

import (
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
		"loopback address":         func(req *webhook.CreateRequest) { req.URL = "https://127.0.0.1/" },
		"mapped loopback address":  func(req *webhook.CreateRequest) { req.URL = "https://[::ffff:127.0.0.1]/" },
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
