package lists_test

import (
	"errors"
	"iter"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/lists"
)

func TestReadWalletList(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("d.", 12) + "deep.com"
	assets := append(listed(asset.StatusBlocked,
		"bad.com", "https://bad.com", "http://url.com", "203.0.113.7", "https://[2001:db8::1]", "bücher.com", "name.medium.com",
		"https://paths.com/a/b", "http://paths.com/a/b/", "paths.com/page", "https://paths.com/%C3%BC", "https://bad.com/below",
		"https://paths.com/q?x=1", "https://paths.com/r#/route", "https://paths.com:8443/p", "https://paths.com:8443", "https://paths.com/?q",
		"github.io", "https://com", "https://localhost", deep, "@jack", "ada@mail.com", "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045",
		"x.good.com", "https://path.fine.com/x", "mail@kept.com",
	), listed(asset.StatusAllowed,
		"good.com", "fine.com", "kept.com", "sub.bad.com", "https://url.kept.com", "https://kept.com/x", "github.io", "x.com", deep+".x.com",
	)...)
	list, err := lists.ReadWalletList(sourceOf(assets))
	require.NoError(t, err)
	require.Equal(t, []string{"203.0.113.7", "[2001:db8::1]", "bad.com", "name.medium.com", "url.com", "x.good.com", "xn--bcher-kva.com"}, list.Blocked)
	require.Equal(t, []string{"kept.com", "sub.bad.com"}, list.Allowed, "nothing on or below them is BLOCKED")
	require.Equal(t, []string{"bad.com/below", "path.fine.com/x", "paths.com/%C3%BC", "paths.com/a/b", "paths.com/page"}, list.BlockedPaths)
}

// The error of the source is returned, whichever pass it is.
func TestReadWalletList_error(t *testing.T) {
	t.Parallel()
	failure := errors.New("away")
	for _, failing := range []asset.Status{asset.StatusAllowed, asset.StatusBlocked} {
		_, err := lists.ReadWalletList(func(filter asset.Filter) iter.Seq2[asset.Listed, error] {
			return func(yield func(asset.Listed, error) bool) {
				if filter.Status == failing {
					yield(asset.Listed{}, failure)
				}
			}
		})
		require.ErrorIs(t, err, failure)
	}
}

func TestWalletEntries(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]struct {
		hosts []string
		path  string
	}{
		"https://a.b.com/x/y":                        {[]string{"a.b.com", "b.com"}, "a.b.com/x/y"},
		"https://a.b.com/x?q":                        {[]string{"a.b.com", "b.com"}, ""},
		"https://a.b.com:8443/x":                     {[]string{"a.b.com", "b.com"}, ""},
		"b.com":                                      {[]string{"b.com"}, ""},
		"https://203.0.113.7/x":                      {[]string{"203.0.113.7"}, "203.0.113.7/x"},
		"https://[2001:db8::1]":                      {[]string{"[2001:db8::1]"}, ""},
		"https://httpbin.org/x":                      {[]string{"httpbin.org"}, "https://httpbin.org/x"},
		"https://b.com/x//y":                         {[]string{"b.com"}, ""},
		"https://b.com//":                            {[]string{"b.com"}, ""},
		"https://b.com/x%21":                         {[]string{"b.com"}, ""},
		"https://b.com/%5Bx":                         {[]string{"b.com"}, ""},
		"https://b.com/x!":                           {[]string{"b.com"}, "b.com/x!"},
		"https://b.com/%2F%20":                       {[]string{"b.com"}, "b.com/%2F%20"},
		"https://b.com/100%":                         {[]string{"b.com"}, "b.com/100%25"},
		"https://localhost/x":                        {nil, "localhost/x"},
		"ada@b.com":                                  {nil, ""},
		"name.medium.com":                            {[]string{"name.medium.com", "medium.com"}, ""},
		"0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045": {nil, ""},
	} {
		result, err := classify.Classify(content)
		require.NoError(t, err, content)
		hosts, path := lists.WalletEntries(result.Identity)
		require.Equal(t, want.hosts, hosts, content)
		require.Equal(t, want.path, path, content)
	}
}
