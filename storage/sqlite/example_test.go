//go:build cgo

package sqlite_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage/sqlite"
)

// What is stored is there when the file is opened again.
func ExampleOpen() {
	dir, err := os.MkdirTemp("", "apguard")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "apguard.db")
	ctx := context.Background()
	identity := asset.Identity{Type: asset.TypePage, Canonical: "bad.example"}

	store, err := sqlite.Open(ctx, path, sqlite.Options{BusyTimeout: 10 * time.Second})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = store.SetAssetStatus(ctx, asset.StatusWrite{
		Identity: identity,
		Status:   asset.StatusBlocked,
		At:       time.Now(),
		Origin:   asset.Origin{Cause: asset.CauseManual},
	})
	fmt.Println(err, store.Close())

	store, err = sqlite.Open(ctx, path, sqlite.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer store.Close()
	bad, err := store.AssetByIdentity(ctx, identity)
	fmt.Println(bad.Status, err)
	// Output:
	// <nil> <nil>
	// BLOCKED <nil>
}
