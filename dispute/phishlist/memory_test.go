package phishlist_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/dispute/phishlist"
)

// These tests measure memory, so nothing else may run meanwhile.

func TestCheckAllocatesNothing(t *testing.T) {
	lists := map[string]*phishlist.List{"one list": load(t, oneList), "three lists": load(t, threeLists)}
	for name, list := range lists {
		for reason, host := range map[string]string{
			"an entry":             "x.com",
			"a subdomain":          "login.bad.com.",
			"an exception":         "ok.x.com",
			"a miss":               "example.org",
			"a target":             "www.metamasks.com",
			"a target of the last": "equal.org",
			"another script":       "b\u00fccher.\U0001f600.org",
			"no UTF-8":             "wall\xffet.org",
			"many labels":          strings.Repeat("a.", 4000),
			"a long label":         strings.Repeat("a", 8000) + ".org",
			"a long last label":    "wallet." + strings.Repeat("a", 8000),
		} {
			require.Zero(t, testing.AllocsPerRun(100, func() { list.Check(host) }), "%s, %s", name, reason)
		}
	}
}

// TestCheckOfALongNameAllocatesNothing has names that are longer than what the compiler
// keeps room for when a text becomes bytes.
func TestCheckOfALongNameAllocatesNothing(t *testing.T) {
	long := strings.Repeat("abcdefghij", 20)
	text, err := json.Marshal(plainList{Tolerance: 3, Fuzzylist: []string{long + ".io", long + "\u00fc.io"}})
	require.NoError(t, err)
	list := load(t, string(text))
	for reason, host := range map[string]string{
		"an edit":                    long[:100] + "q" + long[100:],
		"edits at both ends":         "q" + long + "q",
		"www. before it":             "www." + long,
		"www. within it":             long[:100] + "www." + long[100:],
		"a letter of another script": long + "\u00e9",
	} {
		host += ".com"
		require.Equal(t, phishlist.RuleFuzzy, list.Check(host).Rule, reason)
		require.Zero(t, testing.AllocsPerRun(100, func() { list.Check(host) }), reason)
	}
	far := "\u00e9" + long + long + ".com"
	require.Equal(t, none, list.Check(far))
	require.Zero(t, testing.AllocsPerRun(100, func() { list.Check(far) }), "another script, and too long")
}

func TestAListTakesHardlyMoreMemoryThanItsFile(t *testing.T) {
	hosts := madeUp(50_000)
	halves, err := json.Marshal([]plainList{
		{Name: "one", Blocklist: hosts},
		{Name: "two", Blocklist: hosts, Allowlist: hosts[:10_000]},
	})
	require.NoError(t, err)
	texts := map[string]string{
		"many hosts":                  writeJSON(t, plainList{Blacklist: hosts}),
		"short hosts in few bytes":    compactShort(t),
		"two lists of the same":       string(halves),
		"a list with many exceptions": writeJSON(t, plainList{Whitelist: hosts[:25_000], Blacklist: hosts}),
		"many fuzzy targets":          writeJSON(t, plainList{Fuzzylist: hosts[:1500], Blacklist: hosts}),
	}
	for reason, text := range texts {
		require.Less(t, float64(heapOf(t, text)), 1.5*float64(len(text)), reason)
	}
}

// TestWhatHasNoEffectTakesNoMemory repeats lists and targets, each many times.
func TestWhatHasNoEffectTakesNoMemory(t *testing.T) {
	for reason, text := range map[string]string{
		"lists with a name alone":     `[` + strings.Repeat(`{"name":""},`, 100_000) + `{"name":""}]`,
		"lists that are empty":        `[` + strings.Repeat(`{"blocklist":[],"allowlist":[]},`, 50_000) + `{"name":""}]`,
		"lists with repeated entries": `[` + strings.Repeat(`{"allowlist":["a.b"],"blocklist":["a.b"]},`, 50_000) + `{"name":""}]`,
		"a target that is repeated":   `{"fuzzylist":[` + strings.Repeat(`"wallet.io",`, 100_000) + `"wallet.io"]}`,
		"entries that are no hosts":   `{"blacklist":[` + strings.Repeat(`"a b",`, 100_000) + `"a b"]}`,
		"entries in another form":     `{"blacklist":[` + strings.Repeat(`"A.b",`, 100_000) + `"A.b"]}`,
	} {
		require.Less(t, float64(heapOf(t, text)), 0.02*float64(len(text)), reason)
	}
}

// TestTheBoundsOfMemory loads the files that take the most for their size.
func TestTheBoundsOfMemory(t *testing.T) {
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
