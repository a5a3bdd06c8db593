package phishlist_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/dispute/phishlist"
)

func TestEntriesInAnotherFormAreCounted(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		entry     string
		canonical bool
	}{
		"a domain":                              {"evil.com", true},
		"a label alone":                         {"evil", true},
		"an underscore and a hyphen":            {"_a-b.evil.com", true},
		"a label that begins with a digit":      {"1inch.7eleven", true},
		"a sign that a URL may have":            {"a!b.com", true},
		"punycode":                              {"xn--bcher-kva.de", true},
		"punycode in the last label":            {"a.xn--p1ai", true},
		"punycode on a platform":                {"xn--bcher-kva.medium.com", true},
		"punycode of nothing":                   {"a.xn--.de", false},
		"punycode in capitals":                  {"XN--BCHER-KVA.de", false},
		"punycode of a capital":                 {"xn--Bcher-kva.de", false},
		"punycode with another script":          {"xn--ü.de", false},
		"punycode that is none, in the middle":  {"a.xn--a.de", false},
		"punycode that is none, last":           {"a.xn--a", false},
		"capitals":                              {"Evil.com", false},
		"another script":                        {"bücher.de", false},
		"a trailing dot":                        {"evil2.com.", false},
		"a leading dot":                         {".evil4.com", false},
		"an empty label":                        {"evil..com", false},
		"a dot":                                 {".", false},
		"a star":                                {"*.evil3.com", false},
		"an IPv4 address":                       {"203.0.113.7", true},
		"an IPv4 address in hexadecimal digits": {"0x7f.1", false},
		"an IPv4 address with leading zeros":    {"203.0.113.007", false},
		"an IPv4 address that is none":          {"203.0.113.256", false},
		"a number":                              {"1", false},
		"an IPv6 address":                       {"[2001:db8::1]", true},
		"an IPv6 address in capitals":           {"[2001:DB8::1]", false},
		"an IPv6 address in full":               {"[2001:db8:0:0:0:0:0:1]", false},
		"an IPv6 address that ends as IPv4":     {"[::ffff:192.0.2.1]", false},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			for _, key := range []string{"whitelist", "blacklist"} {
				list := load(t, fmt.Sprintf(`{%q: ["first.com", %q]}`, key, c.entry))
				entries, _ := list.Len()
				require.Equal(t, 2, entries, "it is kept")
				if c.entry == strings.Trim(c.entry, ".") { // Check drops a dot
					require.Equal(t, c.entry, list.Check(c.entry).Match, "and found as it is written")
				}
				if c.canonical {
					require.Zero(t, list.Findings())
					continue
				}
				require.Equal(t, 1, list.Findings().NotCanonical)
				require.Len(t, list.Findings().FirstNotCanonical, 1)
				require.Contains(t, list.Findings().FirstNotCanonical[0].String(), "("+key+"[1]): is not written")
			}
			require.Zero(t, load(t, fmt.Sprintf(`{"fuzzylist": [%q]}`, c.entry)).Findings(), "a target is near or not")
		})
	}
}

// TestTheHostsOfAssetsAreCanonical takes what package classify makes of a content.
func TestTheHostsOfAssetsAreCanonical(t *testing.T) {
	t.Parallel()
	for _, content := range []string{
		"https://EVIL.com./a", "https://BÜCHER.de:8443", "https://0x7f.1", "http://[2001:DB8:0::1]", "evil.co.uk", "Jack.Medium.com",
		"https://1.2.3.4.5.example", "https://a_b.xn--p1ai", "https://localhost", "https://xn--bcher-kva.medium.com",
	} {
		result, err := classify.Classify(content)
		require.NoError(t, err, content)
		host, ok := classify.Host(result.Identity)
		require.True(t, ok, content)
		list := load(t, fmt.Sprintf(`{"blacklist": [%q]}`, host))
		require.Zero(t, list.Findings(), host)
		status, err := list.Status(t.Context(), result.Identity)
		require.NoError(t, err)
		require.Equal(t, asset.StatusBlocked, status, content)
	}
}

func TestOnlyTheFirstEntriesInAnotherFormAreKept(t *testing.T) {
	t.Parallel()
	list := load(t, `{"blacklist": [`+strings.Repeat(`"A.b",`, 1000)+`"bad.com"]}`)
	found := list.Findings()
	require.Equal(t, 1000, found.NotCanonical)
	require.Len(t, found.FirstNotCanonical, 100)
	found.FirstNotCanonical[0].Field = "changed"
	require.NotEqual(t, "changed", list.Findings().FirstNotCanonical[0].Field, "the caller has a copy")
}

// fuzzylist returns a list of so many different targets, a0.io and so on.
func fuzzylist(n int) string {
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, `,"a%d.io"`, i)
	}
	return `{"fuzzylist": [` + strings.TrimPrefix(text.String(), ",") + `]}`
}

func TestTheFuzzyTargetsOfAFileAreLimited(t *testing.T) {
	t.Parallel()
	const most = phishlist.MaxTargets
	for reason, c := range map[string]struct {
		text string
		want string
	}{
		"as many as may be":        {fuzzylist(most), ""},
		"one more":                 {fuzzylist(most + 1), fmt.Sprintf("(fuzzylist[%d]): must be one of at most 10000 fuzzy targets", most)},
		"as many in two lists":     {`[` + fuzzylist(most-5) + `,` + fuzzylist(5) + `]`, ""},
		"one more in two lists":    {`[` + fuzzylist(most-5) + `,` + fuzzylist(6) + `]`, "([1].fuzzylist[5]): must be one of at most"},
		"more that do not count":   {strings.TrimSuffix(fuzzylist(most), "]}") + `,"a0.io","a b",""]}`, ""},
		"one more after all these": {strings.TrimSuffix(fuzzylist(most), "]}") + `,"a0.io","a b","b.io"]}`, "(fuzzylist[10002]): must be one of at most"},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			list, err := phishlist.Load(strings.NewReader(c.text))
			if c.want != "" {
				require.ErrorIs(t, err, asset.ErrInvalid)
				require.ErrorContains(t, err, c.want)
				return
			}
			require.NoError(t, err)
			_, targets := list.Len()
			require.Equal(t, most, targets)
		})
	}
}

func TestRepeatedTargetsAreDropped(t *testing.T) {
	t.Parallel()
	list := load(t, `[
		{"name": "one", "tolerance": 0, "fuzzylist": ["a.io", "b.io", "a.io", "a.com", "a.io"], "blocklist": ["x.com", "x.com"]},
		{"name": "two", "tolerance": 1, "fuzzylist": ["a.io"]}
	]`)
	require.Equal(t, 3, list.Findings().Repeated, "the same target in another list has another tolerance")
	_, targets := list.Len()
	require.Equal(t, 4, targets)
	require.Equal(t, fuzzy("a.io", "one"), list.Check("a.net"))
	require.Equal(t, fuzzy("a.io", "two"), list.Check("aa.net"))
}

// TestListsWithoutEffectChangeNothing has lists of nothing between others.
func TestListsWithoutEffectChangeNothing(t *testing.T) {
	t.Parallel()
	list := load(t, `[
		{"name": "nothing", "allowlist": [], "blocklist": []},
		{"name": "one", "allowlist": ["ok.com"], "blocklist": []},
		{"name": "repeats", "allowlist": ["ok.com"], "blocklist": ["ok.com"]},
		{"name": "two", "allowlist": [], "blocklist": ["bad.com"], "fuzzylist": ["wallet.io"]},
		{"name": "no hosts", "blocklist": ["a b"], "fuzzylist": [""]},
		{"name": "three", "blocklist": ["bad.com", "worse.com", "wallex.com"]},
		{"name": "last", "blocklist": []}
	]`)
	require.Equal(t, allowed("ok.com", "one"), list.Check("ok.com"))
	require.Equal(t, blocked("bad.com", "two"), list.Check("bad.com"))
	require.Equal(t, fuzzy("wallet.io", "two"), list.Check("wallex.com"))
	require.Equal(t, blocked("worse.com", "three"), list.Check("worse.com"))
}
