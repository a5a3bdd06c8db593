package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "a.db")
	require.NoError(t, start(t, "-db", db, "-seed", writeFile(t, seed)).stop())
	contents := []string{"http://bad.example/x", "https://good.example", "no asset"}

	printed, _, err := runProgram(t, noVariables, append([]string{"check", "-db", db}, contents...)...)
	require.ErrorIs(t, err, errBlocked)
	require.Equal(t, `STATUS   DECIDED BY                                                          CONTENT
BLOCKED  URL https://bad.example                                             http://bad.example/x
UNKNOWN  -                                                                   https://good.example
-        "inner white space, control character or invisible direction mark"  "no asset"
`, printed)

	printed, _, err = runProgram(t, noVariables, append([]string{"check", "-json", "-db", db}, contents[:2]...)...)
	require.ErrorIs(t, err, errBlocked)
	lines := strings.Split(printed, "\n")
	require.Len(t, lines, 3)
	require.JSONEq(t, `{"content":"http://bad.example/x","type":"URL","canonical":"http://bad.example/x","status":"BLOCKED","source":"ASSET",
		"match":{"kind":"URL","assetId":1,"type":"URL","content":"https://bad.example","status":"BLOCKED"}}`, lines[0])
	require.JSONEq(t, `{"content":"https://good.example","type":"URL","canonical":"https://good.example","status":"UNKNOWN","source":"NONE"}`, lines[1])
	require.Empty(t, lines[2])

	for reason, args := range map[string][]string{
		"no content":     {"-db", db},
		"another flag":   {"-db", db, "-format", "json", "a.com"},
		"a memory store": {"-db", "memory", "a.com"},
		"too many":       append([]string{"-db", db}, make([]string, 1001)...),
		"no such file":   {"-db", db + "x", "a.com"},
	} {
		_, _, err := runProgram(t, noVariables, append([]string{"check"}, args...)...)
		require.ErrorAs(t, err, new(usageError), reason)
	}
}
