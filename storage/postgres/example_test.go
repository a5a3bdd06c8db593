package postgres_test

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

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
	bad, err := store.SetAssetStatus(ctx, asset.StatusWrite{
		Identity: asset.Identity{Type: asset.TypePage, Canonical: "bad.example"},
		Status:   asset.StatusBlocked,
		At:       time.Now(),
		Origin:   asset.Origin{Cause: asset.CauseManual},
	})
	fmt.Println(bad.Status, err)
}

// A table of the host and the tables of the service change together.
func ExampleInTx() {
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

	tx, err := pool.Begin(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer tx.Rollback(ctx)
	if _, err := tx.Exec(ctx, "UPDATE tickets SET closed = TRUE WHERE id = 7"); err != nil {
		fmt.Println(err)
		return
	}
	_, err = postgres.InTx(tx).SetAssetStatus(ctx, asset.StatusWrite{
		Identity: asset.Identity{Type: asset.TypePage, Canonical: "bad.example"},
		Status:   asset.StatusBlocked,
		At:       time.Now(),
		Origin:   asset.Origin{Cause: asset.CauseManual, Reference: "ticket/7"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(tx.Commit(ctx))
}
