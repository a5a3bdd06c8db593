package main

import (
	"cmp"
	"context"
	"encoding/json"

	"github.com/urfave/cli/v3"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
)

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
