package phishlist_test

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/dispute/phishlist"
)

const (
	// listVariable names the environment variable with the path of a real list: the
	// config.json of eth-phishing-detect.
	listVariable = "APGUARD_TEST_PHISHLIST"
	// listBeside is where the list is looked for without it, beside the repository.
	listBeside = "../../../shared/data/eth-phishing-detect/config.json"
)

// sharedList returns the text of a real list.
func sharedList(tb testing.TB) string {
	tb.Helper()
	path, given := os.LookupEnv(listVariable)
	if !given {
		path = listBeside
	}
	text, err := os.ReadFile(path)
	if err != nil && !given {
		tb.Skipf("NOT RUN, for want of a list: set %s to the path of a config.json of "+
			"https://github.com/MetaMask/eth-phishing-detect (%v)", listVariable, err)
	}
	require.NoError(tb, err)
	return string(text)
}

// plainList is a list as encoding/json reads it, of either format.
type plainList struct {
	Name      string   `json:"name,omitempty"`
	Tolerance int      `json:"tolerance"`
	Fuzzylist []string `json:"fuzzylist"`
	Whitelist []string `json:"whitelist,omitempty"`
	Blacklist []string `json:"blacklist,omitempty"`
	Allowlist []string `json:"allowlist,omitempty"`
	Blocklist []string `json:"blocklist,omitempty"`
}

// writeJSON writes a value as the lists are published.
func writeJSON(tb testing.TB, value any) string {
	tb.Helper()
	text, err := json.MarshalIndent(value, "", "  ")
	require.NoError(tb, err)
	return string(text)
}

func load(tb testing.TB, text string) *phishlist.List {
	tb.Helper()
	list, err := phishlist.Load(strings.NewReader(text))
	require.NoError(tb, err)
	return list
}

// madeUp returns that many hosts, all different, which look like those of a real list.
func madeUp(n int) []string {
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

// raceDetector reports whether the test was built with -race.
func raceDetector() bool {
	info, _ := debug.ReadBuildInfo()
	return slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}
