package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"

	"github.com/urfave/cli/v3"

	"github.com/apguard/apguard"
)

// erase returns the command that erases a person.
func (p program) erase() *cli.Command {
	var subject apguard.Subject
	return &cli.Command{
		Name:  "erase",
		Usage: "erase a person",
		Description: `Erases the user with the ID, all users with an e-mail address of the person, their keys, and the e-mail
addresses and texts of their disputes. Prints as JSON how many users and disputes it erased. SECURITY.md says
what remains.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "email", Usage: "e-mail `ADDRESS` of the person", Destination: &subject.Email},
			&cli.Int64Flag{Name: "user", Usage: "`ID` of the user", Destination: &subject.UserID, HideDefault: true},
			dbFlag(),
		},
		Action: p.onGuard(func(c *cli.Command) error {
			return cmp.Or(noArguments(c), subject.Validate())
		}, func(ctx context.Context, guard *apguard.Guard) error {
			erased, err := guard.Erase(ctx, subject)
			return errors.Join(json.NewEncoder(p.stdout).Encode(erased), err)
		}),
	}
}
