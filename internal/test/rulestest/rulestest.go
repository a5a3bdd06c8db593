// Package rulestest runs rules/js in Node, for tests that compare it with Go.
package rulestest

import (
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/internal/test/testsize"
)

// Rules are the files that rules.js needs.
type Rules struct {
	// Program is rules.wasm, and Exec is wasm_exec.js.
	Program, Exec string
}

// Build builds the rules as WebAssembly. It skips the test with -short.
func Build(tb testing.TB) Rules {
	tb.Helper()
	testsize.NotShort(tb)
	RequireNode(tb)
	program := filepath.Join(tb.TempDir(), "rules.wasm")
	build := exec.CommandContext(tb.Context(), "go", "build", "-trimpath", "-ldflags=-s -w")
	build.Args = append(build.Args, "-o", program, "./rules/wasm")
	build.Dir = root()
	build.Env = append(build.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := build.CombinedOutput()
	require.NoError(tb, err, "%s", out)
	goroot, err := exec.CommandContext(tb.Context(), "go", "env", "GOROOT").Output()
	require.NoError(tb, err)
	return Rules{Program: program, Exec: filepath.Join(strings.TrimSpace(string(goroot)), "lib", "wasm", "wasm_exec.js")}
}

// RequireNode skips the test if there is no Node.
func RequireNode(tb testing.TB) {
	tb.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		tb.Skip("SKIPPED: no node on the PATH to run JavaScript")
	}
}

// root returns the folder of the module.
func root() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "..", "..")
}
