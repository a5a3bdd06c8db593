package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/client"
	folders "github.com/apguard/apguard/client/published"
	"github.com/apguard/apguard/client/source"
	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/publish/manifest"
)

// serverInterval is how long a request waits for changes at a server. The mirror has them at once; the
// interval is how old the copy becomes without changes.
const serverInterval = 5 * time.Second

// folderInterval is the time between two requests for a manifest.
const folderInterval = 5 * time.Second

// firstAnswer is how long a mirror waits for an answer of the server before it listens.
const firstAnswer = 2 * time.Second

// mirrorOrigin is where the statuses of a mirror come from.
type mirrorOrigin struct {
	source   feed.Source
	interval time.Duration
	close    func() error
}

// open opens the origin. A server that does not answer yet is no error.
func (c mirrorConfig) open(ctx context.Context) (mirrorOrigin, error) {
	if c.verifierKey != "" {
		folder, err := c.openFolder(ctx)
		if err != nil {
			return mirrorOrigin{}, fmt.Errorf("-from: %w", err)
		}
		return mirrorOrigin{source: source.FromFolder(folder), interval: folderInterval, close: func() error { return nil }}, nil
	}
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
	return mirrorOrigin{source: feed.FromServices(guard.Assets, guard.Feed), close: store.Close}, nil
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

// openFolder opens a published folder. It returns an error if the answer shows that no repetition mends it.
func (c mirrorConfig) openFolder(ctx context.Context) (*folders.Folder, error) {
	folder, err := folders.New(c.from, c.verifierKey, folders.Options{})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, firstAnswer)
	defer cancel()
	m, err := folder.Manifest(ctx)
	if err == nil {
		_, err = m.Export(manifest.FormatJSONL)
	}
	if errors.Is(err, manifest.ErrSignature) {
		return nil, fmt.Errorf("%w; -verifier-key must be what apguard publish verifier prints", err)
	}
	if errors.Is(err, manifest.ErrMalformed) || errors.Is(err, manifest.ErrMissing) {
		return nil, err
	}
	return folder, nil
}
