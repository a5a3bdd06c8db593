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
	// key is the only key of the demo. It is empty for a seed file.
	key string
	// file is the name of the seed file. It is empty for the demo.
	file string
}

// readBootstrap reads and validates the seed file, or returns the demo if there is none.
func readBootstrap(c config) (bootstrap, error) {
	if c.seed == "" {
		key := account.GenerateKey()
		return bootstrap{seed: demo(key), key: key}, nil
	}
	text, err := os.ReadFile(c.seed)
	if err != nil {
		return bootstrap{}, fmt.Errorf("-seed: %w", err)
	}
	seed, err := storage.ReadSeed(bytes.NewReader(text))
	if err == nil {
		_, err = seed.Records() // before a database is created for it
	}
	if err != nil {
		return bootstrap{}, fmt.Errorf("-seed %s: %w", c.seed, err)
	}
	return bootstrap{seed: seed, file: c.seed}, nil
}

// fill imports the data if the store is empty, and returns a message for the operator.
func (b bootstrap) fill(ctx context.Context, store storage.Store, baseURL string) (string, error) {
	err := store.Import(ctx, b.seed)
	switch {
	case errors.Is(err, storage.ErrNotEmpty) && b.file != "":
		return fmt.Sprintf("The database is not empty, so %s was ignored.\n", b.file), nil
	case errors.Is(err, storage.ErrNotEmpty):
		return "", nil
	case err != nil:
		return "", err
	case b.file != "":
		return fmt.Sprintf("The database was empty and now contains %s.\n", b.file), nil
	default:
		return welcome(b.key, baseURL), nil
	}
}
