//go:build !js

package classify_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWebAssembly runs the tests that hold Classify against tables once more, as
// WebAssembly under Node.
func TestWebAssembly(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("SKIPPED: building for WebAssembly is not short")
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("SKIPPED: there is no node on the PATH, so nothing shows that WebAssembly gives the same answers")
	}
	program := filepath.Join(t.TempDir(), "classify.wasm")
	build := exec.CommandContext(t.Context(), "go", "test", "-c", "-o", program, ".")
	build.Env = append(build.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)

	root, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	require.NoError(t, err)
	runner := filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "go_js_wasm_exec")
	for _, table := range []string{"TestGolden", "TestLawsOnGoldenTable", "TestBrowsersURLs", "TestBrowsersDomains"} {
		t.Run(table, func(t *testing.T) {
			t.Parallel()
			run := exec.CommandContext(t.Context(), runner, program, "-test.run", "^"+table+"$")
			// A WebAssembly program takes an environment of a few kilobytes only.
			run.Env = []string{"PATH=" + os.Getenv("PATH")}
			out, err := run.CombinedOutput()
			require.NoError(t, err, "%s", out)
			require.NotContains(t, string(out), "no tests to run")
		})
	}
}
