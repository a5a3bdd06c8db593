package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/check/mirror"
	"github.com/apguard/apguard/client"
	"github.com/apguard/apguard/client/source"
)

// serverInterval is how long a request waits for changes at a server. The mirror has them at once; the
// interval is how old the copy becomes without changes.
const serverInterval = 5 * time.Second

// firstAnswer is how long a mirror waits for an answer of the server before it listens.
const firstAnswer = 2 * time.Second

// mirrorOrigin is where the statuses of a mirror come from.
type mirrorOrigin struct {
	source   mirror.Source
	interval time.Duration
	close    func() error
}

// open opens the origin. A server that does not answer yet is no error.
func (c mirrorConfig) open(ctx context.Context) (mirrorOrigin, error) {
	if c.from != "" {
		server, err := client.New(c.from, client.Options{Key: c.key.value})
		if err != nil {
			return mirrorOrigin{}, fmt.Errorf("-from: %w", err)
		}
		if err := c.checkKey(ctx); err != nil {
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

// checkKey returns an error if the server answers that the key cannot read the changes, which no
// repetition mends.
func (c mirrorConfig) checkKey(ctx context.Context) error {
	server, err := client.New(c.from, client.Options{Key: c.key.value, Timeout: firstAnswer, Retries: -1})
	if err != nil {
		return err
	}
	caller, err := server.Caller(ctx)
	switch {
	case errors.Is(err, client.ErrUnauthorized):
		return errors.New("the server does not know the key, or no longer accepts it")
	case errors.Is(err, client.ErrNotFound):
		return errors.New("there is no API at this URL; it ends with the base of the API, such as " + defaultBase)
	case err == nil && !slices.Contains(caller.Scopes, account.ScopeChangelog):
		return fmt.Errorf("the key needs the scope %s", account.ScopeChangelog)
	default:
		return nil
	}
}
