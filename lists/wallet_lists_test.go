package lists_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/internal/test/contentstest"
	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/lists"
)

// all returns the texts of a list.
func all(l *lists.WalletLists, list lists.WalletList) []string {
	return slices.Collect(l.After(lists.WalletElement{List: list}))
}

func TestWalletLists(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("d.", 12) + "deep.com"
	assets := append(listed(asset.StatusBlocked,
		"bad.com", "https://bad.com", "http://url.com", "203.0.113.7", "https://[2001:db8::1]", "bücher.com", "name.medium.com",
		"https://paths.com/a/b", "http://paths.com/a/b/", "paths.com/page", "https://paths.com/%C3%BC", "https://bad.com/below",
		"https://paths.com/q?x=1", "https://paths.com/r#/route", "https://paths.com:8443/p", "https://paths.com:8443", "https://paths.com/?q",
		"github.io", "https://com", "https://localhost", deep, "@jack", "ada@mail.com", "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045",
		"x.good.com", "https://path.fine.com/x", "mail@kept.com", "unkept.com", "https://httpbin.org/x", "https://httpbin.org/x/y",
	), listed(asset.StatusAllowed,
		"good.com", "fine.com", "kept.com", "sub.bad.com", "https://url.kept.com", "https://kept.com/x", "github.io", "x.com", deep+".x.com",
		"deep.com", "not-kept.com", "xgood.com",
	)...)
	l := lists.NewWalletLists()
	for _, one := range assets {
		l.Set(one.Identity, one.Status)
	}
	require.Equal(t, []string{"203.0.113.7", "[2001:db8::1]", "xn--bcher-kva.com", "bad.com", "x.good.com", "url.com", "name.medium.com", "unkept.com"},
		all(l, lists.WalletBlocked))
	require.Equal(t, []string{"sub.bad.com", "xgood.com", "kept.com", "not-kept.com"}, all(l, lists.WalletAllowed), "nothing on or below them is BLOCKED")
	require.Equal(t, []string{
		"https://httpbin.org/x", "https://httpbin.org/x/y", "bad.com/below", "path.fine.com/x", "paths.com/%C3%BC", "paths.com/a/b", "paths.com/page",
	}, all(l, lists.WalletBlockedPaths))
	require.Equal(t, []string{"https://httpbin.org/x/y"}, slices.Collect(l.PathsBelow("https://httpbin.org/x")))
	require.Empty(t, slices.Collect(l.PathsBelow("paths.com/a/b")))
	require.Empty(t, all(l, 0), "no list")
	require.False(t, l.Has(lists.WalletElement{Text: "bad.com"}))
}

// What one asset says remains while another one says it too.
func TestWalletLists_Set_forms(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		contents []string
		status   asset.Status
		element  lists.WalletElement
	}{
		"a blocked host": {[]string{"a.com", "https://a.com", "http://a.com"}, asset.StatusBlocked, lists.WalletElement{List: lists.WalletBlocked, Text: "a.com"}},
		"a blocked path": {
			[]string{"a.com/x", "a.com/x/", "https://a.com/x", "https://a.com/x/", "http://a.com/x", "http://a.com/x/"},
			asset.StatusBlocked, lists.WalletElement{List: lists.WalletBlockedPaths, Text: "a.com/x"},
		},
	} {
		l := lists.NewWalletLists()
		assets := listed(c.status, c.contents...)
		for range 2 { // setting a status again changes nothing
			for _, one := range assets {
				l.Set(one.Identity, one.Status)
			}
		}
		for i, one := range assets {
			require.True(t, l.Has(c.element), "%s: %d", reason, i)
			l.Set(one.Identity, []asset.Status{asset.StatusUnknown, asset.StatusAllowed}[i%2])
		}
		require.False(t, l.Has(c.element), reason)
	}
}

// walletState is what lists hold, and what they must hold.
type walletState struct {
	lists    *lists.WalletLists
	statuses map[asset.Identity]asset.Status
}

// requireRight requires that the lists are those of an export, which is another implementation of the same
// rule, and the paths of what is BLOCKED.
func (s walletState) requireRight(t require.TestingT) {
	assets := make([]asset.Listed, 0, len(s.statuses))
	paths := make(map[string]bool)
	for identity, status := range s.statuses {
		assets = append(assets, asset.Listed{Known: asset.Known{Asset: asset.Asset{Identity: identity, Status: status}}})
		for _, element := range lists.WalletElements(identity) {
			if status == asset.StatusBlocked && element.List == lists.WalletBlockedPaths {
				paths[element.Text] = true
			}
		}
	}
	text, _ := write(t, lists.PhishingDetect, assets)
	var export struct{ Blacklist, Whitelist []string }
	require.NoError(t, json.Unmarshal([]byte(text), &export))
	require.ElementsMatch(t, export.Blacklist, all(s.lists, lists.WalletBlocked))
	slices.Sort(export.Whitelist)
	require.ElementsMatch(t, slices.Compact(export.Whitelist), all(s.lists, lists.WalletAllowed))
	require.Len(t, all(s.lists, lists.WalletBlockedPaths), len(paths))
	for path := range paths {
		require.True(t, s.lists.Has(lists.WalletElement{List: lists.WalletBlockedPaths, Text: path}))
	}
}

// held returns all elements.
func held(l *lists.WalletLists) map[lists.WalletElement]bool {
	elements := make(map[lists.WalletElement]bool)
	for _, list := range []lists.WalletList{lists.WalletBlocked, lists.WalletAllowed, lists.WalletBlockedPaths} {
		for text := range l.After(lists.WalletElement{List: list}) {
			elements[lists.WalletElement{List: list, Text: text}] = true
		}
	}
	return elements
}

// After any changes, the lists are those of the statuses. A change concerns only the elements of its asset, and
// no copy.
func TestWalletLists_law(t *testing.T) {
	t.Parallel()
	identities := contentstest.New(6).Identities(testsize.Of(150, 300, 600))
	statuses := []asset.Status{asset.StatusAllowed, asset.StatusBlocked, asset.StatusUnknown}
	rapid.Check(t, func(t *rapid.T) {
		s := walletState{lists.NewWalletLists(), make(map[asset.Identity]asset.Status)}
		for range rapid.IntRange(1, 5).Draw(t, "copies") {
			before := s.lists.Copy()
			was := held(before)
			concerned := make(map[lists.WalletElement]bool)
			for range rapid.IntRange(0, 200).Draw(t, "changes") {
				identity := identities[rapid.IntRange(0, len(identities)-1).Draw(t, "asset")]
				status := statuses[rapid.IntRange(0, 2).Draw(t, "status")]
				s.statuses[identity] = status
				s.lists.Set(identity, status)
				for _, element := range lists.WalletElements(identity) {
					concerned[element] = true
				}
			}
			s.requireRight(t)
			require.Equal(t, was, held(before))
			is := held(s.lists)
			for _, elements := range []map[lists.WalletElement]bool{was, is} {
				for element := range elements {
					require.True(t, was[element] == is[element] || concerned[element], element)
				}
			}
		}
	})
}

// A list goes on after any element, and the paths below one are together.
func TestWalletLists_After_law(t *testing.T) {
	t.Parallel()
	texts := []string{"http.com", "b.com", "a.b.com", "a-b.com", "ab.com", "b.a.b.com", "b", "com", "203.0.113.7"}
	rests := []string{"/a", "/a/b", "/a-b", "/a/b/c", "/ab"}
	rapid.Check(t, func(t *rapid.T) {
		l := lists.NewWalletLists()
		draw := func(label string) string {
			return rapid.SampledFrom(texts).Draw(t, label) + rapid.SampledFrom(rests).Draw(t, label)
		}
		for range rapid.IntRange(0, 40).Draw(t, "paths") {
			l.Set(asset.Identity{Type: asset.TypePage, Canonical: draw("path")}, asset.StatusBlocked)
		}
		whole := all(l, lists.WalletBlockedPaths)
		from := lists.WalletElements(asset.Identity{Type: asset.TypePage, Canonical: draw("from")})
		element := from[len(from)-1]
		var below []string
		for _, text := range whole {
			if strings.HasPrefix(text, element.Text+"/") {
				below = append(below, text)
			}
		}
		require.Equal(t, below, slices.Collect(l.PathsBelow(element.Text)))
		rest := slices.Collect(l.After(element))
		if at := slices.Index(whole, element.Text); at >= 0 {
			require.True(t, slices.Equal(whole[at+1:], rest))
		} else {
			require.True(t, slices.Equal(whole[len(whole)-len(rest):], rest))
			l.Set(asset.Identity{Type: asset.TypePage, Canonical: strings.TrimPrefix(element.Text, "https://")}, asset.StatusBlocked)
			require.Equal(t, len(whole)-len(rest), slices.Index(all(l, lists.WalletBlockedPaths), element.Text))
		}
	})
}

func TestWalletElements(t *testing.T) {
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
		var elements []lists.WalletElement
		if len(want.hosts) > 0 {
			elements = append(elements, lists.WalletElement{List: lists.WalletBlocked, Text: want.hosts[0]})
		}
		for _, host := range want.hosts {
			elements = append(elements, lists.WalletElement{List: lists.WalletAllowed, Text: host})
		}
		if want.path != "" {
			elements = append(elements, lists.WalletElement{List: lists.WalletBlockedPaths, Text: want.path})
		}
		require.Equal(t, elements, lists.WalletElements(result.Identity), content)
	}
}

// An element takes at most 50 bytes and its text, in whatever order it comes, and so does what is on no list.
func TestWalletLists_memory(t *testing.T) { //nolint:paralleltest // it measures the memory of the process
	testsize.Measurement(t)
	const (
		assets = 1_000_000
		most   = 50 // bytes
		text   = 24 // bytes, which each of the texts below takes
	)
	for reason, identity := range map[string]func(i int) asset.Identity{
		"subdomains": func(i int) asset.Identity { return page(fmt.Sprintf("host%d.example.com", i)) },
		"domains":    func(i int) asset.Identity { return page(fmt.Sprintf("example-%d.com", i*7_919%assets)) },
		"paths":      func(i int) asset.Identity { return page(fmt.Sprintf("a.example.com/%d", i)) },
		"on no list": func(i int) asset.Identity { return page(fmt.Sprintf("a%d.com/?q=%d", i%1000, i)) },
	} {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		l := lists.NewWalletLists()
		for i := range assets {
			l.Set(identity(i), asset.StatusBlocked)
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		bytes := float64(after.HeapAlloc-before.HeapAlloc)/assets - text
		t.Logf("%s: %.1f bytes for each, beside its text", reason, bytes)
		require.LessOrEqual(t, bytes, float64(most), reason)
		runtime.KeepAlive(l)
	}
}

func page(content string) asset.Identity {
	return asset.Identity{Type: asset.TypePage, Canonical: content}
}

// BenchmarkWalletLists measures WalletLists of 1,000,000 blocked hosts: all of them, one more or its removal, and
// how they are saved and loaded.
func BenchmarkWalletLists(b *testing.B) {
	const n = 1_000_000
	fill := func() *lists.WalletLists {
		l := lists.NewWalletLists()
		for i := range n {
			l.Set(page(fmt.Sprintf("host%d.example.com", i)), asset.StatusBlocked)
		}
		return l
	}
	b.Run("fill", func(b *testing.B) {
		for b.Loop() {
			fill()
		}
	})
	l := fill()
	b.Run("set", func(b *testing.B) {
		i := 0
		for b.Loop() {
			i++
			l.Set(page(fmt.Sprintf("host%d.example.org", i*7919%n)), []asset.Status{asset.StatusBlocked, asset.StatusUnknown}[i%2])
		}
	})
	var saved bytes.Buffer
	b.Run("save", func(b *testing.B) {
		for b.Loop() {
			saved.Reset()
			require.NoError(b, l.Save(&saved))
		}
		b.ReportMetric(float64(saved.Len()), "bytes")
	})
	b.Run("load", func(b *testing.B) {
		for b.Loop() {
			_, err := lists.LoadWalletLists(bytes.NewReader(saved.Bytes()))
			require.NoError(b, err)
		}
	})
}
