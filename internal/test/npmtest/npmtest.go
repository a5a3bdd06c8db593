// Package npmtest runs programs in Node that use npm packages.
package npmtest

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Command returns the command that runs a script in Node. The environment variable names a folder in
// which the npm packages are installed that the package.json beside the script lists. Without the
// variable, it skips the test. What the program writes to its standard error is in the log of the test.
func Command(tb testing.TB, variable, script string, args ...string) *exec.Cmd {
	tb.Helper()
	packages := os.Getenv(variable)
	if packages == "" {
		tb.Skipf("NOT RUN: set %s to a folder in which the npm packages of %s are installed, as .ci/run does", variable, filepath.Dir(script))
	}
	node := exec.CommandContext(tb.Context(), "node")
	node.Args = append(append(node.Args, script), args...)
	node.Env = append(node.Environ(), "NODE_PATH="+filepath.Join(packages, "node_modules"))
	node.Stderr = tb.Output()
	return node
}

// Start starts a command, and returns its standard input and output. The command must end when its
// input does, which is at the end of the test.
func Start(tb testing.TB, command *exec.Cmd) (in io.Writer, out io.Reader) {
	tb.Helper()
	input, err := command.StdinPipe()
	require.NoError(tb, err)
	out, err = command.StdoutPipe()
	require.NoError(tb, err)
	require.NoError(tb, command.Start())
	tb.Cleanup(func() {
		_ = input.Close()
		_ = command.Wait()
	})
	return input, out
}
