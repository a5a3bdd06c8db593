package phishlist_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/check/phishlist"
	"github.com/apguard/apguard/internal/test/testsize"
)

func TestList_Check_DoesNotAllocate(t *testing.T) {
	lists := map[string]*phishlist.List{"one list": load(t, oneList), "three lists": load(t, threeLists)}
	for name, list := range lists {
		for reason, host := range map[string]string{
			"an entry":                  "x.com",
			"a subdomain":               "login.bad.com.",
			"an allowlist entry":        "ok.x.com",
			"an unlisted host":          "example.org",
			"a target":                  "www.metamasks.com",
			"a target of another list":  "exchange.org",
			"an internationalized name": "b\u00fccher.\U0001f600.org",
			"invalid UTF-8":             "wall\xffet.org",
			"many labels":               strings.Repeat("a.", 4000),
			"a long label":              strings.Repeat("a", 8000) + ".org",
			"a long last label":         "wallet." + strings.Repeat("a", 8000),
		} {
			require.Zero(t, testing.AllocsPerRun(100, func() { list.Check(host) }), "%s, %s", name, reason)
		}
	}
}

// TestList_Check_LongNameDoesNotAllocate has the longest names that are compared.
func TestList_Check_LongNameDoesNotAllocate(t *testing.T) {
	long := strings.Repeat("abcdefghij", 20)
	list := load(t, fmt.Sprintf(`{"tolerance": 3, "fuzzylist": ["%s.io", "%s.io"]}`, long, strings.Repeat("\U0001f600", 60)))
	for host, want := range map[string]phishlist.Rule{
		"q" + long + "q.com":                       phishlist.RuleFuzzy,
		long[:100] + "www." + long[100:] + ".com":  phishlist.RuleFuzzy,
		strings.Repeat("\U0001f600", 61) + ".com":  phishlist.RuleFuzzy,
		strings.Repeat("\U0001f600", 207) + ".com": phishlist.RuleNone,
	} {
		require.Equal(t, want, list.Check(host).Rule, host)
		require.Zero(t, testing.AllocsPerRun(100, func() { list.Check(host) }), host)
	}
}

// TestLoad_Memory measures the memory that Load documents, for the files with the highest
// memory use for their size.
func TestLoad_Memory(t *testing.T) {
	testsize.Measurement(t)
	hosts := generateHosts(50_000)
	var targets, lists, tiny strings.Builder
	for i := range phishlist.MaxTargets {
		fmt.Fprintf(&targets, `{"fuzzylist":["%0251d.a"]},`, i)
	}
	for i := range 50_000 {
		fmt.Fprintf(&lists, `{"blocklist":["%x"]},`, i)
		fmt.Fprintf(&tiny, `"%x",`, i)
	}
	repeat := func(text string) string { return strings.Repeat(text, 50_000) }
	for reason, c := range map[string]struct {
		text string
		most float64 // of the size of the file
	}{
		"a published format":       {writeJSON(t, plainList{Whitelist: hosts[:25_000], Blacklist: hosts, Fuzzylist: hosts[:15]}), 3},
		"tiny hosts":               {`{"blocklist":[` + tiny.String() + `"a.b"]}`, 10},
		"lists of one tiny host":   {"[" + lists.String() + `{"name":""}]`, 3},
		"lists of one long target": {"[" + targets.String() + `{"name":""}]`, 4},
		"lists with only a name":   {"[" + repeat(`{"name":""},`) + `{"name":""}]`, 0.02},
		"lists with duplicates":    {"[" + repeat(`{"allowlist":["a.b"],"blocklist":["a.b"]},`) + `{"name":""}]`, 0.02},
		"duplicate targets":        {`{"fuzzylist":[` + repeat(`"wallet.io",`) + `"wallet.io"]}`, 0.02},
		"hosts that are not valid": {`{"blacklist":[` + repeat(`"a b",`) + `"a b"]}`, 0.05},
		"non-canonical duplicates": {`{"blacklist":[` + repeat(`"A.b",`) + `"A.b"]}`, 0.05},
	} {
		require.Less(t, float64(heapOf(t, c.text)), c.most*float64(len(c.text)), reason)
	}
}
