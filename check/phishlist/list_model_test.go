package phishlist_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/check/phishlist"
	"github.com/apguard/apguard/internal/suffix"
)

// modelCheck is a direct implementation of the rules in the package documentation.
func modelCheck(lists []plainList, host string) phishlist.Verdict {
	host = strings.TrimSuffix(host, ".")
	for _, l := range lists {
		if match, ok := modelCover(l.Allowlist, host); ok {
			return allowed(match, l.Name)
		}
	}
	for _, l := range lists {
		blocklist := slices.DeleteFunc(slices.Clone(l.Blocklist), func(entry string) bool {
			icann, _ := suffix.Find(entry)
			return icann == entry // such as bb, of Barbados
		})
		if match, ok := modelCover(blocklist, host); ok {
			return blocked(match, l.Name)
		}
		if l.Tolerance == 0 {
			continue
		}
		name := modelUnits(strings.Replace(modelName(host), "www.", "", 1))
		for _, target := range l.Fuzzylist {
			if modelDistance(name, modelUnits(modelName(target))) <= l.Tolerance {
				return fuzzy(target, l.Name)
			}
		}
	}
	return none
}

func modelCover(entries []string, host string) (string, bool) {
	for _, entry := range entries {
		if host == entry || strings.HasSuffix(host, "."+entry) {
			return entry, true
		}
	}
	return "", false
}

func modelName(host string) string {
	labels := strings.Split(host, ".")
	return strings.Join(labels[:len(labels)-1], ".")
}

func modelUnits(text string) []uint16 { return utf16.Encode([]rune(text)) }

// modelDistance computes the Levenshtein distance with the whole table.
func modelDistance(a, b []uint16) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j := range b {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal, row[j+1] = row[j+1], min(cost, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}

// drawHost draws a text of a few letters, so that hosts often match entries, with dots and
// "www." in unusual places.
func drawHost(t *rapid.T, what string) string {
	pieces := rapid.SampledFrom([]string{
		"a", "a", "b", "ab", ".", ".", ".a", "..", "www.", "ww", "\u00fc", "\U0001f600", "\U0001f601", "\u732b", "-", "abababab",
	})
	return strings.Join(rapid.SliceOfN(pieces, 0, 9).Draw(t, what), "")
}

func drawEntries(t *rapid.T, what string, most int) []string {
	entry := rapid.Custom(func(t *rapid.T) string { return drawHost(t, "entry") }).Filter(func(s string) bool { return s != "" })
	return rapid.SliceOfN(entry, 0, most).Draw(t, what)
}

func TestList_Check_EqualsModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		lists := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) plainList {
			return plainList{
				Name:      rapid.SampledFrom([]string{"", "one", "two"}).Draw(t, "name"),
				Tolerance: rapid.IntRange(0, phishlist.MaxTolerance).Draw(t, "tolerance") * rapid.IntRange(0, 1).Draw(t, "tolerant") / 3,
				Fuzzylist: drawEntries(t, "fuzzylist", 3),
				Allowlist: drawEntries(t, "allowlist", 2),
				Blocklist: drawEntries(t, "blocklist", 5),
			}
		}), 1, 3).Draw(t, "lists")
		text, err := json.Marshal(lists)
		require.NoError(t, err)
		list, err := phishlist.Load(strings.NewReader(string(text)), phishlist.Options{})
		require.NoError(t, err)
		require.Zero(t, list.Warnings().InvalidHosts)
		for range 8 {
			host := drawHost(t, "host")
			require.Equal(t, modelCheck(lists, host), list.Check(host), "%q", host)
		}
	})
}

// TestList_Check_EqualsModelForSimilarNames draws names that are a few edits from a target,
// and all tolerances.
func TestList_Check_EqualsModelForSimilarNames(t *testing.T) {
	t.Parallel()
	letters := rapid.StringOfN(rapid.SampledFrom([]rune("abcw-\u00fc\U0001f600\U0001f601")), 0, 60, 240)
	rapid.Check(t, func(t *rapid.T) {
		tolerance := rapid.IntRange(0, phishlist.MaxTolerance).Draw(t, "tolerance")
		target := letters.Draw(t, "target")
		name := []rune(target)
		for range rapid.IntRange(0, tolerance+3).Draw(t, "edits") {
			at := rapid.IntRange(0, len(name)).Draw(t, "at")
			cut := rapid.IntRange(0, min(1, len(name)-at)).Draw(t, "cut")
			piece := []rune(rapid.SampledFrom([]string{"", "a", "x", "\U0001f602"}).Draw(t, "piece"))
			name = append(name[:at:at], append(piece, name[at+cut:]...)...)
		}
		lists := []plainList{{Tolerance: tolerance, Fuzzylist: []string{target + ".x"}}}
		text, err := json.Marshal(lists)
		require.NoError(t, err)
		list, err := phishlist.Load(strings.NewReader(string(text)), phishlist.Options{})
		require.NoError(t, err)
		host := string(name) + ".y"
		require.Equal(t, modelCheck(lists, host), list.Check(host), "%q", host)
	})
}

// TestList_Check_EqualsModelForManyTargets draws so many targets that several are similar.
func TestList_Check_EqualsModelForManyTargets(t *testing.T) {
	t.Parallel()
	word := rapid.StringOfN(rapid.SampledFrom([]rune("abcde")), 1, 8, -1)
	rapid.Check(t, func(t *rapid.T) {
		targets := rapid.SliceOfN(word, 1, 60).Draw(t, "targets")
		for i := range targets {
			targets[i] += ".x"
		}
		lists := []plainList{{Tolerance: rapid.IntRange(0, 3).Draw(t, "tolerance"), Fuzzylist: targets}}
		text, err := json.Marshal(lists)
		require.NoError(t, err)
		list, err := phishlist.Load(strings.NewReader(string(text)), phishlist.Options{})
		require.NoError(t, err)
		host := word.Draw(t, "name") + ".y"
		require.Equal(t, modelCheck(lists, host), list.Check(host), "%q", host)
	})
}
