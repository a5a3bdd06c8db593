package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/check/mirror"
	"github.com/apguard/apguard/client"
	"github.com/apguard/apguard/client/source"
)

// serverInterval is how long a request waits for changes at a server. The mirror has them at once; the
// interval is how old the copy becomes without changes.
const serverInterval = 5 * time.Second

// origin is where the statuses come from.
type origin struct {
	source   mirror.Source
	interval time.Duration
	close    func() error
}

// openOrigin returns the origin that the flags -db and -from name.
func openOrigin(ctx context.Context, db, from string, env environment) (origin, error) {
	switch {
	case db != "" && from != "":
		return origin{}, errors.New("-db and -from must not be given together")
	case from != "":
		return openServer(from, env)
	case db == "":
		db = "apguard.db"
	}
	store, err := openExisting(ctx, db)
	if err != nil {
		return origin{}, fmt.Errorf("-db: %w", err)
	}
	guard := apguard.New(store, apguard.Options{})
	return origin{source: mirror.FromServices(guard.Assets, guard.Feed), close: store.Close}, nil
}

// openServer returns a server as the origin. It connects to nothing.
func openServer(url string, env environment) (origin, error) {
	key, err := env.secret("APGUARD_KEY")
	switch {
	case err != nil:
		return origin{}, err
	case key == "":
		return origin{}, errors.New("-from: set APGUARD_KEY to the key, or APGUARD_KEY_FILE to the name of a file with it")
	}
	c, err := client.New(url, client.Options{Key: key})
	if err != nil {
		return origin{}, fmt.Errorf("-from: %w", err)
	}
	return origin{source: source.New(c), interval: serverInterval, close: func() error { return nil }}, nil
}
