package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"

	"github.com/apguard/apguard"
)

const eraseUsage = `Usage:
  server erase [-email EMAIL] [-user ID] [-db DB]

Erases a person: the user with the ID, all users with an e-mail address of the person, their
keys, and the e-mail addresses and texts of their disputes. Prints how many users and disputes
it erased. DB is as for the server, which must have been started on it once. SECURITY.md says
what remains.
`

// runErase erases a person from a database. A server may use the database at the same time.
func runErase(ctx context.Context, args []string, env environment, stdout, stderr io.Writer) (err error) {
	db, subject, err := parseErase(args, env, stderr)
	if err != nil {
		return err
	}
	store, err := db.openExisting(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	erased, err := apguard.New(store, apguard.Options{}).Erase(ctx, subject)
	return errors.Join(json.NewEncoder(stdout).Encode(erased), err)
}

func parseErase(args []string, env environment, stderr io.Writer) (db database, subject apguard.Subject, err error) {
	flags := newCommand("erase", eraseUsage, env, stderr)
	flags.StringVar(&subject.Email, "email", "", "")
	flags.Int64Var(&subject.UserID, "user", 0, "")
	db, err = flags.parse(args, func() error {
		if flags.NArg() > 0 {
			return errUnexpectedArgument
		}
		return subject.Validate()
	})
	return db, subject, err
}
