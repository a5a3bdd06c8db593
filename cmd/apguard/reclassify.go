package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/urfave/cli/v3"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/postgres"
	"github.com/apguard/apguard/storage/sqlite"
)

// reclassify returns the command that upgrades a database of older rules.
func (p program) reclassify() *cli.Command {
	var dryRun bool
	return &cli.Command{
		Name:  "reclassify",
		Usage: "give all assets the canonical forms of this program",
		Description: `A server refuses a database of older rules until this is done. Stop all servers first, and back up the
database. The counts are written to the standard output as JSON: assets that move to another form, that merge
into another asset, and that are not recognized any more. The latter are kept, and the first 1,000 of them are
written to the standard error, as are the first 1,000 that merge although their statuses differ. It can be
repeated after an interruption.`,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "dry-run", Usage: "change no asset", Destination: &dryRun},
			dbFlag(),
		},
		Action: func(ctx context.Context, c *cli.Command) error {
			db, err := p.existingDatabase(c, noArguments)
			if err != nil {
				return err
			}
			return p.reclassifyAll(ctx, db, dryRun)
		},
	}
}

// reclassifyLines is the maximum number of lines of each kind.
const reclassifyLines = 1000

// reclassifyAll reclassifies the assets of a database.
func (p program) reclassifyAll(ctx context.Context, db database, dryRun bool) (err error) {
	store, err := db.openReclassified(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	var unrecognized, differing int
	counts, err := apguard.Reclassify(ctx, store, apguard.ReclassifyOptions{
		DryRun: dryRun,
		Each: func(one asset.Reform) {
			switch {
			case one.Unrecognized():
				if unrecognized++; unrecognized <= reclassifyLines {
					_, _ = fmt.Fprintf(p.stderr, "asset %d: not recognized: %s\n", one.ID, plain(one.Canonical))
				}
			case one.Merged() && one.Status != one.Into.Status:
				if differing++; differing <= reclassifyLines {
					_, _ = fmt.Fprintf(p.stderr, "asset %d: %s is %s, and merges into asset %d, which is %s\n",
						one.ID, plain(one.Canonical), one.Status, one.Into.ID, one.Into.Status)
				}
			}
		},
	})
	if err != nil {
		return fmt.Errorf("reclassify: after %d assets: %w", counts.Assets, err)
	}
	return json.NewEncoder(p.stdout).Encode(counts)
}

// reclassifiedStore is a store that can be reclassified.
type reclassifiedStore interface {
	storage.Reclassifier
	io.Closer
}

// openReclassified opens an existing database of any older rules, and brings its schema up to date.
func (d database) openReclassified(ctx context.Context) (store reclassifiedStore, err error) {
	if d.isPostgres() {
		store, err = postgres.Open(ctx, d.value, postgres.Options{Reclassify: true})
	} else {
		store, err = openFileReclassified(ctx, d.value)
	}
	return store, d.failure(err)
}

// reclassifiedFile is a store on a pool of its own.
type reclassifiedFile struct {
	*sqlite.Store
	pool *sql.DB
}

// Close closes the store and the pool.
func (f reclassifiedFile) Close() error { return errors.Join(f.Store.Close(), f.pool.Close()) }

func openFileReclassified(ctx context.Context, path string) (reclassifiedStore, error) {
	pool, err := openPool(path, sqliteSettings)
	if err != nil {
		return nil, err
	}
	if err := sqlite.Migrate(ctx, pool); err != nil {
		return nil, errors.Join(err, pool.Close())
	}
	store, err := sqlite.New(ctx, pool, sqlite.Options{Reclassify: true})
	if err != nil {
		return nil, errors.Join(err, pool.Close())
	}
	return reclassifiedFile{store, pool}, nil
}
