package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"

	"github.com/apguard/apguard/account"
)

const usersUsage = `Usage:
  server users create -name NAME [-email EMAIL] [-automation] [-db DB]
  server users list   -email EMAIL [-db DB]

Each user is printed as a JSON object. The key of an operator needs the user's ID; see
server keys. -automation marks a program. DB is as for the server, which must have been
started on it once.
`

// usersCommand is a command on users and the values of its flags.
type usersCommand struct {
	name string
	db   database
	user account.User
}

// runUsers runs a command on the users of a database. A server may use the database at the
// same time.
func runUsers(ctx context.Context, args []string, env environment, stdout, stderr io.Writer) error {
	command, err := parseUsers(args, env, stderr)
	if err != nil {
		return err
	}
	return withDirectory(ctx, command.db, func(dir directory) error {
		if command.name == "create" {
			return command.create(ctx, dir, stdout)
		}
		return command.list(ctx, dir, stdout)
	})
}

func parseUsers(args []string, env environment, stderr io.Writer) (usersCommand, error) {
	var c usersCommand
	if len(args) > 0 {
		c.name, args = args[0], args[1:]
	}
	flags := newCommand("users "+c.name, usersUsage, env, stderr)
	flags.StringVar(&c.user.Email, "email", "", "")
	switch c.name {
	case "create":
		flags.StringVar(&c.user.FullName, "name", "", "")
		flags.BoolVar(&c.user.Automation, "automation", false, "")
	case "list":
	default:
		return c, flags.unknown(c.name, "create or list")
	}
	var err error
	c.db, err = flags.parse(args, func() error { return c.check(flags.FlagSet) })
	return c, err
}

// check validates the command.
func (c *usersCommand) check(flags *flag.FlagSet) error {
	switch {
	case flags.NArg() > 0:
		return errUnexpectedArgument
	case c.name == "create" && c.user.FullName == "":
		return errors.New("-name must not be empty")
	case c.name == "list" && c.user.Email == "":
		return errors.New("-email must not be empty")
	}
	return nil
}

// create creates the user and prints it. Its ID is random, so that commands that run at the
// same time do not choose the same one.
func (c *usersCommand) create(ctx context.Context, dir directory, stdout io.Writer) error {
	user := c.user
	user.ID = account.NewID()
	if err := dir.accounts.PutUser(ctx, user); err != nil {
		return err
	}
	return json.NewEncoder(stdout).Encode(user)
}

// list prints the users with the e-mail address.
func (c *usersCommand) list(ctx context.Context, dir directory, stdout io.Writer) error {
	users, err := dir.accounts.UsersByEmail(ctx, c.user.Email)
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(stdout)
	for _, user := range users {
		if err := encoder.Encode(user); err != nil {
			return err
		}
	}
	return nil
}
