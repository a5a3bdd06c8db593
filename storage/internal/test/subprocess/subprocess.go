// Package subprocess runs tests in several processes. The test binary starts itself
// again, with an environment variable that names a task.
package subprocess

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	taskVariable     = "APGUARD_TEST_TASK"
	databaseVariable = "APGUARD_TEST_DATABASE"
)

// OK is the line that a successful task prints.
const OK = "ok"

// Task works on a database, given by its path or connection string. It returns the
// last line that the process prints.
type Task func(database string) string

// Main runs the tests, or the task that the environment names. TestMain calls it.
func Main(m *testing.M, tasks map[string]Task) {
	name := os.Getenv(taskVariable)
	if name == "" {
		os.Exit(m.Run())
	}
	flag.Parse()
	Print(tasks[name](os.Getenv(databaseVariable)))
}

// Print prints a line for the process that started this one.
func Print(line string) {
	_, _ = fmt.Fprintln(os.Stdout, line)
}

// Result returns the last line of a task that ends with err.
func Result(err error) string {
	if err != nil {
		return err.Error()
	}
	return OK
}

// AwaitStart waits until the test closes standard input.
func AwaitStart() {
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// Command prepares a process for the task.
func Command(t *testing.T, task, database string) *exec.Cmd {
	t.Helper()
	executable, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), executable, "-test.short="+strconv.FormatBool(testing.Short())) //nolint:gosec // the test binary itself
	cmd.Env = append(os.Environ(), taskVariable+"="+task, databaseVariable+"="+database)
	cmd.Stderr = os.Stderr
	return cmd
}

// RunTogether starts n processes for a task that calls AwaitStart, and then lets all
// of them continue at the same time. Each must succeed.
func RunTogether(t *testing.T, n int, task, database string) {
	t.Helper()
	processes := make([]struct {
		*exec.Cmd
		start  io.Closer
		output strings.Builder
	}, n)
	for i := range processes {
		p := &processes[i]
		p.Cmd = Command(t, task, database)
		p.Stdout = &p.output
		var err error
		p.start, err = p.StdinPipe()
		require.NoError(t, err)
		require.NoError(t, p.Start())
	}
	for i := range processes {
		require.NoError(t, processes[i].start.Close())
	}
	for i := range processes {
		require.NoError(t, processes[i].Wait())
		require.Equal(t, OK+"\n", processes[i].output.String())
	}
}

// CallTogether makes n calls at the same time, in goroutines. Each must succeed.
func CallTogether(t *testing.T, n int, call func(i int) error) {
	t.Helper()
	start, done := make(chan struct{}), make(chan error)
	for i := range n {
		go func() {
			<-start
			done <- call(i)
		}()
	}
	close(start)
	for range n {
		require.NoError(t, <-done)
	}
}
