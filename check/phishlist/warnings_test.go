package phishlist_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check/phishlist"
)

func TestWarnings_FirstIssues(t *testing.T) {
	t.Parallel()
	list := load(t, `{"blacklist": [`+strings.Repeat(`"a b","A.b",`, 1000)+`"bad.com"]}`)
	warnings := list.Warnings()
	require.Equal(t, 1000, warnings.InvalidHosts)
	require.Equal(t, 1000, warnings.NonCanonical)
	for _, issues := range []asset.Issues{warnings.FirstInvalidHosts, warnings.FirstNonCanonical} {
		require.Len(t, issues, 100)
		issues[0].Field = "changed"
	}
	require.NotEqual(t, "changed", list.Warnings().FirstInvalidHosts[0].Field, "the caller has a copy")
	require.NotEqual(t, "changed", list.Warnings().FirstNonCanonical[0].Field, "the caller has a copy")
}

func TestWarnings_PublicSuffixes(t *testing.T) {
	t.Parallel()
	list := load(t, `{"whitelist": ["net"], "blacklist": ["com", "co.uk", "github.io", "bad.com", "name.github.io", "newtld", "pages.dev", "github.io"]}`)
	warnings := list.Warnings()
	require.Equal(t, 2, warnings.PublicSuffixes)
	require.Equal(t, []string{
		"byte 42 (blacklist[0]): is a public suffix and was skipped",
		"byte 51 (blacklist[1]): is a public suffix and was skipped",
	}, []string{warnings.FirstPublicSuffixes[0].String(), warnings.FirstPublicSuffixes[1].String()})
	require.Equal(t, []string{"github.io", "pages.dev"}, warnings.BlockedSuffixes)
	warnings.BlockedSuffixes[0] = "changed"
	require.Equal(t, "github.io", list.Warnings().BlockedSuffixes[0], "the caller has a copy")
	for host, want := range map[string]phishlist.Rule{
		"com": phishlist.RuleNone, "any.com": phishlist.RuleNone, "any.co.uk": phishlist.RuleNone, "any.net": phishlist.RuleAllowlist,
		"a.bad.com": phishlist.RuleBlocklist, "any.github.io": phishlist.RuleBlocklist, "any.newtld": phishlist.RuleBlocklist,
	} {
		require.Equal(t, want, list.Check(host).Rule, host)
	}
	exempt := load(t, `{"whitelist": ["pages.dev"], "blacklist": ["github.io", "pages.dev"]}`).Warnings()
	require.Equal(t, []string{"github.io"}, exempt.BlockedSuffixes, "an allowlist overrides the other one")
	many := load(t, `{"blacklist": [`+strings.Repeat(`"com",`, 150)+`"bad.com"]}`).Warnings()
	require.Equal(t, 150, many.PublicSuffixes)
	require.Len(t, many.FirstPublicSuffixes, 100)
}

func TestWarnings_Duplicates(t *testing.T) {
	t.Parallel()
	list := load(t, `[
		{"blocklist": ["a.com", "b.com", "a.com"], "allowlist": ["b.com", "b.com", "c.com"]},
		{"allowlist": ["c.com", "a.com"], "blocklist": ["d.com", "c.com", "x.a.com"]}
	]`)
	// Only one entry each of a.com, b.com and c.com has an effect, in an allowlist.
	require.Equal(t, 6, list.Warnings().Duplicates)
	entries, _ := list.Len()
	require.Equal(t, 5, entries)
	for _, host := range []string{"a.com", "b.com", "c.com", "x.a.com"} {
		require.Equal(t, phishlist.RuleAllowlist, list.Check(host).Rule, host)
	}
	require.Equal(t, phishlist.RuleBlocklist, list.Check("d.com").Rule)
}

func TestWarnings_DuplicateTargets(t *testing.T) {
	t.Parallel()
	list := load(t, `[
		{"name": "one", "tolerance": 1, "fuzzylist": ["a.io", "b.io", "a.io", "a.com", "a.io"], "blocklist": ["x.com", "x.com"]},
		{"name": "two", "tolerance": 2, "fuzzylist": ["a.io"]}
	]`)
	require.Equal(t, 3, list.Warnings().Duplicates, "an equal target in another list is not a duplicate")
	_, targets := list.Len()
	require.Equal(t, 4, targets)
	require.Equal(t, fuzzy("a.io", "one"), list.Check("a.net"))
	require.Equal(t, fuzzy("a.io", "two"), list.Check("aaa.net"))
}
