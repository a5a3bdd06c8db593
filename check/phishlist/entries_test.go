package phishlist_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check/phishlist"
)

// entriesOf returns the entries of a file as text, and the error that ended them.
func entriesOf(text string) (entries []string, err error) {
	for e, err := range phishlist.Entries(iotest.OneByteReader(strings.NewReader(text)), phishlist.Options{}) {
		if err != nil {
			return entries, err
		}
		kind := "block"
		switch {
		case e.Allowed:
			kind = "allow"
		case e.Fuzzy:
			kind = "fuzzy"
		}
		entries = append(entries, strings.TrimSuffix(fmt.Sprintf("%d %s %s %v", e.Line, kind, e.Host, e.Err), " <nil>"))
	}
	return entries, nil
}

func TestEntries(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		text string
		want []string
	}{
		"both arrays": {
			"{\"whitelist\": [\n\"good.com\",\r\n\"fine.com\"],\n\n\n\"blacklist\": [\"bad.com\", \"good.com\"\n, \"bad.com\"]}",
			[]string{"2 allow good.com", "3 allow fine.com", "6 block bad.com", "6 block good.com", "7 block bad.com"},
		},
		"several lists after a byte order mark": {
			"\ufeff[{\"blocklist\":[\"bad.com\"]},\n{\"fuzzylist\":[\"a b\",\"c.com\"],\"allowlist\":[\n\n\"bad.com\"]}]",
			[]string{"1 block bad.com", "2 fuzzy a b contains a character that is not allowed in a host", "2 fuzzy c.com", "4 allow bad.com"},
		},
		"entries that are not hosts": {
			"{\"blacklist\":[\"\",\n\"a b\",\n\"bad.com\"]}",
			[]string{"1 block  is empty", "2 block a b contains a character that is not allowed in a host", "3 block bad.com"},
		},
		"line breaks without entries": {
			"{\"x\":[1,\n2,\n3],\"blacklist\":[" + strings.Repeat("\n", 9000) + "\"bad.com\"]}",
			[]string{"9003 block bad.com"},
		},
		"no entries": {"{\"whitelist\":null,\"blacklist\":[]}", nil},
	} {
		got, err := entriesOf(c.text)
		require.NoError(t, err, reason)
		require.Equal(t, c.want, got, reason)
	}
}

func TestEntries_Position(t *testing.T) {
	t.Parallel()
	var positions []string
	for e, err := range phishlist.Entries(strings.NewReader(`[{"allowlist":["a.com","b c"]},{"blocklist":["d.com"]}]`), phishlist.Options{}) {
		require.NoError(t, err)
		positions = append(positions, e.Position())
	}
	require.Equal(t, []string{"byte 22 ([0].allowlist[0])", "byte 28 ([0].allowlist[1])", "byte 52 ([1].blocklist[0])"}, positions)
}

func TestEntries_Truncated(t *testing.T) {
	t.Parallel()
	got, err := entriesOf(`{"blacklist":["bad.com", "worse.c`)
	require.Equal(t, []string{"1 block bad.com"}, got)
	require.ErrorIs(t, err, asset.ErrInvalid)
	require.ErrorContains(t, err, "unexpected end of file")
}

func TestEntries_EndOfLoop(t *testing.T) {
	t.Parallel()
	for e, err := range phishlist.Entries(strings.NewReader(`{"blacklist":["bad.com", 1]}`), phishlist.Options{}) {
		require.NoError(t, err)
		require.Equal(t, "bad.com", e.Host)
		break
	}
}

func FuzzEntries(f *testing.F) {
	for _, text := range []string{oneList, threeLists, `[]`, "\ufeff{}", "{\"blacklist\":[\n\"a\",\n\"[::1]\"]}"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		list, loadErr := phishlist.Load(strings.NewReader(text), phishlist.Options{})
		last := 1
		for e, err := range phishlist.Entries(strings.NewReader(text), phishlist.Options{}) {
			if err != nil {
				require.ErrorIs(t, err, asset.ErrInvalid)
				return
			}
			require.GreaterOrEqual(t, e.Line, last)
			require.LessOrEqual(t, e.Line, 1+strings.Count(text, "\n"))
			last = e.Line
			skips := loadErr == nil && list.Warnings().PublicSuffixes > 0
			if !e.Fuzzy && e.Err == nil && loadErr == nil && !skips && !strings.HasSuffix(e.Host, ".") { // Check ignores a trailing dot
				require.NotEqual(t, phishlist.RuleNone, list.Check(e.Host).Rule)
			}
		}
		require.NoError(t, loadErr, "Entries and Load accept the same files")
	})
}
