package main

import (
	"database/sql"
	"errors"
	"net"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"
)

// TestMain makes the program the command apguard of tests and scripts, whose processes run the test binary.
func TestMain(m *testing.M) {
	// With the race detector, a process otherwise waits for a second before it ends.
	if err := os.Setenv("GORACE", os.Getenv("GORACE")+" atexit_sleep_ms=10"); err != nil {
		panic(err)
	}
	testscript.Main(m, map[string]func(){"apguard": func() {
		serveHeapSize(os.Getenv(childHeap))
		main()
	}})
}

// subprocess returns a command that runs the program as a separate process.
func subprocess(tb testing.TB, args ...string) *exec.Cmd {
	tb.Helper()
	cmd := exec.CommandContext(tb.Context(), "apguard", args...)
	cmd.Env = os.Environ()
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

// TestScript runs the scripts of testdata/script on SQLite. A script without -db works on the file apguard.db in
// its directory. The commands that package testscript does not have are declared below.
func TestScript(t *testing.T) {
	t.Parallel()
	testscript.Run(t, scripts(nil))
}

// The scripts that need no file as their database run on PostgreSQL too.
func TestScript_Postgres(t *testing.T) {
	t.Parallel()
	p := scripts(func(env *testscript.Env) { env.Setenv(variableDB, postgresSchema(env.T().(testing.TB))) })
	p.Dir = ""
	for _, name := range []string{"audit", "keys", "organizations", "users"} {
		p.Files = append(p.Files, "testdata/script/"+name+".txtar")
	}
	testscript.Run(t, p)
}

// scriptTest is the key of the test of a script among its values.
type scriptTest struct{}

// scripts returns the parameters of the scripts. Their variables MINUTE and TIME are patterns for the
// times in tables. ESC, NL and NOT_UTF8 are characters that a script cannot contain.
func scripts(setUp func(*testscript.Env)) testscript.Params {
	return testscript.Params{
		Dir:                "testdata/script",
		RequireUniqueNames: true,
		Setup: func(env *testscript.Env) error {
			env.Values[scriptTest{}] = env.T()
			env.Vars = append(env.Vars, "MINUTE="+minutePattern, "TIME="+timePattern, "ESC=\x1b", "NL=\n", "NOT_UTF8=\xff")
			if setUp != nil {
				setUp(env)
			}
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"capture": scriptCapture,
			"exits":   scriptExits,
			"serve":   scriptServe("serve"),
			"demo":    scriptServe("demo", "-operator", "127.0.0.1:0"),
			"sql":     scriptSQL,
			"taken":   scriptTaken,
		},
	}
}

func scriptTB(ts *testscript.TestScript) testing.TB { return ts.Value(scriptTest{}).(testing.TB) }

// scriptExits is the command "exits STATUS PATTERN COMMAND...". The command must exit with the status and an error that
// matches the pattern. There must be no output before the error, except that of a negative result. No output may contain
// the words secret and sesame, which scripts use for what must not be shown.
func scriptExits(ts *testscript.TestScript, _ bool, args []string) {
	var exit *exec.ExitError
	if err := ts.Exec(args[2], args[3:]...); !errors.As(err, &exit) || strconv.Itoa(exit.ExitCode()) != args[0] {
		ts.Fatalf("the command ends with %v", err)
	}
	output := ts.ReadFile("stdout") + ts.ReadFile("stderr")
	message := regexp.MustCompile(`(?m)^apguard: (?s:.+)\n`).FindString(output)
	switch {
	case !regexp.MustCompile(args[1]).MatchString(strings.TrimSuffix(message, "\n")):
		ts.Fatalf("the error does not match %s", args[1])
	case message != output && exit.ExitCode() != exitNegative:
		ts.Fatalf("there is output before the error")
	case strings.Contains(output, "secret") || strings.Contains(output, "sesame"):
		ts.Fatalf("a secret is shown")
	}
}

// scriptServe returns a command that starts a server on a free port, and stops it when it listens.
func scriptServe(command string, flags ...string) func(*testscript.TestScript, bool, []string) {
	return func(ts *testscript.TestScript, _ bool, args []string) {
		cmd := subprocess(scriptTB(ts), onFreePort(command, append(flags, args...))...)
		cmd.Dir, cmd.Stderr = ts.MkAbs("."), ts.Stderr()
		if db := ts.Getenv(variableDB); db != "" {
			cmd.Env = append(cmd.Env, variableDB+"="+db)
		}
		s, process := startProgram(scriptTB(ts), cmd)
		ts.Check(process.Signal(syscall.SIGTERM))
		ts.Check(s.stop())
		_, err := ts.Stdout().Write([]byte(s.printed))
		ts.Check(err)
	}
}

// scriptCapture is the command "capture NAME FILE PATTERN". It sets a variable to the group of the pattern that
// matches the file, or stdout or stderr.
func scriptCapture(ts *testscript.TestScript, _ bool, args []string) {
	match := regexp.MustCompile(args[2]).FindStringSubmatch(ts.ReadFile(args[1]))
	if match == nil {
		ts.Fatalf("no match for %s", args[2])
	}
	ts.Setenv(args[0], match[1])
}

// scriptTaken is the command "taken NAME". It sets a variable to an address that is in use until the end of the script.
func scriptTaken(ts *testscript.TestScript, _ bool, args []string) {
	listener, err := new(net.ListenConfig).Listen(scriptTB(ts).Context(), "tcp", "127.0.0.1:0")
	ts.Check(err)
	ts.Defer(func() { _ = listener.Close() })
	ts.Setenv(args[0], listener.Addr().String())
}

// openFilePool opens a SQLite database without a store.
func openFilePool(path string) (*sql.DB, error) { return openPool(path, sqliteSettings) }

// scriptSQL is the command "sql STATEMENT [VALUE]", on the file apguard.db. A query must return the value.
func scriptSQL(ts *testscript.TestScript, _ bool, args []string) {
	pool, err := openFilePool(ts.MkAbs(defaultDB))
	ts.Check(err)
	defer func() { ts.Check(pool.Close()) }()
	ctx := scriptTB(ts).Context()
	if len(args) == 1 {
		_, err = pool.ExecContext(ctx, args[0])
		ts.Check(err)
		return
	}
	var value string
	ts.Check(pool.QueryRowContext(ctx, args[0]).Scan(&value))
	if value != args[1] {
		ts.Fatalf("the value is %s", value)
	}
}
