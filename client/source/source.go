// Package source makes a server of the Asset Protection Service API the source of a mirror, or of a hash
// list, which then answers checks anywhere:
//
//	origin, err := client.New("https://apguard.example.com/api/v2", client.Options{Key: key})
//	...
//	m := mirror.New(source.New(origin), mirror.Options{})
//	go m.Run(ctx)
//
// The key needs the scope "changelog". The mirror fills itself from an export, and then waits at the
// server for changes, so that it has them as soon as they are in the feed.
package source

import (
	"context"
	"errors"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check/mirror"
	"github.com/apguard/apguard/client"
)

// Source is a server. It implements [mirror.Source] and [mirror.Notifier].
type Source struct {
	client *client.Client
}

// New returns the server of the client as a source.
func New(c *client.Client) Source { return Source{c} }

// List implements [mirror.Source].
func (s Source) List(ctx context.Context) (mirror.List, error) {
	export, err := s.client.Export(ctx, client.ExportRequest{Status: client.ExportAny})
	if err != nil {
		return mirror.List{}, repeatable(err)
	}
	return mirror.List{Cursor: export.Cursor, Assets: func(yield func(asset.Known, error) bool) {
		for listed, err := range export.Assets() {
			if err != nil {
				yield(asset.Known{}, repeatable(err))
				return
			}
			if !yield(listed.Known, nil) {
				return
			}
		}
	}}, nil
}

// Changes implements [mirror.Source]. Only a page without changes is at the end of the feed.
func (s Source) Changes(ctx context.Context, cursor string) (mirror.Changes, error) {
	page, err := s.client.Feed(ctx, client.FeedRequest{Cursor: cursor})
	if err != nil {
		return mirror.Changes{}, repeatable(err)
	}
	changes := mirror.Changes{Cursor: page.Cursor, More: len(page.Changes) > 0, Age: page.Age}
	for _, change := range page.Changes {
		changes.Assets = append(changes.Assets, change.Known())
	}
	return changes, nil
}

// repeatable returns the error without the ID of its request. A mirror reports a failure once that
// repeats with the same text.
func repeatable(err error) error {
	var failed *client.Error
	if !errors.As(err, &failed) {
		return err
	}
	same := *failed
	same.RequestID = ""
	return &same
}

// slack is the time that a waiting request may take longer than the server waits.
const slack = 2 * time.Second

// Await implements [mirror.Notifier]. The server waits whole seconds. An error is not reported, because
// the next read of the feed has it too.
func (s Source) Await(ctx context.Context, cursor string, longest time.Duration) bool {
	longest = min(longest.Truncate(time.Second), client.MaxFeedWait)
	if longest == 0 {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, longest+slack)
	defer cancel()
	page, err := s.client.Feed(ctx, client.FeedRequest{Cursor: cursor, Limit: 1, Wait: longest})
	return err == nil && len(page.Changes) > 0
}
