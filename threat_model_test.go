package apguard_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Each row of a table of THREAT-MODEL.md names a file with the answer, and a test or a file of tests. All that the
// page names exist.
func TestThreatModel(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("THREAT-MODEL.md")
	require.NoError(t, err)
	tests := testFunctions(t)
	code := regexp.MustCompile("`([^`\n]+)`|\\]\\(([^)#]+)(?:#[^)]*)?\\)")
	test := regexp.MustCompile(`^(Test|Fuzz)[A-Z]\w*$`)
	file := regexp.MustCompile(`^\.?[\w.-]+(/[\w.-]+)+$|^[\w.-]+\.(go|md|mod)$`)
	named := func(text string) (files, functions int) {
		for _, match := range code.FindAllStringSubmatch(text, -1) {
			name := match[1] + match[2]
			switch {
			case test.MatchString(name):
				require.True(t, tests[name], "no test %s", name)
				functions++
			case file.MatchString(name):
				_, err := os.Stat(filepath.FromSlash(name))
				require.NoError(t, err)
				files++
			}
		}
		return files, functions
	}
	rows := 0
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| tries to ") {
			named(line)
			continue
		}
		cells := strings.Split(line, "|")
		require.Len(t, cells, 5, line)
		rows++
		files, _ := named(cells[2])
		require.NotZero(t, files, "no file answers: %s", line)
		pages, functions := named(cells[3])
		require.NotZero(t, pages+functions, "no test shows: %s", line)
	}
	require.Greater(t, rows, 40)
}

// testFunctions returns the names of all tests and fuzz targets of the repository.
func testFunctions(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	function := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	require.NoError(t, filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (strings.HasPrefix(entry.Name(), ".") && path != "." || entry.Name() == "node_modules" || path == "dist") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		for _, match := range function.FindAllSubmatch(text, -1) {
			names[string(match[1])] = true
		}
		return err
	}))
	return names
}
