package phishlist_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check/phishlist"
)

func TestList_Check(t *testing.T) {
	t.Parallel()
	list := load(t, oneList)
	for reason, c := range map[string]struct {
		host string
		want phishlist.Verdict
	}{
		"an entry":                                       {"bad.com", blocked("bad.com", "")},
		"a subdomain":                                    {"login.bad.com", blocked("bad.com", "")},
		"one trailing dot":                               {"bad.com.", blocked("bad.com", "")},
		"two trailing dots":                              {"bad.com..", none},
		"a part of a label":                              {"notbad.com", none},
		"another letter case":                            {"Bad.com", none},
		"an IPv6 address":                                {"[2001:db8::1]", blocked("[2001:db8::1]", "")},
		"an empty label before an entry":                 {".bad.com", blocked("bad.com", "")},
		"the first of three entries is the longest":      {"x.a.b.worse.net", blocked("a.b.worse.net", "")},
		"the first of two entries is the shortest":       {"c.worse.net", blocked("worse.net", "")},
		"an allowlist entry below a blocklist entry":     {"good.bad.com", allowed("good.bad.com", "")},
		"an entry of both lists":                         {"metamask.io", allowed("metamask.io", "")},
		"an allowlist entry that resembles a target":     {"metamaks.org", allowed("metamaks.org", "")},
		"the name of a target":                           {"metamask.com", fuzzy("metamask.io", "")},
		"a transposition is two edits":                   {"emtamask.com", fuzzy("metamask.io", "")},
		"a later target is closer":                       {"metamast.com", fuzzy("metamask.io", "")},
		"another last label":                             {"metamask.longwinded", fuzzy("metamask.io", "")},
		"www. is removed":                                {"www.etherscan.com", fuzzy("etherscan.io", "")},
		"www. is removed in the middle":                  {"ether.www.scan.com", fuzzy("etherscan.io", "")},
		"www. is removed once":                           {"www.www.etherscan.com", none},
		"www. that includes the last dot is not removed": {"etherscanwww.com", none},
		"a single label has an empty name":               {"metamask", none},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, list.Check(c.host))
		})
	}
}

func TestList_Check_SeveralLists(t *testing.T) {
	t.Parallel()
	list := load(t, threeLists)
	for reason, c := range map[string]struct {
		host string
		want phishlist.Verdict
	}{
		"an allowlist of the last list is first":                {"three.com", allowed("three.com", "three")},
		"a blocklist comes before the targets of its list":      {"exchanges.org", blocked("exchanges.org", "two")},
		"targets come before the next blocklist":                {"wallex.org", fuzzy("wallet.io", "one")},
		"the default tolerance is 3":                            {"exchxxxe.org", fuzzy("exchange.net", "two")},
		"the default tolerance is not 4":                        {"excxxxxe.org", none},
		"the order of lists comes before the length of entries": {"sub.y.com", blocked("sub.y.com", "two")},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, list.Check(c.host))
		})
	}
}

// TestList_Check_LongHosts has hosts longer than every entry, with dots and labels where
// the longest entry would begin.
func TestList_Check_LongHosts(t *testing.T) {
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
	require.Equal(t, fuzzy("\U0001f600\u732b\u732b.io", ""), short.Check("\u732b\u732b\U0001f600\u732b\u732b.com"), "many more bytes than units")
	most := load(t, `{"tolerance": 2, "fuzzylist": ["\u732b\u732b.io"]}`)
	require.Equal(t, fuzzy("\u732b\u732b.io", ""), most.Check("\u732bwww.\u732b\u732b\u732b.com"), "the most bytes for that number of units")
	require.Equal(t, fuzzy("\U0001f600\u732b\u732b.io", ""), short.Check("\u732b\u732bwww.\U0001f600\u732b\u732b.com"))
}

// TestList_Check_DistanceInUnits compares names with characters of two UTF-16 code units.
func TestList_Check_DistanceInUnits(t *testing.T) {
	t.Parallel()
	list := load(t, `{"tolerance": 1, "fuzzylist": ["wallet\ud83d\ude00.io", "\u00fcber.io"]}`)
	require.Equal(t, none, list.Check("wallet.com"), "two units differ")
	require.Equal(t, fuzzy("wallet\U0001f600.io", ""), list.Check("wallet\U0001f601.com"), "one unit differs")
	require.Equal(t, none, list.Check("wallet\U0002f601.com"), "both units differ")
	require.Equal(t, fuzzy("\u00fcber.io", ""), list.Check("uber.com"), "one unit differs, which is two bytes")
	require.Equal(t, none, list.Check("u\xff\xffber.com"), "each byte of invalid UTF-8 is one unit")
}

// TestList_Check_ManyLabels has an entry with as many labels as fit into a host.
func TestList_Check_ManyLabels(t *testing.T) {
	t.Parallel()
	entry := strings.Repeat("a.", 126) + "a"
	list := load(t, `{"blacklist": ["`+entry+`"]}`)
	require.Equal(t, blocked(entry, ""), list.Check("b."+entry))
	require.Equal(t, none, list.Check(entry+"b"))
}

func TestList_Check_EmptyList(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`{"blacklist":[]}`, `{"name":""}`, `[{"name":"a"},{"name":"b"}]`, `{"whitelist":null,"tolerance":null}`} {
		list := load(t, text)
		for _, host := range []string{"", ".", "example.com", "www."} {
			require.Equal(t, none, list.Check(host))
		}
		require.Zero(t, list.Warnings())
	}
}

// TestList_Check_PublishedList compares the verdicts of an excerpt with those of the model.
func TestList_Check_PublishedList(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/eth-phishing-detect/config.json")
	require.NoError(t, err)
	list := load(t, string(text))
	require.Equal(t, phishlist.Warnings{Duplicates: 3}, list.Warnings())
	var plain plainList
	require.NoError(t, json.Unmarshal(text, &plain))
	plain.Allowlist, plain.Blocklist = plain.Whitelist, plain.Blacklist
	for _, host := range slices.Concat(plain.Fuzzylist, plain.Allowlist, plain.Blocklist) {
		for _, prefix := range []string{"", "a.", "www.", "x", "xyz"} {
			require.Equal(t, modelCheck([]plainList{plain}, prefix+host), list.Check(prefix+host), prefix+host)
		}
	}
}

func TestList_Name(t *testing.T) {
	t.Parallel()
	require.Equal(t, "eth-phishing-detect", load(t, oneList).Name())
}

func TestList_Status(t *testing.T) {
	t.Parallel()
	list := load(t, `{"tolerance": 1, "fuzzylist": ["wallet.io"], "whitelist": ["good.bad.com"], "blacklist": ["bad.com", "evil.medium.com", "x.com", "[::1]"]}`)
	for reason, c := range map[string]struct {
		kind      asset.Type
		canonical string
		want      asset.Status
	}{
		"a URL on a blocked host":              {asset.TypeURL, "https://login.bad.com:8443/a", asset.StatusBlocked},
		"a PAGE on a blocked host":             {asset.TypePage, "bad.com", asset.StatusBlocked},
		"a URL that resembles a target":        {asset.TypeURL, "http://wallets.com", asset.StatusBlocked},
		"a host on the allowlist":              {asset.TypePage, "good.bad.com/path", asset.StatusAllowed},
		"an unknown host":                      {asset.TypePage, "example.com", asset.StatusUnknown},
		"a platform account with its own host": {asset.TypeMedium, "evil.medium.com", asset.StatusBlocked},
		"an IPv6 address":                      {asset.TypeURL, "https://[::1]", asset.StatusBlocked},
		"a handle on a listed host":            {asset.TypeTwitter, "x.com/jack", asset.StatusUnknown},
		"an e-mail address at a listed host":   {asset.TypeEmail, "bob@bad.com", asset.StatusUnknown},
		"an invalid type":                      {"", "bad.com", asset.StatusUnknown},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			got, err := list.Status(t.Context(), asset.Identity{Type: c.kind, Canonical: c.canonical})
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		})
	}
}
