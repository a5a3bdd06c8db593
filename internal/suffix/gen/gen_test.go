package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/internal/suffix/layout"
)

const (
	begin        = "// ===BEGIN ICANN DOMAINS===\n"
	end          = "// ===END ICANN DOMAINS===\n"
	beginPrivate = "// ===BEGIN PRIVATE DOMAINS===\n"
	endPrivate   = "// ===END PRIVATE DOMAINS===\n"
)

func TestParse(t *testing.T) {
	t.Parallel()
	got, err := parse([]byte("// VERSION: 2026-01-02_03-04-05_UTC\n// COMMIT: abc\n\nbefore\n" +
		begin + "// uk\r\nuk the United Kingdom\r\n  co.uk\n\n!www.ck\n*.ck\n\u516c\u53f8.cn\ncn\n" +
		end + beginPrivate + "// GitHub\ngithub.io\n*.compute.amazonaws.com\n" + endPrivate + "after.example\n"))
	require.NoError(t, err)
	require.Equal(t, list{
		version: []string{"// VERSION: 2026-01-02_03-04-05_UTC", "// COMMIT: abc"},
		icann:   []string{"*.ck", "!www.ck", "cn", "xn--55qx5d.cn", "uk", "co.uk"},
		private: []string{"*.compute.amazonaws.com", "github.io"},
	}, got)
}

func TestParse_errors(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, list, message string }{
		{"an empty file", "", "incomplete section"},
		{"a section without an end", begin + "uk\n", "incomplete section"},
		{"a section without a begin", "uk\n" + end, "incomplete section"},
		{"no private section", begin + "uk\n" + end, "incomplete section of PRIVATE domains"},
		{"the private section first", beginPrivate + "github.io\n" + endPrivate + begin + "uk\n" + end, "incomplete section of PRIVATE"},
		{"the same rule twice", begin + "uk\nco.uk\nuk\n" + end + beginPrivate + endPrivate, `duplicate rule "uk"`},
		{"the same private rule twice", begin + end + beginPrivate + "github.io\ngithub.io\n" + endPrivate, `duplicate rule "github.io"`},
		{"an empty label", begin + "co..uk\n" + end, "line 2"},
		{"a trailing dot", begin + "co.uk.\n" + end, "line 2"},
		{"a wildcard without a name", begin + "*.\n" + end, "line 2"},
		{"a wildcard alone", begin + "*\n" + end, "line 2"},
		{"a wildcard in the middle", begin + "a.*.uk\n" + end, "line 2"},
		{"an exception of one label", begin + "!uk\n" + end, "line 2"},
		{"an exception to an exception", begin + "!!a.uk\n" + end, "line 2"},
		{"the quote of the table's string literal", begin + "a`b.uk\n" + end, "line 2"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := parse([]byte(test.list))
			require.ErrorContains(t, err, test.message)
		})
	}
}

// Names of one bucket rarely collide, so the test builds several tables.
func TestNewTable(t *testing.T) {
	t.Parallel()
	for n := range 10 {
		rules := make([]string, layout.Slots*3/4)
		for i := range rules {
			rules[i] = fmt.Sprintf("table%d-label%d", n, i)
		}
		first, second := len(rules)/3, len(rules)/2 // the names between them are in both sections
		table, err := newTable(rules[:second], rules[first:])
		require.NoError(t, err)
		text := table.icann + table.private
		for i, rule := range rules {
			hash := hashOf(rule)
			entry := table.slots[hash.Slot(table.seeds[hash.Seed()])]
			require.Equal(t, rule, entry.Name(text))
			require.Equal(t, i < second, entry.Has(layout.Rule))
			require.Equal(t, i >= first, entry.Has(layout.PrivateRule))
		}
	}
}

func TestNewTable_errors(t *testing.T) {
	t.Parallel()
	tooMany := make([]string, layout.Slots+1)
	for i := range tooMany {
		tooMany[i] = fmt.Sprintf("label%d", i)
	}
	_, err := newTable(tooMany, nil)
	require.ErrorContains(t, err, "more seeds or slots")

	_, err = newTable(nil, []string{strings.Repeat("a", layout.MaxLength+1)})
	require.ErrorContains(t, err, "does not fit")

	tooLong := make([]string, layout.MaxOffset/layout.MaxLength+2)
	for i := range tooLong {
		tooLong[i] = fmt.Sprintf("%0*d", layout.MaxLength, i)
	}
	_, err = newTable(tooLong, nil)
	require.ErrorContains(t, err, "does not fit")
}

// The rules in table.go determine the rest of it.
func TestTable_upToDate(t *testing.T) {
	t.Parallel()
	want, err := os.ReadFile(filepath.Join("..", "table.go"))
	require.NoError(t, err)
	parts := strings.Split(string(want), "`")
	require.Len(t, parts, 5)

	table, err := newTable(strings.Fields(parts[1]), strings.Fields(parts[3]))
	require.NoError(t, err)
	var got bytes.Buffer
	table.write(&got)
	require.True(t, strings.HasSuffix(string(want), got.String()))
}

func TestRun(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	input, output := filepath.Join(dir, "list.dat"), filepath.Join(dir, "table.go")
	require.ErrorIs(t, run(input, "a test", output), os.ErrNotExist)

	require.NoError(t, os.WriteFile(input, []byte("// VERSION: 1\n"+begin+"uk\n"+end+beginPrivate+"uk.com\n"+endPrivate), 0o600))
	require.NoError(t, run(input, "a test", output))
	got, err := os.ReadFile(output)
	require.NoError(t, err)
	header, table, ok := strings.Cut(string(got), "\npackage suffix\n")
	require.True(t, ok)
	require.Regexp(t, `^// Code generated .* DO NOT EDIT\.\n`, header)
	require.Contains(t, header, "https://mozilla.org/MPL/2.0/")
	require.Contains(t, header, "// Taken from: a test\n")
	require.Contains(t, header, "// VERSION: 1\n")
	require.Contains(t, table, "`uk\n`")
	require.Contains(t, table, "`uk.com\n`")
}
