package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/urfave/cli/v3"

	"github.com/apguard/apguard/audit"
)

// program is what the commands use of their process.
type program struct {
	env            environment
	stdin          io.Reader
	stdout, stderr io.Writer
}

// run runs the command of the arguments, or serves until ctx is canceled.
func (p program) run(ctx context.Context, args []string) error {
	ctx = audit.WithActor(ctx, audit.Actor{Channel: audit.ChannelCommandLine})
	return p.command().Run(ctx, append([]string{"apguard"}, args...))
}

// command returns the command of the program, with all subcommands.
func (p program) command() *cli.Command {
	commands := append([]*cli.Command{p.demo(), p.serve(), p.mirror(), p.console()}, p.operationGroups()...)
	root := group("apguard", "embed, serve and manage asset protection",
		append(commands, p.importList(), p.publish(), p.reclassify(), p.version())...)
	root.Description = `Flags have one or two hyphens. The exit status is 0 after a success, 1 after a failure, 2 if the command
line or the request is invalid, and 3 for a negative result, which the help of the command describes.`
	root.Reader, root.Writer, root.ErrWriter = p.stdin, p.stdout, p.stderr
	root.Version = buildVersion() + " " + runtime.Version()
	root.EnableShellCompletion = true
	root.ConfigureShellCompletionCommand = func(completion *cli.Command) {
		completion.Hidden = false
		completion.Usage = "print a completion script for bash, zsh, fish or PowerShell"
		completion.Action = missingCommand
		reportErrors(completion)
	}
	root.ExitErrHandler = func(context.Context, *cli.Command, error) {} // main exits
	reportErrors(root)
	return root
}

// reportErrors makes a command and all that are below it return errors in the command line, which main prints.
func reportErrors(c *cli.Command) {
	c.OnUsageError = func(_ context.Context, c *cli.Command, err error, _ bool) error { return wrongFlag(c, err) }
	c.HideHelpCommand = len(c.Commands) == 0
	for _, sub := range c.Commands {
		reportErrors(sub)
	}
}

// group returns a command that only has subcommands. It reads flags up to the name of one, so that those behind
// a name that does not exist are not reported instead.
func group(name, usage string, commands ...*cli.Command) *cli.Command {
	stop := 1
	return &cli.Command{
		StopOnNthArg: &stop,
		Name:         name,
		Usage:        usage,
		Commands:     commands,
		Action:       missingCommand,
	}
}

// version returns the command that prints the version.
func (p program) version() *cli.Command {
	return &cli.Command{
		Name:  "version",
		Usage: "print the version of the program and that of Go",
		Action: func(_ context.Context, c *cli.Command) error {
			if err := noArguments(c); err != nil {
				return wrongUsage(c, err)
			}
			cli.ShowVersion(c.Root())
			return nil
		},
	}
}

// buildVersion returns the version of the program. One that was built without information of version control is of
// version (devel).
func buildVersion() string {
	version := "(devel)"
	if info, ok := debug.ReadBuildInfo(); ok {
		version = cmp.Or(info.Main.Version, version)
	}
	return version
}

// usageError is an error in the command line. It does not contain an argument, which can be a key or a part of a
// connection string.
type usageError struct{ error }

// wrongUsage returns a usageError that names the command.
func wrongUsage(c *cli.Command, err error) error {
	if below := c.Path()[1:]; len(below) > 0 {
		err = fmt.Errorf("%s: %w", strings.Join(below, " "), err)
	}
	return usageError{err}
}

// wrongFlag returns the error for flags that could not be parsed. For an unknown one, it suggests another.
func wrongFlag(c *cli.Command, err error) error {
	// The library has no type for this error.
	if name, unknown := strings.CutPrefix(err.Error(), "flag provided but not defined: -"); unknown {
		if similar := cli.SuggestFlag(c.Flags, name, false); similar != "" {
			err = fmt.Errorf("%w; did you mean -%s?", err, strings.TrimLeft(similar, "-"))
		}
	}
	return wrongUsage(c, err)
}

// missingCommand is the action of a command that only has subcommands, none of which was given. Without
// arguments, it prints the help first.
func missingCommand(_ context.Context, c *cli.Command) error {
	if !c.Args().Present() {
		c.Root().Writer = c.Root().ErrWriter
		_ = cli.ShowSubcommandHelp(c)
		return wrongUsage(c, errors.New("missing command"))
	}
	err := errors.New("unknown command")
	if similar := cli.SuggestCommand(c.Commands, c.Args().First()); similar != "" {
		err = fmt.Errorf("%w; did you mean %s?", err, similar)
	}
	return wrongUsage(c, err)
}

var errUnexpectedArgument = errors.New("unexpected argument: this command takes only flags")

// noArguments returns an error if there are arguments after the flags.
func noArguments(c *cli.Command) error {
	if c.Args().Present() {
		return errUnexpectedArgument
	}
	return nil
}
