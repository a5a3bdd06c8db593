package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/storage"
)

// bootstrap is the initial data of an empty store.
type bootstrap struct {
	seed storage.Seed
	// imported is the message for the operator after the data was imported, and ignored
	// the message if the store was not empty.
	imported, ignored string
}

// fill imports the data if the store is empty, and returns a message for the operator.
func (b bootstrap) fill(ctx context.Context, store storage.Store) (string, error) {
	b.seed.Audit = audit.New(ctx, time.Now(), audit.KindImport, audit.ActionSeeded)
	err := store.Import(ctx, b.seed)
	switch {
	case errors.Is(err, storage.ErrNotEmpty):
		return b.ignored, nil
	case err != nil:
		return "", err
	}
	return b.imported, nil
}

// readSeed returns the data of a seed file.
func readSeed(path string) (bootstrap, error) {
	text, err := os.ReadFile(path) //nolint:gosec // the operator names the file
	if err != nil {
		return bootstrap{}, fmt.Errorf("-seed: %w", err)
	}
	seed, err := storage.ReadSeed(bytes.NewReader(text))
	if err == nil {
		_, err = seed.Records() // before a database is created for it
	}
	if err != nil {
		return bootstrap{}, fmt.Errorf("-seed %s: %w", path, err)
	}
	return bootstrap{
		seed:     seed,
		imported: fmt.Sprintf("The database was empty and now contains %s.\n", path),
		ignored:  fmt.Sprintf("The database is not empty, so %s was ignored.\n", path),
	}, nil
}

// newDemo returns the demo with new keys.
func newDemo(db database, urls demoURLs) bootstrap {
	keys := demoKeys{account.GenerateKey(), account.GenerateKey()}
	again := "Use an empty database"
	if db.source == sourceDefault {
		again = "Remove " + db.value
	}
	return bootstrap{
		seed:     demoSeed(keys),
		imported: welcome(keys, urls),
		ignored: "The database is not empty, so nothing was added. The keys of a demo are shown only at its first start.\n" +
			again + " to start again, or use apguard serve for your own data.\n",
	}
}

// nothing returns no data, and the next steps for an empty database.
func nothing(db database) bootstrap {
	if db.isMemory() {
		return bootstrap{imported: "The database is empty, and commands cannot reach it in memory. Fill it with -seed, or use a file.\n"}
	}
	argument := db.argument()
	return bootstrap{imported: fmt.Sprintf(`The database is empty. Create an organization and a key for it:

apguard organizations create%s -slug acme -name Acme -group Sites
apguard keys create%s -organization acme -scopes check,changelog,allowlist

`, argument, argument)}
}
