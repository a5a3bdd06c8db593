package phishlist_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/check/phishlist"
)

// These tests measure memory, so they do not run in parallel.

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
			"a target with tolerance 0": "equal.org",
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

// TestList_Check_LongNameDoesNotAllocate has names that are longer than the buffer that the
// compiler uses to convert a string to bytes.
func TestList_Check_LongNameDoesNotAllocate(t *testing.T) {
	long := strings.Repeat("abcdefghij", 20)
	text, err := json.Marshal(plainList{Tolerance: 3, Fuzzylist: []string{long + ".io", long + "\u00fc.io"}})
	require.NoError(t, err)
	list := load(t, string(text))
	for reason, host := range map[string]string{
		"one edit":              long[:100] + "q" + long[100:],
		"edits at both ends":    "q" + long + "q",
		"www. before it":        "www." + long,
		"www. within it":        long[:100] + "www." + long[100:],
		"a letter beyond ASCII": long + "\u00e9",
	} {
		host += ".com"
		require.Equal(t, phishlist.RuleFuzzy, list.Check(host).Rule, reason)
		require.Zero(t, testing.AllocsPerRun(100, func() { list.Check(host) }), reason)
	}
	far := "\u00e9" + long + long + ".com"
	require.Equal(t, none, list.Check(far))
	require.Zero(t, testing.AllocsPerRun(100, func() { list.Check(far) }), "a letter beyond ASCII and too many units")
}

func TestLoad_MemoryOfPublishedFormats(t *testing.T) {
	hosts := generateHosts(50_000)
	halves, err := json.Marshal([]plainList{
		{Name: "one", Blocklist: hosts},
		{Name: "two", Blocklist: hosts, Allowlist: hosts[:10_000]},
	})
	require.NoError(t, err)
	texts := map[string]string{
		"many hosts":                      writeJSON(t, plainList{Blacklist: hosts}),
		"short hosts without white space": compactShort(t),
		"two lists with the same hosts":   string(halves),
		"a long allowlist":                writeJSON(t, plainList{Whitelist: hosts[:25_000], Blacklist: hosts}),
		"many fuzzy targets":              writeJSON(t, plainList{Fuzzylist: hosts[:1500], Blacklist: hosts}),
	}
	for reason, text := range texts {
		require.Less(t, float64(heapOf(t, text)), 1.5*float64(len(text)), reason)
	}
}

func TestLoad_MemoryOfEntriesWithoutEffect(t *testing.T) {
	for reason, text := range map[string]string{
		"lists with only a name":            `[` + strings.Repeat(`{"name":""},`, 100_000) + `{"name":""}]`,
		"empty lists":                       `[` + strings.Repeat(`{"blocklist":[],"allowlist":[]},`, 50_000) + `{"name":""}]`,
		"lists with duplicates":             `[` + strings.Repeat(`{"allowlist":["a.b"],"blocklist":["a.b"]},`, 50_000) + `{"name":""}]`,
		"duplicate targets":                 `{"fuzzylist":[` + strings.Repeat(`"wallet.io",`, 100_000) + `"wallet.io"]}`,
		"invalid hosts":                     `{"blacklist":[` + strings.Repeat(`"a b",`, 100_000) + `"a b"]}`,
		"duplicates that are not canonical": `{"blacklist":[` + strings.Repeat(`"A.b",`, 100_000) + `"A.b"]}`,
	} {
		require.Less(t, float64(heapOf(t, text)), 0.02*float64(len(text)), reason)
	}
}

// TestLoad_MemoryBounds loads the files with the highest memory use for their size.
func TestLoad_MemoryBounds(t *testing.T) {
	var targets, lists strings.Builder
	for i := range phishlist.MaxTargets {
		fmt.Fprintf(&targets, `{"fuzzylist":["%0251d.a"]},`, i)
	}
	for i := range 50_000 {
		fmt.Fprintf(&lists, `{"blocklist":["%x"]},`, i)
	}
	require.Less(t, heapOf(t, "["+targets.String()+`{"name":""}]`), uint64(32<<20))
	require.Less(t, heapOf(t, "["+lists.String()+`{"name":""}]`), uint64(3*lists.Len()))
}
