package main

import (
	"os"
	"path/filepath"
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
