package main

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/internal/unicode17"
	"github.com/apguard/apguard/internal/unicode17/layout"
)

func writeMapping(t *testing.T, rows string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "mappingTable.json")
	require.NoError(t, os.WriteFile(path, []byte(rows), 0o600))
	return path
}

func TestReadMapping(t *testing.T) {
	t.Parallel()
	got, err := readMapping(writeMapping(t, `[[[0,64],2],[65,1,"a"],[[66,222],7],[223,6,"ss"],[[224,1114111],3]]`))
	require.NoError(t, err)
	require.Equal(t, mappings{
		{0, 64, layout.Valid, ""}, {65, 65, layout.Mapped, "a"}, {66, 222, layout.Ignored, ""}, {223, 223, layout.Valid, ""}, {224, 1114111, layout.Disallowed, ""},
	}, got)
}

func TestReadMapping_errors(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, rows string }{
		{"not JSON", "<html>"},
		{"nothing", "[]"},
		{"a gap", `[[[0,64],2],[[66,1114111],3]]`},
		{"an end too early", `[[[0,64],2]]`},
		{"an unknown status", `[[[0,1114111],9]]`},
		{"a mapping to nothing", `[[[0,1114111],1]]`},
		{"an empty row", `[[]]`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := readMapping(writeMapping(t, test.rows))
			require.Error(t, err)
		})
	}
}

// The properties of table.go are those of the libraries, where they have the same tables.
func TestTable_upToDate(t *testing.T) {
	t.Parallel()
	if checkVersions() != nil {
		t.Skip("SKIPPED: this version of Go has tables of another version of Unicode: set GOTOOLCHAIN to Go 1.27 to run it")
	}
	table, err := os.ReadFile(filepath.Join("..", "table.go"))
	require.NoError(t, err)
	records, texts := decompositions()
	for name, want := range map[string][]byte{
		"decompositionRecords": records, "decompositionTexts": texts, "compositionRecords": compositions(), "lowerRecords": lower(),
	} {
		_, rest, found := strings.Cut(string(table), "\nconst "+name+" = \"\" +\n")
		require.True(t, found, name)
		literal, _, _ := strings.Cut(rest, "\n\n")
		var got strings.Builder
		for line := range strings.Lines(literal) {
			quoted := strings.TrimSuffix(strings.TrimSpace(line), " +")
			for _, escape := range strings.Split(strings.Trim(quoted, `"`), `\x`)[1:] {
				c, err := strconv.ParseUint(escape, 16, 8)
				require.NoError(t, err)
				got.WriteByte(byte(c))
			}
		}
		require.Equal(t, string(want), got.String(), name)
	}
	require.Equal(t, "17.0.0", unicode17.Version)
}

func writeConfusables(t *testing.T, cases string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "confusables.go")
	source := "package confusable\nfunc GetReplacement(input rune) string {\nswitch input {\n" + cases + "\ndefault:\nreturn \"\"\n}\n}\n"
	require.NoError(t, os.WriteFile(path, []byte(source), 0o600))
	return path
}

func TestReadConfusables(t *testing.T) {
	t.Parallel()
	got, err := readConfusables(writeConfusables(t, "case 1072:\nreturn \"a\"\ncase 0x66f, 241:\nreturn \"\\u0e9a\""))
	require.NoError(t, err)
	require.Equal(t, map[rune]string{0x430: "a", 0x66f: "\u0e9a", 0xf1: "\u0e9a"}, got)
}

func TestReadConfusables_errors(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, cases string }{
		{"not Go", "case"},
		{"nothing", ""},
		{"a name", "case x:\nreturn \"a\""},
		{"no code point", "case \"a\":\nreturn \"a\""},
		{"no text", "case 1072:\nreturn 5"},
		{"a call", "case 1072:\nreturn f()"},
		{"no result", "case 1072:\nf()"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := readConfusables(writeConfusables(t, test.cases))
			require.Error(t, err)
		})
	}
}

func TestLookAlikes(t *testing.T) {
	t.Parallel()
	all := mappings{{0, 0x450, layout.Valid, ""}, {0x451, 0x451, layout.Disallowed, ""}, {0x452, 0x10ffff, layout.Valid, ""}}
	records, texts := lookAlikes(map[rune]string{
		'a': "b", 'а': "A", 'е': "a", 'т': "ᴛ", 'з': "ɜ", 'ё': "e", 'ס': "o",
	}, all)
	require.Equal(t, "abdeghjklmnprt", string(slices.Sorted(slices.Values(texts))))
	require.Len(t, records, 6*(len(letterForms)+3))
}
