package apguard_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Workflows use actions by digest, with one digest for each version, and have no rights but those that a job names.
func TestWorkflows(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(".github/workflows/*.yml")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	uses := regexp.MustCompile(`(?m)\buses: *(.*)$`)
	pinned := regexp.MustCompile(`^([\w-]+/[\w-]+)(?:/[\w-]+)*@([0-9a-f]{40}) # (v\d+\.\d+\.\d+)$`)
	digests := map[string]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Contains(t, string(text), "\npermissions:\n  contents: read\njobs:\n", file)
		require.NotContains(t, string(text), "pull_request_target", file)
		for _, match := range uses.FindAllStringSubmatch(string(text), -1) {
			action := pinned.FindStringSubmatch(match[1])
			require.NotNil(t, action, "%s: %s is not pinned by digest, with its version", file, match[1])
			version := action[1] + " " + action[3]
			require.Contains(t, []string{"", action[2]}, digests[version], "%s: another digest of %s", file, version)
			digests[version] = action[2]
		}
		require.Equal(t, strings.Count(string(text), "actions/checkout@"), strings.Count(string(text), "persist-credentials: false"),
			"%s: a checkout leaves its token in the folder", file)
	}
}
