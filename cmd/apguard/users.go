package main

import (
	"cmp"
	"context"
	"encoding/json"

	"github.com/urfave/cli/v3"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
)

func (p program) createUser() *cli.Command {
	var user account.User
	return &cli.Command{
		Name:        "create",
		Usage:       "create a user",
		Description: "Prints the user as a JSON object. The key of an operator needs the ID of the user.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "name", Usage: "full `NAME`", Destination: &user.FullName},
			&cli.StringFlag{Name: "email", Usage: "e-mail `ADDRESS`", Destination: &user.Email},
			&cli.BoolFlag{Name: "automation", Usage: "the user is a program", Destination: &user.Automation},
			dbFlag(),
		},
		Action: p.onGuard(func(c *cli.Command) error {
			return cmp.Or(noArguments(c), needs(c, "name"))
		}, func(ctx context.Context, guard *apguard.Guard) error {
			return p.putUser(ctx, guard.Accounts, user)
		}),
	}
}

func (p program) listUsers() *cli.Command {
	var email string
	return &cli.Command{
		Name:        "list",
		Usage:       "list the users with an e-mail address",
		Description: "Prints each user as a JSON object.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "email", Usage: "e-mail `ADDRESS`", Destination: &email},
			dbFlag(),
		},
		Action: p.onGuard(func(c *cli.Command) error {
			return cmp.Or(noArguments(c), needs(c, "email"))
		}, func(ctx context.Context, guard *apguard.Guard) error {
			return p.printUsers(ctx, guard.Accounts, email)
		}),
	}
}

// putUser creates a user and prints it. Its ID is random, so that commands that run at the
// same time do not choose the same one.
func (p program) putUser(ctx context.Context, accounts *account.Service, user account.User) error {
	user.ID = account.NewID()
	if err := accounts.PutUser(ctx, user); err != nil {
		return err
	}
	return json.NewEncoder(p.stdout).Encode(user)
}

// printUsers prints the users with an e-mail address.
func (p program) printUsers(ctx context.Context, accounts *account.Service, email string) error {
	users, err := accounts.UsersByEmail(ctx, email)
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(p.stdout)
	for _, user := range users {
		if err := encoder.Encode(user); err != nil {
			return err
		}
	}
	return nil
}
