package sqlite_test

import (
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The test binary starts itself again as another process: the role says what to
// do there, with the database at the path.
const (
	roleVariable = "APGUARD_TEST_ROLE"
	pathVariable = "APGUARD_TEST_PATH"
)

// role is what a process does with the database at the path. It returns the line
// that the process writes at its end.
type role func(path string) string

// succeeded is what a process writes when nothing went wrong.
const succeeded = "ok"

func roles() map[string]role {
	all := map[string]role{"migrate": migrateOnSignal}
	maps.Copy(all, rolesOfOpen())
	return all
}

func TestMain(m *testing.M) {
	name := os.Getenv(roleVariable)
	if name == "" {
		os.Exit(m.Run())
	}
	tell(roles()[name](os.Getenv(pathVariable)))
}

// tell writes a line for the process that started this one.
func tell(line string) {
	_, _ = fmt.Fprintln(os.Stdout, line)
}

// said returns the line that says what became of an attempt.
func said(err error) string {
	if err != nil {
		return err.Error()
	}
	return succeeded
}

// awaitSignal waits until standard input ends.
func awaitSignal() {
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// process prepares a process with the role.
func process(t *testing.T, role, path string) *exec.Cmd {
	t.Helper()
	executable, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), executable)
	cmd.Env = append(os.Environ(), roleVariable+"="+role, pathVariable+"="+path)
	cmd.Stderr = os.Stderr
	return cmd
}

// processesTogether starts n processes with the role, which awaits the signal, and
// gives it to all of them at the same moment. Each must succeed.
func processesTogether(t *testing.T, n int, role, path string) {
	t.Helper()
	started := make([]struct {
		*exec.Cmd
		signal io.Closer
		output strings.Builder
	}, n)
	for i := range started {
		p := &started[i]
		p.Cmd = process(t, role, path)
		p.Stdout = &p.output
		var err error
		p.signal, err = p.StdinPipe()
		require.NoError(t, err)
		require.NoError(t, p.Start())
	}
	for i := range started {
		require.NoError(t, started[i].signal.Close())
	}
	for i := range started {
		require.NoError(t, started[i].Wait())
		require.Equal(t, succeeded+"\n", started[i].output.String())
	}
}

// together makes n calls at once, each of which must succeed.
func together(t *testing.T, n int, call func(i int) error) {
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
