package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/urfave/cli/v3"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/storage"
)

// dbFlag returns the flag for the database of a command.
func dbFlag() cli.Flag {
	return &cli.StringFlag{
		Name: flagDB,
		Usage: "`DB` that a server has created: the path of a SQLite file, or a postgres:// URL; without the flag, " +
			"that of the environment variable APGUARD_DB, or of the file that APGUARD_DB_FILE names",
		DefaultText: defaultDB,
	}
}

// onGuard returns the action of a command that works with a guard on a database.
func (p program) onGuard(check func(*cli.Command) error, act func(context.Context, *apguard.Guard) error) cli.ActionFunc {
	return p.onStore(check, func(ctx context.Context, store storage.Store) error {
		return act(ctx, apguard.New(store, apguard.Options{}))
	})
}

// onStore returns the action of a command that works on a database. A server may use the database at the same
// time. The error of check is one in the command line.
func (p program) onStore(check func(*cli.Command) error, act func(context.Context, storage.Store) error) cli.ActionFunc {
	return func(ctx context.Context, c *cli.Command) (err error) {
		db, err := p.existingDatabase(c, check)
		if err != nil {
			return err
		}
		store, err := db.openExisting(ctx)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, store.Close()) }()
		return act(ctx, store)
	}
}

// existingDatabase returns the database of a command, unless its command line is wrong.
func (p program) existingDatabase(c *cli.Command, check func(*cli.Command) error) (database, error) {
	err := check(c)
	var db database
	if err == nil {
		db, err = chooseDatabase(c, p.env, defaultDB)
	}
	if err == nil {
		err = db.checkExisting()
	}
	if err != nil {
		return db, wrongUsage(c, err)
	}
	return db, nil
}

// typed returns the values of a flag with a list as those of a type.
func typed[T ~string](values []string) []T {
	all := make([]T, len(values))
	for i, value := range values {
		all[i] = T(value)
	}
	return all
}

// needs returns an error for the first flag that is not given, or is empty.
func needs(c *cli.Command, names ...string) error {
	for _, name := range names {
		if c.String(name) == "" {
			return fmt.Errorf("-%s must not be empty", name)
		}
	}
	return nil
}
