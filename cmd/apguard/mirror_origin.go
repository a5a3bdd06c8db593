package main

import (
	"context"
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

// mirrorOrigin is where the statuses of a mirror come from.
type mirrorOrigin struct {
	source   mirror.Source
	interval time.Duration
	close    func() error
}

// open opens the origin. It connects to nothing if that is a server.
func (c mirrorConfig) open(ctx context.Context) (mirrorOrigin, error) {
	if c.from != "" {
		server, err := client.New(c.from, client.Options{Key: c.key.value})
		if err != nil {
			return mirrorOrigin{}, fmt.Errorf("-from: %w", err)
		}
		return mirrorOrigin{source: source.New(server), interval: serverInterval, close: func() error { return nil }}, nil
	}
	open := c.db.openExisting
	if c.db.isPostgres() {
		open = c.db.openReadOnly // which can be a standby
	}
	store, err := open(ctx)
	if err != nil {
		return mirrorOrigin{}, err
	}
	guard := apguard.New(store, apguard.Options{})
	return mirrorOrigin{source: mirror.FromServices(guard.Assets, guard.Feed), close: store.Close}, nil
}
