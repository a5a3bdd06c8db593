package phishlist_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute/phishlist"
)

var none = phishlist.Verdict{Rule: phishlist.RuleNone}

func allowed(match, list string) phishlist.Verdict {
	return phishlist.Verdict{Rule: phishlist.RuleAllowlist, Match: match, List: list}
}

func blocked(match, list string) phishlist.Verdict {
	return phishlist.Verdict{Blocked: true, Rule: phishlist.RuleBlocklist, Match: match, List: list}
}

func fuzzy(match, list string) phishlist.Verdict {
	return phishlist.Verdict{Blocked: true, Rule: phishlist.RuleFuzzy, Match: match, List: list}
}

const oneList = `{
	"version": 2, "tolerance": 2,
	"fuzzylist": ["metamask.io", "etherscan.io", "meta.mask.io", "metamast.org"],
	"whitelist": ["metamask.io", "good.bad.com", "metamaks.org"],
	"blacklist": ["bad.com", "a.b.worse.net", "worse.net", "c.worse.net", "evil", "metamask.io", "203.0.113.7", "[2001:db8::1]"]
}`

func TestCheckOfOneList(t *testing.T) {
	t.Parallel()
	list := load(t, oneList)
	for reason, c := range map[string]struct {
		host string
		want phishlist.Verdict
	}{
		"an entry":                       {"bad.com", blocked("bad.com", "")},
		"a subdomain":                    {"login.bad.com", blocked("bad.com", "")},
		"a subdomain of a subdomain":     {"a.b.c.bad.com", blocked("bad.com", "")},
		"one trailing dot":               {"bad.com.", blocked("bad.com", "")},
		"two trailing dots":              {"bad.com..", none},
		"a part of a label":              {"notbad.com", none},
		"the domain above":               {"com", none},
		"the other letter case":          {"Bad.com", none},
		"an entry of one label":          {"some.evil", blocked("evil", "")},
		"an entry of one label alone":    {"evil", blocked("evil", "")},
		"an IPv4 address":                {"203.0.113.7", blocked("203.0.113.7", "")},
		"an IPv6 address":                {"[2001:db8::1]", blocked("[2001:db8::1]", "")},
		"an empty label before an entry": {".bad.com", blocked("bad.com", "")},
		"an empty host":                  {"", none},
		"a dot":                          {".", none},
		"the first in the list of three, the longest": {"x.a.b.worse.net", blocked("a.b.worse.net", "")},
		"the first in the list of two, the shortest":  {"c.worse.net", blocked("worse.net", "")},
		"an exception below an entry":                 {"good.bad.com", allowed("good.bad.com", "")},
		"a subdomain of an exception":                 {"x.good.bad.com", allowed("good.bad.com", "")},
		"an exception that is an entry":               {"metamask.io", allowed("metamask.io", "")},
		"an exception that resembles a target":        {"metamaks.org", allowed("metamaks.org", "")},
		"the name of a target":                        {"metamask.com", fuzzy("metamask.io", "")},
		"one unit more":                               {"metamasks.com", fuzzy("metamask.io", "")},
		"one unit less":                               {"metamsk.com", fuzzy("metamask.io", "")},
		"two units changed":                           {"mitamosk.com", fuzzy("metamask.io", "")},
		"two units swapped, which is two edits":       {"emtamask.com", fuzzy("metamask.io", "")},
		"three units changed":                         {"mitomosk.com", none},
		"a first edit and a last":                     {"xetamasx.com", fuzzy("metamask.io", "")},
		"the later target is nearer":                  {"metamast.com", fuzzy("metamask.io", "")},
		"the last label does not count":               {"metamask.longwinded", fuzzy("metamask.io", "")},
		"a label more is as many units more":          {"x.etherscan.com", fuzzy("etherscan.io", "")},
		"a longer label more":                         {"xy.etherscan.com", none},
		"www. is dropped":                             {"www.etherscan.com", fuzzy("etherscan.io", "")},
		"www. is dropped in the middle":               {"ether.www.scan.com", fuzzy("etherscan.io", "")},
		"www. is dropped at the end of a label":       {"aawww.etherscan.com", fuzzy("etherscan.io", "")},
		"www. is dropped once":                        {"www.www.etherscan.com", none},
		"www. with the last label stays":              {"etherscanwww.com", none},
		"a host without name":                         {"metamask", none},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, list.Check(c.host))
		})
	}
}

const threeLists = `[
	{"name": "one", "version": 1, "tolerance": 1, "fuzzylist": ["wallet.io"], "blocklist": ["x.com", "both.com", "three.com"], "allowlist": ["ok.x.com"]},
	{"version": "2", "fuzzylist": ["wallet.net", "exchange.net"], "blocklist": ["wallex.org", "both.com", "sub.y.com", "exchanges.org"], "name": "two"},
	{"blacklist": ["exchanga.com", "y.com"], "whitelist": ["three.com", "ok.x.com", "b.wallet.org"], "tolerance": 0, "fuzzylist": ["equal.io"], "name": "three"}
]`

func TestCheckOfSeveralLists(t *testing.T) {
	t.Parallel()
	list := load(t, threeLists)
	for reason, c := range map[string]struct {
		host string
		want phishlist.Verdict
	}{
		"a blocklist of the first":                       {"x.com", blocked("x.com", "one")},
		"an exception of the first":                      {"ok.x.com", allowed("ok.x.com", "one")},
		"an exception of the last comes before all else": {"three.com", allowed("three.com", "three")},
		"an exception before what it resembles":          {"b.wallet.org", allowed("b.wallet.org", "three")},
		"blocklists of two":                              {"both.com", blocked("both.com", "one")},
		"targets before the next blocklist":              {"wallex.org", fuzzy("wallet.io", "one")},
		"the first list is stricter":                     {"wallexx.org", fuzzy("wallet.net", "two")},
		"the default tolerance is 3":                     {"exchxxxe.org", fuzzy("exchange.net", "two")},
		"and no more":                                    {"excxxxxe.org", none},
		"targets before the blocklist of a later list":   {"exchanga.com", fuzzy("exchange.net", "two")},
		"the list decides, and not the length":           {"sub.y.com", blocked("sub.y.com", "two")},
		"a blocklist before the targets of its list":     {"exchanges.org", blocked("exchanges.org", "two")},
		"tolerance 0 is equality":                        {"equal.org", fuzzy("equal.io", "three")},
		"tolerance 0 is nothing else":                    {"equals.org", none},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, list.Check(c.host))
		})
	}
}

// TestHostsLongerThanEveryEntry has dots and labels where the longest entry begins.
func TestHostsLongerThanEveryEntry(t *testing.T) {
	t.Parallel()
	longest := strings.Repeat("a", 249) + ".com"
	list := load(t, `{"blacklist": ["`+longest+`"], "fuzzylist": ["`+longest[1:]+`"], "tolerance": 16}`)
	require.Equal(t, blocked(longest, ""), list.Check(longest))
	require.Equal(t, blocked(longest, ""), list.Check("a."+longest))
	require.Equal(t, fuzzy(longest[1:], ""), list.Check("a"+longest))
	require.Equal(t, fuzzy(longest[1:], ""), list.Check(strings.Repeat("b", 15)+longest))
	require.Equal(t, none, list.Check(strings.Repeat("b", 16)+longest))
	require.Equal(t, fuzzy(longest[1:], ""), list.Check("www."+longest+strings.Repeat("b", 9000)))
	require.Equal(t, fuzzy(longest[1:], ""), list.Check(strings.Repeat("b", 14)+"www.a"+longest))
	require.Equal(t, none, list.Check(strings.Repeat("b", 9000)+longest))
	require.Equal(t, none, list.Check(strings.Repeat("b", 9000)))
	require.Equal(t, none, list.Check(strings.Repeat(".", 9000)))

	short := load(t, `{"tolerance": 2, "fuzzylist": ["\ud83d\ude00\u732b\u732b.io"]}`)
	require.Equal(t, fuzzy("\U0001f600\u732b\u732b.io", ""), short.Check("\u732b\u732b\U0001f600\u732b\u732b.com"), "in far more bytes than units")
	most := load(t, `{"tolerance": 2, "fuzzylist": ["\u732b\u732b.io"]}`)
	require.Equal(t, fuzzy("\u732b\u732b.io", ""), most.Check("\u732bwww.\u732b\u732b\u732b.com"), "in as many bytes as so many units can take")
	require.Equal(t, fuzzy("\U0001f600\u732b\u732b.io", ""), short.Check("\u732b\u732bwww.\U0001f600\u732b\u732b.com"))
}

// TestDistanceIsInUnits compares names with letters beyond the first plane, of which
// each is two units.
func TestDistanceIsInUnits(t *testing.T) {
	t.Parallel()
	list := load(t, `{"tolerance": 1, "fuzzylist": ["wallet\ud83d\ude00.io", "\u00fcber.io"]}`)
	require.Equal(t, none, list.Check("wallet.com"), "two units are missing")
	require.Equal(t, fuzzy("wallet\U0001f600.io", ""), list.Check("wallet\U0001f601.com"), "one unit of the two is the same")
	require.Equal(t, none, list.Check("wallet\U0002f601.com"), "none of the two is the same")
	require.Equal(t, fuzzy("\u00fcber.io", ""), list.Check("uber.com"), "one unit is another, though two bytes are")
	require.Equal(t, none, list.Check("u\xff\xffber.com"), "what is no UTF-8 is one unit a byte")
}

func TestAnEmptyListSaysNothing(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`{"blacklist":[]}`, `{"name":""}`, `[{"name":"a"},{"name":"b"}]`, `{"whitelist":null,"tolerance":null}`} {
		list := load(t, text)
		for _, host := range []string{"", ".", "example.com", "www."} {
			require.Equal(t, none, list.Check(host))
		}
		require.Zero(t, list.Findings())
	}
}

func TestSharedList(t *testing.T) {
	t.Parallel()
	text := sharedList(t)
	list := load(t, text)
	entries, targets := list.Len()
	require.Equal(t, 1138+13752-3, entries, "three stand in both lists")
	require.Equal(t, 15, targets)
	require.Equal(t, 3, list.Findings().Repeated)
	require.Zero(t, list.Findings().NoHosts)
	var plain plainList
	require.NoError(t, json.Unmarshal([]byte(text), &plain))
	for _, host := range plain.Whitelist {
		require.Equal(t, phishlist.RuleAllowlist, list.Check("a."+host).Rule, host)
	}
	exempt := 0
	for _, host := range plain.Blacklist {
		if got := list.Check("a." + host); got.Rule == phishlist.RuleAllowlist {
			exempt++
		} else {
			require.Equal(t, phishlist.RuleBlocklist, got.Rule, host)
		}
	}
	require.Equal(t, 3+8, exempt)
}

func TestStatusIsThatOfTheHost(t *testing.T) {
	t.Parallel()
	list := load(t, `{"tolerance": 1, "fuzzylist": ["wallet.io"], "whitelist": ["good.bad.com"], "blacklist": ["bad.com", "evil.medium.com", "x.com", "[::1]"]}`)
	for reason, c := range map[string]struct {
		kind      asset.Type
		canonical string
		want      asset.Status
	}{
		"a URL on an entry":             {asset.TypeURL, "https://login.bad.com:8443/a", asset.StatusBlocked},
		"a PAGE on an entry":            {asset.TypePage, "bad.com", asset.StatusBlocked},
		"a URL that resembles":          {asset.TypeURL, "http://wallets.com", asset.StatusBlocked},
		"an exception":                  {asset.TypePage, "good.bad.com/path", asset.StatusAllowed},
		"an unknown host":               {asset.TypePage, "example.com", asset.StatusUnknown},
		"a name with a host of its own": {asset.TypeMedium, "evil.medium.com", asset.StatusBlocked},
		"an IPv6 address":               {asset.TypeURL, "https://[::1]", asset.StatusBlocked},
		"a handle on a listed host":     {asset.TypeTwitter, "x.com/jack", asset.StatusUnknown},
		"an address at a listed host":   {asset.TypeEmail, "bob@bad.com", asset.StatusUnknown},
		"no identity":                   {"", "bad.com", asset.StatusUnknown},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			got, err := list.Status(t.Context(), asset.Identity{Type: c.kind, Canonical: c.canonical})
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		})
	}
}

func TestNameIsThatOfTheOptions(t *testing.T) {
	t.Parallel()
	require.Equal(t, "eth-phishing-detect", load(t, oneList).Name())
}
