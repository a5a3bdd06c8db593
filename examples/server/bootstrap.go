package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/apguard/apguard/account"
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

// newDemo returns the demo with a new key.
func newDemo(baseURL string) bootstrap {
	key := account.GenerateKey()
	return bootstrap{seed: demo(key), imported: welcome(key, baseURL)}
}

// nothing returns no data, and the next steps for an empty database.
func nothing(db database) bootstrap {
	if db.isMemory() {
		return bootstrap{imported: "The database is empty. Use -seed to fill it.\n"}
	}
	argument := db.argument()
	return bootstrap{imported: fmt.Sprintf(`The database is empty. Create an organization and a key for it:

server organizations create%s -slug acme -name Acme
server keys create%s -organization acme -scopes all

`, argument, argument)}
}
