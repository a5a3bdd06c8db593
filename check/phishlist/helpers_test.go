package phishlist_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/check/phishlist"
)

// plainList is a list in either format, for encoding/json.
type plainList struct {
	Name      string   `json:"name,omitempty"`
	Tolerance int      `json:"tolerance"`
	Fuzzylist []string `json:"fuzzylist"`
	Whitelist []string `json:"whitelist,omitempty"`
	Blacklist []string `json:"blacklist,omitempty"`
	Allowlist []string `json:"allowlist,omitempty"`
	Blocklist []string `json:"blocklist,omitempty"`
}

// writeJSON returns a value in the formatting of the published lists.
func writeJSON(tb testing.TB, value any) string {
	tb.Helper()
	text, err := json.MarshalIndent(value, "", "  ")
	require.NoError(tb, err)
	return string(text)
}

func load(tb testing.TB, text string) *phishlist.List {
	tb.Helper()
	list, err := phishlist.Load(strings.NewReader(text), phishlist.Options{})
	require.NoError(tb, err)
	return list
}

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

const threeLists = `[
	{"name": "one", "version": 1, "tolerance": 1, "fuzzylist": ["wallet.io"], "blocklist": ["x.com", "both.com", "three.com"], "allowlist": ["ok.x.com"]},
	{"version": "2", "fuzzylist": ["wallet.net", "exchange.net"], "blocklist": ["wallex.org", "both.com", "sub.y.com", "exchanges.org"], "name": "two"},
	{"blacklist": ["exchanga.com", "y.com"], "whitelist": ["three.com", "ok.x.com", "b.wallet.org"], "tolerance": 0, "fuzzylist": ["equal.io"], "name": "three"}
]`

// generateHosts returns n distinct hosts that are similar to published entries.
func generateHosts(n int) []string {
	words := []string{"wallet", "claim", "airdrop", "swap", "login", "secure", "app", "mint", "bridge", "token", "free", "my"}
	ends := []string{"com", "io", "xyz", "co.uk", "app", "net", "finance"}
	hosts := make([]string, n)
	for i := range hosts {
		hosts[i] = fmt.Sprintf("%s-%s%d.%s", words[i%len(words)], words[i/7%len(words)], i, ends[i%len(ends)])
		if i%8 == 0 {
			hosts[i] = "www." + hosts[i]
		}
	}
	return hosts
}
