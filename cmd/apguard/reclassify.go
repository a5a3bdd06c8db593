package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/postgres"
	"github.com/apguard/apguard/storage/sqlite"
)

const reclassifyUsage = `Usage:
  server reclassify [-dry-run] [-db DB]

Gives all assets of a database the canonical forms of this program. A server refuses a database
of older rules until this is done. Stop all servers first, and back up the database. -dry-run changes
no asset. The counts are written to the standard output as JSON: assets that move to another form,
that merge into another asset, and that are not recognized any more. The latter are kept, and the first
1,000 of them are written to the standard error, as are the first 1,000 that merge although their
statuses differ. It can be repeated after an interruption. DB is as for the server.
`

// reclassifyLines is the maximum number of lines of each kind.
const reclassifyLines = 1000

// runReclassify reclassifies the assets of a database.
func runReclassify(ctx context.Context, args []string, env environment, stdout, stderr io.Writer) (err error) {
	flags := newCommand("reclassify", reclassifyUsage, env, stderr)
	dryRun := flags.Bool("dry-run", false, "")
	db, err := flags.parse(args, func() error {
		if flags.NArg() != 0 {
			return errors.New("takes only flags")
		}
		return nil
	})
	if err != nil {
		return err
	}
	store, err := db.openReclassified(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	var unrecognized, differing int
	counts, err := apguard.Reclassify(ctx, store, apguard.ReclassifyOptions{
		DryRun: *dryRun,
		Each: func(one asset.Reform) {
			switch {
			case one.Unrecognized():
				if unrecognized++; unrecognized <= reclassifyLines {
					_, _ = fmt.Fprintf(stderr, "asset %d: not recognized: %s\n", one.ID, plain(one.Canonical))
				}
			case one.Merged() && one.Status != one.Into.Status:
				if differing++; differing <= reclassifyLines {
					_, _ = fmt.Fprintf(stderr, "asset %d: %s is %s, and merges into asset %d, which is %s\n",
						one.ID, plain(one.Canonical), one.Status, one.Into.ID, one.Into.Status)
				}
			}
		},
	})
	if err != nil {
		return fmt.Errorf("reclassify: after %d assets: %w", counts.Assets, err)
	}
	return json.NewEncoder(stdout).Encode(counts)
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
	pool, err := openPool(path)
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
