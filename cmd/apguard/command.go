package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
)

// command reads the command line of a subcommand, which works on a database that a server has
// created.
type command struct {
	*flag.FlagSet
	usage  string
	env    environment
	stderr io.Writer
}

// newCommand returns the command with the flag -db.
func newCommand(name, usage string, env environment, stderr io.Writer) command {
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	flags.SetOutput(io.Discard) // main prints the error
	flags.String(flagDB, defaultDB, "")
	return command{flags, usage, env, stderr}
}

// help prints the usage and returns flag.ErrHelp.
func (c command) help() error {
	_, _ = io.WriteString(c.stderr, c.usage)
	return flag.ErrHelp
}

// unknown returns the error for a first argument that is none of the commands, or the help.
func (c command) unknown(name, commands string) error {
	switch name {
	case "-h", "-help", "--help":
		return c.help()
	}
	group, _, _ := strings.Cut(c.Name(), " ")
	return usageError{errors.New(group + ": unknown command; use " + commands)}
}

// parse parses the flags, calls check, and returns the database of the flag or the environment.
func (c command) parse(args []string, check func() error) (db database, err error) {
	err = c.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		return db, c.help()
	}
	if err == nil {
		err = check()
	}
	if err == nil {
		db, err = chooseDatabase(c.FlagSet, c.env)
	}
	if err == nil {
		err = db.checkExisting()
	}
	if err != nil {
		return db, usageError{fmt.Errorf("%s: %w", c.Name(), err)}
	}
	return db, nil
}
