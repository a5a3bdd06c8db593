//go:build cgo

package sqlite_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"

	_ "github.com/mattn/go-sqlite3"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage/sqlite"
)

func ExampleOpen() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "apguard")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "assets.db")

	store, err := sqlite.Open(ctx, path, sqlite.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = apguard.New(store, apguard.Options{}).SetStatus(ctx, "https://bad.example", asset.StatusBlocked, asset.Origin{})
	fmt.Println(err, store.Close())

	// The status is still there when the file is opened again.
	store, err = sqlite.Open(ctx, path, sqlite.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer store.Close()
	bad, err := apguard.New(store, apguard.Options{}).Asset(ctx, "https://bad.example")
	fmt.Println(bad.Status, err)
	// Output:
	// <nil> <nil>
	// BLOCKED <nil>
}

// openHostDatabase opens a database of the host application with a table of its own.
func openHostDatabase(ctx context.Context, dir string) (*sql.DB, error) {
	db, err := sql.Open("sqlite3", "file:"+filepath.Join(dir, "app.db")+
		"?_foreign_keys=1&_busy_timeout=5000&_journal_mode=WAL&_synchronous=FULL&_txlock=immediate")
	if err != nil {
		return nil, err
	}
	_, err = db.ExecContext(ctx, "CREATE TABLE tickets (id INTEGER PRIMARY KEY, closed INTEGER NOT NULL); INSERT INTO tickets VALUES (7, 0)")
	return db, err
}

// A host application uses its own database, opened with the driver of its choice.
func ExampleNew() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "apguard")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	db, err := openHostDatabase(ctx, dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()

	if err := sqlite.Migrate(ctx, db); err != nil {
		fmt.Println(err)
		return
	}
	store, err := sqlite.New(ctx, db, sqlite.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer store.Close() // leaves db open
	bad, err := apguard.New(store, apguard.Options{}).SetStatus(ctx, "https://bad.example", asset.StatusBlocked, asset.Origin{})
	fmt.Println(bad.Status, err)
	// Output:
	// BLOCKED <nil>
}

// A table of the host application and the tables of the service change together.
func ExampleInTx() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "apguard")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	db, err := openHostDatabase(ctx, dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	if err := sqlite.Migrate(ctx, db); err != nil {
		fmt.Println(err)
		return
	}
	store, err := sqlite.New(ctx, db, sqlite.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer store.Close()
	guard := apguard.New(store, apguard.Options{})

	closeTicket := func() error {
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		if _, err := tx.ExecContext(ctx, "UPDATE tickets SET closed = 1 WHERE id = 7"); err != nil {
			return err
		}
		_, err = guard.With(sqlite.InTx(tx)).SetStatus(ctx, "https://bad.example", asset.StatusBlocked, asset.Origin{Reference: "ticket/7"})
		if err != nil {
			return err
		}
		return tx.Commit()
	}
	fmt.Println(closeTicket())
	bad, err := guard.Asset(ctx, "https://bad.example")
	fmt.Println(bad.Status, err)
	// Output:
	// <nil>
	// BLOCKED <nil>
}
