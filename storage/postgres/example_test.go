package postgres_test

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage/postgres"
)

func ExampleOpen() {
	ctx := context.Background()
	store, err := postgres.Open(ctx, "postgres://apguard@localhost:5432/apguard", postgres.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer store.Close()
	bad, err := apguard.New(store, apguard.Options{}).SetStatus(ctx, "https://bad.example", asset.StatusBlocked, asset.Origin{})
	fmt.Println(bad.Status, err)
}

// A host application uses its own pool.
func ExampleNew() {
	ctx := context.Background()
	pool, err := pgxpool.New(ctx, "postgres://apguard@localhost:5432/apguard")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer pool.Close()
	if err := postgres.Migrate(ctx, pool); err != nil {
		fmt.Println(err)
		return
	}
	store, err := postgres.New(ctx, pool, postgres.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer store.Close() // leaves the pool open
	fmt.Println(apguard.New(store, apguard.Options{}).Ready(ctx))
}

// A table of the host application and the tables of the service change together.
func ExampleInTx() {
	ctx := context.Background()
	pool, err := pgxpool.New(ctx, "postgres://apguard@localhost:5432/apguard")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer pool.Close()
	store, err := postgres.New(ctx, pool, postgres.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer store.Close()
	guard := apguard.New(store, apguard.Options{})

	closeTicket := func() error {
		tx, err := pool.Begin(ctx)
		if err != nil {
			return err
		}
		defer tx.Rollback(ctx)
		if _, err := tx.Exec(ctx, "UPDATE tickets SET closed = TRUE WHERE id = 7"); err != nil {
			return err
		}
		_, err = guard.With(postgres.InTx(tx)).SetStatus(ctx, "https://bad.example", asset.StatusBlocked, asset.Origin{Reference: "ticket/7"})
		if err != nil {
			return err
		}
		return tx.Commit(ctx)
	}
	fmt.Println(closeTicket())
}

// A host application that uses database/sql shares its pool with the store.
func ExampleInSQLTx() {
	ctx := context.Background()
	pool, err := pgxpool.New(ctx, "postgres://apguard@localhost:5432/apguard")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer pool.Close()
	db := stdlib.OpenDBFromPool(pool)
	defer db.Close()
	store, err := postgres.New(ctx, pool, postgres.Options{})
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
		if _, err := tx.ExecContext(ctx, "UPDATE tickets SET closed = TRUE WHERE id = 7"); err != nil {
			return err
		}
		_, err = guard.With(postgres.InSQLTx(tx)).SetStatus(ctx, "https://bad.example", asset.StatusBlocked, asset.Origin{Reference: "ticket/7"})
		if err != nil {
			return err
		}
		return tx.Commit()
	}
	fmt.Println(closeTicket())
}
