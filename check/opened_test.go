package check_test

import (
	"context"
	"math/rand/v2"
	"net/netip"
	"strings"
	"testing"
	"unicode/utf8"

	whatwg "github.com/nlnwa/whatwg-url/url"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/internal/test/linktest"
	"github.com/apguard/apguard/internal/test/testsize"
)

// blockedLink is a link whose host is BLOCKED.
type blockedLink struct{ link, host string }

var blockedLinks = []blockedLink{
	{"https://evil.com", "evil.com"},
	{"http://evil.com:8080/login?next=%2Fhome#top", "evil.com"},
	{"https://user:password@login.evil.com/a/b/c?q=1#/route", "login.evil.com"},
	{"HTTPS://Wallet.Example.CO.UK./A", "example.co.uk"},
	{"https://b\u00fccher.de/\u00fc", "xn--bcher-kva.de"},
	{"http://203.0.113.7/x", "203.0.113.7"},
	{"http://0xcb007107:80/", "203.0.113.7"},
	{"https://[2001:db8::1]:8443/x", "[2001:db8::1]"},
	{"evil.com/login", "evil.com"},
}

// isOn reports whether a host is one, or a subdomain of one. Signs behind the host that no public
// name has are not a part of it.
func isOn(host, blocked string) bool {
	host = strings.TrimSuffix(host, ".")
	const signs = "!\"$&'()*+,;=`{}~"
	if name := strings.TrimRight(host, signs); name != host {
		host = strings.TrimRight(name, signs+".")
	}
	if host == blocked {
		return true
	}
	_, err := netip.ParseAddr(blocked)
	return err != nil && strings.HasSuffix(host, "."+blocked)
}

// TestService_Check_Node checks mutations of BLOCKED links: those that Node opens on the same
// host are BLOCKED, and those that it opens on another host are not.
func TestService_Check_Node(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewChaCha8([32]byte{2}))
	contents := make([]string, testsize.Of(2_000, 20_000, 240_000))
	links := make([]blockedLink, len(contents))
	for i := range contents {
		links[i] = blockedLinks[random.IntN(len(blockedLinks))]
		contents[i] = linktest.Mutate(random, links[i].link)
	}
	var figures struct{ same, other, notOpened, refusedByClassify int }
	for i, url := range linktest.ParseInNode(t, contents) {
		service := check.NewService(&fakeStore{statuses: statuses{page(links[i].host): asset.StatusBlocked}}, check.Options{})
		verdict, err := service.Check(t.Context(), contents[i])
		if url.ReadsOlder(contents[i]) {
			continue
		}
		if !url.OnWeb() {
			figures.notOpened++
			continue
		}
		require.NoError(t, err, "%q opens %s", contents[i], url.Href)
		if _, err := classify.Classify(contents[i]); err != nil {
			figures.refusedByClassify++
			require.Equal(t, asset.TypeURL, verdict.Type)
		}
		if isOn(url.Hostname, links[i].host) {
			figures.same++
			require.Equal(t, asset.StatusBlocked, verdict.Status, "%q opens %s", contents[i], url.Href)
		} else {
			figures.other++
			require.Equal(t, asset.StatusUnknown, verdict.Status, "%q opens %s", contents[i], url.Href)
		}
	}
	t.Logf("%d mutations: %+v", len(contents), figures)
}

// requireAnswers requires that a check answers by the host that the library reads from a
// content. The library misreads some hosts, and refuses others.
func requireAnswers(t require.TestingT, content string) {
	url, err := whatwg.NewParser().Parse(content)
	if err != nil || url.Protocol() != "http:" && url.Protocol() != "https:" || isMisread(content) {
		return
	}
	host := strings.TrimSuffix(url.Hostname(), ".")
	service := check.NewService(&fakeStore{statuses: statuses{page(host): asset.StatusBlocked}}, check.Options{})
	verdict, err := service.Check(context.Background(), content)
	require.NoError(t, err, "%q opens %s", content, url.Hostname())
	if result, err := classify.Classify(host); err == nil && result.Identity == page(host) {
		require.Equal(t, asset.StatusBlocked, verdict.Status, "%q opens %s", content, url.Hostname())
	}
}

// isMisread reports whether the library may misread the host of a content: a number with a sign,
// brackets that are not a pair, or punycode. With Go 1.26 it maps U+1E9E to two letters. It also drops a line break before it decodes a
// character that the line break damages.
func isMisread(content string) bool {
	lower := strings.ToLower(content)
	return !utf8.ValidString(content) && strings.ContainsAny(content, "\t\n\r") || strings.ContainsAny(content, "+-[]\u1e9e") || strings.Contains(lower, "xn") || strings.Contains(lower, "%")
}

func TestService_Check_opened(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		requireAnswers(t, linktest.Mutate(random, rapid.SampledFrom(blockedLinks).Draw(t, "link").link))
	})
}

func FuzzService_Check(f *testing.F) {
	for _, blocked := range blockedLinks {
		f.Add(blocked.link)
	}
	for _, content := range []string{"https:evil.com", "ht\ttps:\n\\evil.com", "//evil.com", "https://ev\u00adil.com../\xff", " \x01http:evil.com:80 /"} {
		f.Add(content)
	}
	f.Fuzz(func(t *testing.T, content string) { requireAnswers(t, content) })
}

// Lists are asked about the asset that a link would be, or about the domain of a host that no
// asset has.
func TestListed(t *testing.T) {
	t.Parallel()
	link := func(canonical string) asset.Identity {
		return asset.Identity{Type: asset.TypeURL, Canonical: canonical}
	}
	for _, test := range []struct {
		name, content string
		want          asset.Identity
	}{
		{"an asset", "https://evil.com/a", link("https://evil.com/a")},
		{"a link that is opened", "https:evil.com/a", link("https://evil.com/a")},
		{"a platform identifier", "https:github.com/owner", asset.Identity{Type: asset.TypeGitHub, Canonical: "github.com/owner"}},
		{"a host that is too long", "https://" + strings.Repeat("\u00fc", 60) + ".login.evil.com/a", page("login.evil.com")},
		{"a host without covers", "https://evil.com../a", link("https://evil.com../a")},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			covers, err := check.Covers(test.content)
			require.NoError(t, err)
			require.Equal(t, test.want, check.Listed(covers))
		})
	}
}

// A link that a browser opens is answered with the verdict of its covers, and never as an asset.
func TestService_Check_openedVerdict(t *testing.T) {
	t.Parallel()
	read := asset.Identity{Type: asset.TypeURL, Canonical: "https://evil.com/a%20b"}
	store := &fakeStore{statuses: statuses{read: asset.StatusBlocked}}
	asked := asset.Identity{}
	list := listOf(func(identity asset.Identity) asset.Status { asked = identity; return asset.StatusUnknown })
	got, err := check.NewService(store, check.Options{ExternalLists: check.ExternalLists{list}}).Check(t.Context(), "evil.com/a b")
	require.NoError(t, err)
	require.Equal(t, check.Verdict{
		Content: "evil.com/a b", Identity: read, Status: asset.StatusBlocked, Source: check.SourceAsset,
		Match: &check.Match{Kind: classify.CoverURL, Known: asset.Known{Asset: asset.Asset{ID: 7, Identity: read, Status: asset.StatusBlocked}}},
	}, got)
	require.Equal(t, read, asked)
}

// listOf is an external list with a function of the asset.
type listOf func(asset.Identity) asset.Status

func (listOf) Name() string { return "list" }

func (l listOf) Status(_ context.Context, identity asset.Identity) (asset.Status, error) {
	return l(identity), nil
}
