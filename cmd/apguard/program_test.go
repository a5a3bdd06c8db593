package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/urfave/cli/v3"
)

// Each command describes itself, by its flag and by the command help.
func TestProgram_Help(t *testing.T) {
	t.Parallel()
	each(program{}.command(), func(path []string, c *cli.Command) {
		help, stderr := mustRun(t, noVariables, append(path, "-help")...)
		require.Empty(t, stderr, path)
		require.Contains(t, help, strings.Join(append([]string{"apguard"}, path...), " "))
		require.NotEmpty(t, c.Usage, path)
		for _, flag := range c.Flags {
			require.Contains(t, help, "-"+flag.Names()[0], path)
		}
		if len(path) == 0 {
			return
		}
		also, _ := mustRun(t, noVariables, append(append(append([]string{}, path[:len(path)-1]...), "help"), path[len(path)-1])...)
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
