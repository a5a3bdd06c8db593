package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/urfave/cli/v3"
)

// The error is on one line, says what to change, and does not show a value that can be a secret.
func TestProgram_UsageError(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		args []string
		want string
	}{
		"an unknown flag":                   {[]string{"serve", "-port", "80"}, "serve: flag provided but not defined: -port; did you mean -operator?"},
		"a flag with a typing error":        {[]string{"serve", "-refuse-blockd"}, "serve: flag provided but not defined: -refuse-blockd; did you mean -refuse-blocked?"},
		"a flag without a value":            {[]string{"serve", "-addr"}, "serve: flag needs an argument: -addr"},
		"a flag of a command below":         {[]string{"keys", "create", "-scope", "all"}, "keys create: flag provided but not defined: -scope; did you mean -scopes?"},
		"a command with a typing error":     {[]string{"exprot"}, "unknown command; did you mean export?"},
		"a command below with one":          {[]string{"keys", "creat"}, "keys: unknown command; did you mean create?"},
		"a flag before the command":         {[]string{"-addr", "127.0.0.1:0", "serve"}, "flag provided but not defined: -addr; did you mean -version?"},
		"a key instead of a command":        {[]string{"apg_secret"}, "unknown command; did you mean serve?"},
		"a shell without completion":        {[]string{"completion", "csh"}, "completion: unknown command; did you mean zsh?"},
		"a completion with an unknown flag": {[]string{"completion", "bash", "-x"}, "completion bash: flag provided but not defined: -x"},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			stdout, stderr, err := runProgram(t, noVariables, c.args...)
			require.EqualError(t, err, c.want)
			require.ErrorAs(t, err, new(usageError))
			require.Empty(t, stdout+stderr, "main prints the error")
		})
	}
}

// A command without the one below it prints the help where it does not end up in a pipe.
func TestProgram_MissingCommand(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{nil, {"keys"}} {
		stdout, stderr, err := runProgram(t, noVariables, args...)
		require.ErrorContains(t, err, "missing command")
		require.ErrorAs(t, err, new(usageError))
		require.Empty(t, stdout)
		require.Contains(t, stderr, "COMMANDS:")
	}
}

// Each command describes itself, by its flag and by the command help.
func TestProgram_Help(t *testing.T) {
	t.Parallel()
	each(program{}.command(), func(path []string, c *cli.Command) {
		help, stderr, err := runProgram(t, noVariables, append(path, "-help")...)
		require.NoError(t, err, path)
		require.Empty(t, stderr, path)
		require.Contains(t, help, strings.Join(append([]string{"apguard"}, path...), " "))
		require.NotEmpty(t, c.Usage, path)
		for _, flag := range c.Flags {
			require.Contains(t, help, "-"+flag.Names()[0], path)
		}
		if len(path) == 0 {
			return
		}
		also, _, err := runProgram(t, noVariables, append(append(append([]string{}, path[:len(path)-1]...), "help"), path[len(path)-1])...)
		require.NoError(t, err, path)
		require.Equal(t, help, also, path)
	})
}

// each calls a function with each command and the names that lead to it.
func each(c *cli.Command, call func(path []string, c *cli.Command), path ...string) {
	call(path, c)
	for _, below := range c.Commands {
		each(below, call, append(path[:len(path):len(path)], below.Name)...)
	}
}

// A shell completes commands and flags.
func TestProgram_Completion(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "organizations"},
		{[]string{"keys"}, "rotate"},
		{[]string{"serve", "--refuse"}, "--refuse-blocked"},
	} {
		printed, err := subprocess(t, append(c.args, "--generate-shell-completion")...).Output()
		require.NoError(t, err)
		require.Contains(t, string(printed), c.want)
	}
	script, _, err := runProgram(t, noVariables, "completion", "bash")
	require.NoError(t, err)
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skipf("NOT RUN: %v; bash is in the Debian package bash", err)
	}
	check := exec.CommandContext(t.Context(), bash, "-n")
	check.Stdin = strings.NewReader(script)
	out, err := check.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

func TestProgram_Version(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"version", "-version"} {
		cmd := subprocess(t, name)
		cmd.Dir = t.TempDir()
		out, err := cmd.Output()
		require.NoError(t, err)
		require.Regexp(t, `^apguard version \S+ `+regexp.QuoteMeta(runtime.Version())+`\n$`, string(out))
		files, err := os.ReadDir(cmd.Dir)
		require.NoError(t, err)
		require.Empty(t, files, "no database is created")
	}
}

func TestProgram_ExitStatus(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "a.db")
	s := start(t, "-db", db, "-seed", writeFile(t, seed))
	require.NoError(t, s.stop())
	for reason, c := range map[string]struct {
		args []string
		want int
	}{
		"a success":                {[]string{"check", "-db", db, "https://good.example"}, 0},
		"a failure":                {[]string{"keys", "list", "-db", db, "-organization", "none"}, exitFailure},
		"a wrong command line":     {[]string{"serve", "-port", "80"}, exitUsage},
		"a BLOCKED content":        {[]string{"check", "-db", db, "https://good.example", "http://bad.example/x"}, exitNegative},
		"an unrecognized content":  {[]string{"check", "-db", db, "https://good.example", "no asset"}, exitFailure},
		"one of each":              {[]string{"check", "-db", db, "no asset", "http://bad.example/x"}, exitNegative},
		"a list that was refused":  {[]string{"import", "-db", db, "-format", "domains", writeFile(t, "no asset\n")}, exitNegative},
		"a success of its preview": {[]string{"import", "-db", db, "-dry-run", "-format", "domains", writeFile(t, "fine.com\n")}, 0},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			var stderr bytes.Buffer
			cmd := subprocess(t, c.args...)
			cmd.Stderr = &stderr
			err := cmd.Run()
			var exit *exec.ExitError
			if c.want == 0 {
				require.NoError(t, err, stderr.String())
				return
			}
			require.ErrorAs(t, err, &exit)
			require.Equal(t, c.want, exit.ExitCode(), stderr.String())
			require.Regexp(t, `(?m)^apguard: .+\n$`, stderr.String())
		})
	}
}
