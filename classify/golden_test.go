package classify_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

// goldenRow is a row of testdata/golden: a content with its classification or the reason
// to refuse it. Expectations come from the rules, never from the output of Classify.
type goldenRow struct {
	Why       string           `json:"why"`
	Content   string           `json:"content"`
	Type      asset.Type       `json:"type"`
	Canonical string           `json:"canonical"`
	Network   classify.Network `json:"network"`
	Reason    classify.Reason  `json:"reason"`
	// Source is the publication or implementation that the row comes from, unless it
	// follows from the rules.
	Source string `json:"source"`
}

func (row goldenRow) result() classify.Result {
	return classify.Result{
		Identity: asset.Identity{Type: row.Type, Canonical: row.Canonical},
		Network:  row.Network,
		Content:  strings.TrimSpace(row.Content),
	}
}

// goldenRows returns the rows of all files by file name.
func goldenRows(tb testing.TB) map[string][]goldenRow {
	tb.Helper()
	paths, err := filepath.Glob("testdata/golden/*.jsonl")
	require.NoError(tb, err)
	require.NotEmpty(tb, paths)
	rows := map[string][]goldenRow{}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".jsonl")
		rows[name] = readLines[goldenRow](tb, path)
	}
	return rows
}

// readLines reads a file with one JSON object a line.
func readLines[T any](tb testing.TB, path string) []T {
	tb.Helper()
	file, err := os.Open(path)
	require.NoError(tb, err)
	defer func() { require.NoError(tb, file.Close()) }()
	var rows []T
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		decoder := json.NewDecoder(strings.NewReader(lines.Text()))
		decoder.DisallowUnknownFields()
		var row T
		require.NoError(tb, decoder.Decode(&row), lines.Text())
		rows = append(rows, row)
	}
	require.NoError(tb, lines.Err())
	require.NotEmpty(tb, rows, path)
	return rows
}

func TestClassify_golden(t *testing.T) {
	t.Parallel()
	for name, rows := range goldenRows(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, row := range rows {
				t.Run(row.Why, func(t *testing.T) {
					got, err := classify.Classify(row.Content)
					if row.Reason != "" {
						requireRefused(t, row.Reason, err)
						return
					}
					require.NoError(t, err, "%q", row.Content)
					require.Equal(t, row.result(), got, "%q", row.Content)
				})
			}
		})
	}
}
