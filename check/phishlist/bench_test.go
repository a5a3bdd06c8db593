package phishlist_test

import (
	"encoding/json"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/check/phishlist"
	"github.com/apguard/apguard/internal/test/benchtest"
)

// Rounds are short, so that other programs rarely interrupt one, and there are many.
const (
	turns  = 2_000
	rounds = 99
	// variety is the number of distinct hosts of each kind.
	variety = 500
)

// benchLists returns the lists to measure.
func benchLists() map[string]plainList {
	hosts := generateHosts(200_000)
	targets := generateHosts(1500)
	return map[string]plainList{
		"15k":       {Tolerance: 2, Fuzzylist: targets[:15], Whitelist: hosts[:1_000], Blacklist: hosts[1_000:15_000]},
		"200k":      {Tolerance: 2, Fuzzylist: targets[:15], Whitelist: hosts[:20_000], Blacklist: hosts[20_000:]},
		"fuzzy1500": {Tolerance: 2, Fuzzylist: targets, Whitelist: hosts[:1_000], Blacklist: hosts[1_000:15_000]},
	}
}

// BenchmarkCheck compares a check with a lookup in a map of the same entries. x-map is the
// ratio of their times.
func BenchmarkCheck(b *testing.B) {
	for name, plain := range benchLists() {
		list := load(b, writeJSON(b, plain))
		entries := make(map[string]struct{})
		for _, host := range append(append([]string{}, plain.Whitelist...), plain.Blacklist...) {
			entries[host] = struct{}{}
		}
		for kind, hosts := range hostsOf(plain) {
			b.Run(name+"/"+kind, func(b *testing.B) { compareWithMap(b, list, entries, hosts) })
		}
	}
}

// hostsOf returns hosts to look up, by kind. Common kinds have several, since a single one
// would stay in the processor's caches.
func hostsOf(plain plainList) map[string][]string {
	hosts := map[string][]string{
		"labels-253":  {strings.Repeat("a.", 126) + "a"},
		"labels-8000": {strings.Repeat("a.", 4000) + "a"},
		"last-8000":   {"a." + strings.Repeat("a", 7996)},
	}
	add := func(kind, host string) { hosts[kind] = append(hosts[kind], host) }
	for i := range variety {
		blocked := plain.Blacklist[i*len(plain.Blacklist)/variety]
		add("exact", blocked)
		add("subdomain", "login.account."+blocked)
		add("allowed", plain.Whitelist[i*len(plain.Whitelist)/variety])
		add("miss", fmt.Sprintf("documentation%d.example.org", i))

		target := plain.Fuzzylist[i*len(plain.Fuzzylist)/variety]
		name := target[:strings.LastIndexByte(target, '.')]
		edit := i % len(name)
		add("fuzzy-hit", name[:edit]+"q"+name[edit:]+".example")
		// One edit too many, at a position where most of the name is compared.
		add("fuzzy-miss", name[:edit]+"qqq"+name[edit:]+".example")
	}
	return hosts
}

func compareWithMap(b *testing.B, list *phishlist.List, entries map[string]struct{}, hosts []string) {
	b.Helper()
	found := 0
	for b.Loop() {
		times := benchtest.Medians(rounds,
			func(int) {
				for i := range turns {
					if list.Check(hosts[i%len(hosts)]).Blocked {
						found++
					}
				}
			},
			func(int) {
				for i := range turns {
					if _, ok := entries[hosts[i%len(hosts)]]; ok {
						found++
					}
				}
			},
		)
		benchtest.Figures(b, map[string]float64{
			"ns/check":     times[0] * 1e6 / turns,
			"x-map":        times[0] / times[1],
			"allocs/check": testing.AllocsPerRun(10, func() { list.Check(hosts[0]) }),
		})
	}
	runtime.KeepAlive(found)
}

// BenchmarkLoad compares loading with decoding the same file by encoding/json, and the
// memory of the list with the size of the file.
func BenchmarkLoad(b *testing.B) {
	texts := map[string]string{"compact-short": compactShort(b)}
	for name, plain := range benchLists() {
		texts[name] = writeJSON(b, plain)
	}
	for name, text := range texts {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				times := benchtest.Medians(benchtest.Rounds,
					func(int) { load(b, text) },
					func(int) {
						var plain plainList
						require.NoError(b, json.Unmarshal([]byte(text), &plain))
					},
				)
				benchtest.Figures(b, map[string]float64{
					"ms/load":    times[0],
					"x-json":     times[0] / times[1],
					"heap/file":  float64(heapOf(b, text)) / float64(len(text)),
					"bytes/file": float64(len(text)),
				})
			}
		})
	}
}

// compactShort returns a list of short hosts without white space, so that hosts are a
// small part of the file.
func compactShort(tb testing.TB) string {
	tb.Helper()
	hosts := make([]string, 200_000)
	for i := range hosts {
		hosts[i] = fmt.Sprintf("%x.io", 0x10000+i)
	}
	text, err := json.Marshal(plainList{Blacklist: hosts})
	require.NoError(tb, err)
	return string(text)
}

// heapOf returns the memory that the list of a file takes. No other test may run at the
// same time. It is the least of three loads, because a thread that the runtime starts
// meanwhile is on the heap too.
func heapOf(tb testing.TB, text string) uint64 {
	tb.Helper()
	least := uint64(math.MaxUint64)
	for range 3 {
		before := benchtest.Heap()
		list := load(tb, text)
		after := benchtest.Heap()
		runtime.KeepAlive(list)
		least = min(least, uint64(max(after-before, 0)))
	}
	return least
}
