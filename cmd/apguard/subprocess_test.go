package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// childArgs is the environment variable that makes the test binary run the program, as a
// process that can be killed. It contains the arguments, one on each line.
const childArgs = "APGUARD_TEST_SERVER_ARGS"

func TestMain(m *testing.M) {
	if args, ok := os.LookupEnv(childArgs); ok {
		serveHeapSize(os.Getenv(childHeap))
		os.Args = append(os.Args[:1], strings.Split(args, "\n")...)
		main()
		return
	}
	os.Exit(m.Run())
}

// subprocess returns a command that runs the program as a separate process.
func subprocess(tb testing.TB, args ...string) *exec.Cmd {
	tb.Helper()
	cmd := exec.CommandContext(tb.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), childArgs+"="+strings.Join(args, "\n"))
	return cmd
}

// startProcess serves on a free port as a separate process.
func startProcess(t *testing.T, args ...string) (server, *os.Process) {
	t.Helper()
	cmd := subprocess(t, onFreePort("serve", args)...)
	cmd.Stderr = t.Output()
	return startProgram(t, cmd)
}

// startProgram starts a server as a command and waits until it listens.
func startProgram(tb testing.TB, cmd *exec.Cmd) (server, *os.Process) {
	tb.Helper()
	out, err := cmd.StdoutPipe()
	require.NoError(tb, err)
	require.NoError(tb, cmd.Start())
	printed, url := readUntilListening(tb, out)
	return server{url: url, printed: printed, stop: cmd.Wait}, cmd.Process
}
