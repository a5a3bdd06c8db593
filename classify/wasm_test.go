//go:build !js

package classify_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/internal/test/testsize"
)

// TestWebAssembly compiles the tests with expected results to WebAssembly and runs them
// in Node.
func TestWebAssembly(t *testing.T) {
	t.Parallel()
	testsize.OnlyFull(t)
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("SKIPPED: no node on the PATH to run WebAssembly")
	}
	program := filepath.Join(t.TempDir(), "classify.wasm")
	build := exec.CommandContext(t.Context(), "go", "test", "-c", "-o", program, ".")
	build.Env = append(build.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)

	root, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	require.NoError(t, err)
	runner := filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "go_js_wasm_exec")
	for _, table := range []string{"TestClassify_golden", "TestLaws_golden", "TestCovering_golden", "TestParseLink_wpt", "TestParseHost_wpt"} {
		t.Run(table, func(t *testing.T) {
			t.Parallel()
			run := exec.CommandContext(t.Context(), runner, program, "-test.run", "^"+table+"$")
			// Go limits the environment of a WebAssembly program to a few kilobytes.
			run.Env = []string{"PATH=" + os.Getenv("PATH")}
			out, err := run.CombinedOutput()
			require.NoError(t, err, "%s", out)
			require.NotContains(t, string(out), "no tests to run")
		})
	}
}
