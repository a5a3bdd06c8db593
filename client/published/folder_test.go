package published_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/client/published"
)

func TestNew_refused(t *testing.T) {
	t.Parallel()
	p := newPublisher(t)
	for reason, c := range map[string]struct{ url, key, want string }{
		"no URL":                   {"", p.key, "must begin with https:// or http://"},
		"a file":                   {"file:///lists/manifest.json", p.key, "must begin with https:// or http://"},
		"no host":                  {"https:///manifest.json", p.key, "must have a host"},
		"a malformed URL":          {"https://secret:\x00", p.key, "is malformed"},
		"a fragment":               {p.url + "#secret", p.key, "must not have a fragment"},
		"a folder":                 {"https://secret.example.com/lists/", p.key, "must name the file, such as manifest.json"},
		"a host":                   {"https://secret.example.com", p.key, "must name the file, such as manifest.json"},
		"no key":                   {p.url, " ", "verifier key must not be empty"},
		"one key that is none":     {p.url, p.key + " x", "verifier key must have the form NAME+HASH+KEY"},
		"a key of another program": {p.url, "apg_secret", "verifier key must have the form"},
		"a private key":            {p.url, "PRIVATE+KEY+secret", "verifier key must have the form"},
		"a damaged key":            {p.url, p.key[:len(p.key)-4] + "AAAA", "verifier key must have the form"},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			_, err := published.New(c.url, c.key, published.Options{})
			require.ErrorIs(t, err, published.ErrOptions)
			require.ErrorContains(t, err, c.want)
			require.NotContains(t, err.Error(), "secret")
		})
	}
	_, err := published.New(p.url+"?x=y", " "+p.key+"\n", published.Options{MaxAge: -1, Timeout: -1})
	require.NoError(t, err, "a key from a file ends with a newline")
}
