package lists_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/lists"
)

// A list in another format than the one that is read sets nothing but what is a host or link.
func TestRead_OtherFormats(t *testing.T) {
	t.Parallel()
	texts := samples()
	files, err := filepath.Glob("testdata/samples/*")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		texts[lists.Format(file)] = string(text)
	}
	for of, text := range texts {
		for _, format := range lists.Readable() {
			for e, err := range lists.Read(strings.NewReader(text), format, lists.ReadOptions{}) {
				if err != nil {
					require.ErrorIs(t, err, asset.ErrInvalid, "%s as %s", of, format)
					break
				}
				if e.Err != nil {
					continue
				}
				_, ok := classify.Host(e.Identity)
				require.True(t, ok, "%s as %s: %s", of, format, e.Identity.Canonical)
			}
		}
	}
}

// Lists in the style of those that others publish.
func TestRead_Samples(t *testing.T) {
	t.Parallel()
	for file, c := range map[string]struct {
		format         lists.Format
		taken, refused int
	}{
		"urlhaus.csv":   {lists.CSV, 2, 0},
		"phishtank.csv": {lists.CSV, 1, 1},
		"hosts.txt":     {lists.Hosts, 2, 0},
		"domains.txt":   {lists.Domains, 2, 0},
		"warninglist":   {lists.Lines, 2, 0},
		"filter.txt":    {lists.AdBlock, 3, 3},
		"blocked.zone":  {lists.RPZ, 3, 2},
	} {
		text, err := os.ReadFile(filepath.Join("testdata", "samples", file))
		require.NoError(t, err)
		taken, refused := 0, 0
		for e, err := range lists.Read(strings.NewReader(string(text)), c.format, lists.ReadOptions{}) {
			require.NoError(t, err, file)
			if e.Err != nil {
				t.Logf("%s: line %d: %v", file, e.Line, e.Err)
				refused++
			} else {
				taken++
			}
		}
		require.Equal(t, [2]int{c.taken, c.refused}, [2]int{taken, refused}, file)
	}
}
