package check_test

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/classify/classifytest"
)

// statuses are the statuses of the assets that exist. Their IDs are 7.
type statuses map[asset.Identity]asset.Status

func (s statuses) find(identity asset.Identity) (asset.Known, bool) {
	status, ok := s[identity]
	return asset.Known{Asset: asset.Asset{ID: 7, Identity: identity, Status: status}}, ok
}

func page(host string) asset.Identity {
	return asset.Identity{Type: asset.TypePage, Canonical: host}
}

// Each field has a name in JSON, and the text of an error stays here.
func TestVerdict_JSON(t *testing.T) {
	t.Parallel()
	text, err := json.Marshal(check.Result{Verdict: check.Verdict{
		Content: "X.dev", Identity: page("x.dev"), Status: asset.StatusBlocked, Source: check.SourceAsset,
		Match:       &check.Match{Kind: classify.CoverExact, Known: asset.Known{Asset: asset.Asset{ID: 7, Identity: page("x.dev"), Status: asset.StatusBlocked}}},
		Lists:       []check.ListVerdict{{List: "Up", Status: asset.StatusBlocked}},
		ListsFailed: check.ListFailures{{List: "Down", Err: errors.New("secret")}},
	}})
	require.NoError(t, err)
	require.JSONEq(t, `{"content":"X.dev","type":"PAGE","canonical":"x.dev","status":"BLOCKED","source":"ASSET",
		"match":{"kind":"EXACT","id":7,"type":"PAGE","canonical":"x.dev","status":"BLOCKED"},
		"lists":[{"list":"Up","status":"BLOCKED"}],"listsFailed":[{"list":"Down"}]}`, string(text))

	refused, err := json.Marshal(check.Result{Verdict: check.Verdict{Content: " "}, Err: &classify.Error{Reason: classify.ReasonEmpty}})
	require.NoError(t, err)
	require.Contains(t, string(refused), `"error":{"reason":"EMPTY"`)
}

func TestDecide(t *testing.T) {
	t.Parallel()
	link := asset.Identity{Type: asset.TypeURL, Canonical: "https://app.example.com/x"}
	blocks := check.ListVerdict{List: "Blocks", Status: asset.StatusBlocked}
	exempts := check.ListVerdict{List: "Exempts", Status: asset.StatusAllowed}
	silent := check.ListVerdict{List: "Silent", Status: asset.StatusUnknown}
	for _, test := range []struct {
		name   string
		assets statuses
		lists  []check.ListVerdict
		want   check.Verdict
	}{
		{"nothing decides", nil, []check.ListVerdict{silent}, check.Verdict{Status: asset.StatusUnknown, Source: check.SourceNone}},
		{
			"the asset itself wins over its domain", statuses{link: asset.StatusAllowed, page("example.com"): asset.StatusBlocked}, nil,
			check.Verdict{
				Status: asset.StatusAllowed, Source: check.SourceAsset,
				Match: &check.Match{Kind: classify.CoverExact, Known: asset.Known{Asset: asset.Asset{ID: 7, Identity: link, Status: asset.StatusAllowed}}},
			},
		},
		{
			"an UNKNOWN asset does not decide", statuses{link: asset.StatusUnknown, page("example.com"): asset.StatusBlocked}, nil,
			check.Verdict{
				Status: asset.StatusBlocked, Source: check.SourceAsset,
				Match: &check.Match{Kind: classify.CoverDomain, Known: asset.Known{Asset: asset.Asset{ID: 7, Identity: page("example.com"), Status: asset.StatusBlocked}}},
			},
		},
		{
			"an allowed asset wins over a list", statuses{page("app.example.com"): asset.StatusAllowed}, []check.ListVerdict{blocks},
			check.Verdict{
				Status: asset.StatusAllowed, Source: check.SourceAsset, Lists: []check.ListVerdict{blocks},
				Match: &check.Match{Kind: classify.CoverPage, Known: asset.Known{Asset: asset.Asset{ID: 7, Identity: page("app.example.com"), Status: asset.StatusAllowed}}},
			},
		},
		{
			"a list blocks although another exempts", nil, []check.ListVerdict{exempts, silent, blocks},
			check.Verdict{Status: asset.StatusBlocked, Source: check.SourceList, Lists: []check.ListVerdict{exempts, blocks}},
		},
		{
			"an exemption allows nothing", nil, []check.ListVerdict{exempts},
			check.Verdict{Status: asset.StatusUnknown, Source: check.SourceNone, Lists: []check.ListVerdict{exempts}},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			test.want.Identity = link
			require.Equal(t, test.want, check.Decide(classify.Covering(link), test.assets.find, test.lists))
		})
	}
}

func TestDecide_laws(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		covers := classify.Covering(classifytest.Content().Draw(t, "content").Identity)
		assets := statuses{}
		for _, cover := range covers {
			if status := rapid.SampledFrom(append(asset.Statuses(), "", "")).Draw(t, cover.Canonical); status != "" {
				assets[cover.Identity] = status
			}
		}
		got := check.Decide(covers, assets.find, nil)

		without := statuses{}
		for identity, status := range assets {
			if status != asset.StatusUnknown {
				without[identity] = status
			}
		}
		require.Equal(t, got, check.Decide(covers, without.find, nil), "UNKNOWN assets change nothing")
		require.Equal(t, got.Source == check.SourceAsset, got.Match != nil)
		require.False(t, got.Match != nil && len(without) == 0)
		blocks := func(cover classify.Cover) bool {
			return cover.Step == 0 && without[cover.Identity] == asset.StatusBlocked
		}
		exact := without[covers[0].Identity]
		if exact == asset.StatusBlocked {
			require.Equal(t, classify.CoverExact, got.Match.Kind)
		}
		if exact == asset.StatusAllowed {
			require.Equal(t, slices.ContainsFunc(covers, blocks), got.Status == asset.StatusBlocked)
			require.Equal(t, got.Status == asset.StatusAllowed, got.Match.Kind == classify.CoverExact)
		}
		blocked := check.Decide(covers, assets.find, []check.ListVerdict{{List: "list", Status: asset.StatusBlocked}})
		if got.Match != nil {
			require.Equal(t, got.Status, blocked.Status, "a list decides only if no asset does")
		} else {
			require.Equal(t, asset.StatusBlocked, blocked.Status)
		}
	})
}

// An ALLOWED form takes no effect from a BLOCKED one, whatever the order.
func TestDecide_forms(t *testing.T) {
	t.Parallel()
	url := func(link string) asset.Identity { return asset.Identity{Type: asset.TypeURL, Canonical: link} }
	both := statuses{url("https://evil.com"): asset.StatusBlocked, page("evil.com"): asset.StatusAllowed}
	path := statuses{url("http://evil.com/a"): asset.StatusBlocked, page("evil.com/a/"): asset.StatusAllowed}
	for _, test := range []struct {
		name, content string
		assets        statuses
		want          asset.Status
		decides       string
	}{
		{"the BLOCKED URL itself", "https://evil.com", both, asset.StatusBlocked, "https://evil.com"},
		{"the ALLOWED page itself", "evil.com", both, asset.StatusBlocked, "https://evil.com"},
		{"another scheme", "http://evil.com", both, asset.StatusBlocked, "https://evil.com"},
		{"a path", "https://evil.com/login", both, asset.StatusBlocked, "https://evil.com"},
		{"a query", "http://evil.com/?q", both, asset.StatusBlocked, "https://evil.com"},
		{"a subdomain, which a URL does not cover", "https://wallet.evil.com", both, asset.StatusUnknown, ""},
		{"a port, for which a URL can block", "https://evil.com:8080/a", both, asset.StatusBlocked, "https://evil.com"},
		{"a port, for which a URL cannot allow", "https://evil.com:8080/a", statuses{url("https://evil.com"): asset.StatusAllowed}, asset.StatusUnknown, ""},
		{"a comma behind the host", "https://evil.com,", statuses{page("evil.com"): asset.StatusBlocked}, asset.StatusBlocked, "evil.com"},
		{"a comma behind an ALLOWED host", "https://evil.com,/a", statuses{page("evil.com"): asset.StatusAllowed}, asset.StatusUnknown, ""},
		{"another spelling of a path", "https://evil.com/a%281%29/b", statuses{url("https://evil.com/a(1)"): asset.StatusBlocked}, asset.StatusBlocked, "https://evil.com/a(1)"},
		{"another spelling of an ALLOWED path", "https://evil.com/a%281%29", statuses{url("https://evil.com/a(1)"): asset.StatusAllowed}, asset.StatusUnknown, ""},
		{"an ALLOWED path with a BLOCKED spelling", "https://evil.com/a(1)", statuses{url("https://evil.com/a%281%29"): asset.StatusBlocked, url("https://evil.com/a(1)"): asset.StatusAllowed}, asset.StatusBlocked, "https://evil.com/a%281%29"},
		{"an e-mail address, which a URL does not cover", "bob@evil.com", both, asset.StatusUnknown, ""},
		{
			"a deep subdomain of an ALLOWED page with a BLOCKED URL",
			"http://a.b.c.d.e.f.g.h.evil.com:8080/1/2/3/4/5/6/7/?q#/r",
			statuses{url("https://h.evil.com"): asset.StatusBlocked, page("h.evil.com"): asset.StatusAllowed}, asset.StatusUnknown, "",
		},
		{
			"a deep subdomain of a BLOCKED page", "http://a.b.c.d.e.f.g.h.evil.com:8080/1/2/3/4/5/6/7/?q#/r",
			statuses{page("h.evil.com"): asset.StatusBlocked}, asset.StatusBlocked, "h.evil.com",
		},
		{"the port of http", "evil.com:80/login", both, asset.StatusBlocked, "https://evil.com"},
		{"a path with a slash", "https://evil.com/a/", path, asset.StatusBlocked, "http://evil.com/a"},
		{"a longer path", "https://evil.com/a/b", path, asset.StatusBlocked, "http://evil.com/a"},
		{"a path without the slash of the ALLOWED one", "https://evil.com/a", path, asset.StatusBlocked, "http://evil.com/a"},
		{"ALLOWED with a slash alone", "https://evil.com/a", statuses{page("evil.com/a/"): asset.StatusAllowed}, asset.StatusUnknown, ""},
		{"a parent that a URL blocks and no page allows", "https://a.evil.com", statuses{url("https://evil.com"): asset.StatusBlocked}, asset.StatusUnknown, ""},
		{"an ALLOWED URL of a parent", "https://a.evil.com", statuses{url("https://evil.com"): asset.StatusAllowed}, asset.StatusUnknown, ""},
		{
			"the next step decides if the page of a parent may not", "https://b.a.evil.com",
			statuses{url("http://a.evil.com"): asset.StatusBlocked, page("a.evil.com"): asset.StatusAllowed, page("evil.com"): asset.StatusBlocked},
			asset.StatusBlocked, "evil.com",
		},
		{
			"a more specific step decides", "https://evil.com/login",
			statuses{url("https://evil.com"): asset.StatusBlocked, url("http://evil.com/login"): asset.StatusAllowed}, asset.StatusAllowed, "http://evil.com/login",
		},
		{
			"another host of a platform", "https://mobile.twitter.com/jack/status/20?s=20",
			statuses{url("https://x.com/jack/status/20"): asset.StatusBlocked, page("mobile.twitter.com"): asset.StatusAllowed},
			asset.StatusBlocked, "https://x.com/jack/status/20",
		},
		{
			"an ALLOWED link whose alias is BLOCKED", "https://x.com/jack/status/20",
			statuses{url("http://www.twitter.com/jack/status/20"): asset.StatusBlocked, url("https://x.com/jack/status/20"): asset.StatusAllowed},
			asset.StatusBlocked, "http://www.twitter.com/jack/status/20",
		},
		{
			"an ALLOWED account does not allow a post, which may be of somebody else", "https://x.com/jack/status/20",
			statuses{{Type: asset.TypeTwitter, Canonical: "x.com/jack"}: asset.StatusAllowed}, asset.StatusUnknown, "",
		},
		{
			"a BLOCKED account blocks its posts", "https://x.com/jack/status/20",
			statuses{{Type: asset.TypeTwitter, Canonical: "x.com/jack"}: asset.StatusBlocked}, asset.StatusBlocked, "x.com/jack",
		},
		{
			"an ALLOWED account allows another way to write it", "http://x.com:443/jack/?lang=en",
			statuses{{Type: asset.TypeTwitter, Canonical: "x.com/jack"}: asset.StatusAllowed}, asset.StatusAllowed, "x.com/jack",
		},
		{
			"an ALLOWED account allows what is below it where the platform knows whose that is", "https://github.com/owner/repository/issues",
			statuses{{Type: asset.TypeGitHub, Canonical: "github.com/owner"}: asset.StatusAllowed}, asset.StatusAllowed, "github.com/owner",
		},
		{
			"another way to name an account", "https://twitter.com/intent/user?screen_name=Jack",
			statuses{{Type: asset.TypeTwitter, Canonical: "x.com/jack"}: asset.StatusBlocked}, asset.StatusBlocked, "x.com/jack",
		},
		{"IPv4 in IPv6", "https://[::ffff:1.2.3.4]/a", statuses{page("1.2.3.4"): asset.StatusBlocked}, asset.StatusBlocked, "1.2.3.4"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			covers, err := check.Covers(test.content)
			require.NoError(t, err)
			got := check.Decide(covers, test.assets.find, nil)
			require.Equal(t, test.want, got.Status)
			if test.decides == "" {
				require.Nil(t, got.Match)
				return
			}
			require.Equal(t, test.decides, got.Match.Canonical)
		})
	}
}

func TestDecide_noCovers(t *testing.T) {
	t.Parallel()
	require.Equal(t, check.Verdict{Status: asset.StatusUnknown, Source: check.SourceNone}, check.Decide(nil, statuses{}.find, nil))
}

func TestSources(t *testing.T) {
	t.Parallel()
	require.Equal(t, []check.Source{"ASSET", "LIST", "NONE"}, check.Sources())
}
