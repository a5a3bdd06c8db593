// Package source makes a server of the Asset Protection Service API the source of a [feed.Replica], such as one
// with a mirror that then answers checks anywhere, or of the hash lists of a client:
//
//	origin, err := client.New("https://apguard.example.com/api/v2", client.Options{Key: key})
//	...
//	m := mirror.New(mirror.Options{})
//	r := feed.NewReplica(source.New(origin), feed.Options{Views: []feed.View{m}})
//	go r.Run(ctx)
//
// The key needs the scope "changelog". The Replica fills its views from an export, and then waits at the
// server for changes, so that it has them as soon as they are in the feed.
package source

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/client"
	"github.com/apguard/apguard/feed"
)

// Source is a server. It implements [feed.Source] and [feed.Notifier].
type Source struct {
	client *client.Client
}

// New returns the server of the client as a source.
func New(c *client.Client) Source { return Source{c} }

// List implements [feed.Source]. The changes before the list are not followed again. The error is a
// [*RulesError] if the server has other rules.
func (s Source) List(ctx context.Context, _ int) (feed.List, error) {
	export, err := s.client.Export(ctx, client.ExportRequest{Status: client.ExportAny})
	if err != nil {
		return feed.List{}, repeatable(err)
	}
	var cursor asset.FeedCursor
	if err = checkRules(export.Rules); err == nil {
		cursor, err = parseCursor(export.Cursor)
	}
	if err != nil {
		_ = export.Close() // it is only read
		return feed.List{}, err
	}
	described := asset.Feed{Store: cursor.Store(), Last: cursor.Position()}
	return feed.List{Feed: described, Start: cursor, Assets: func(yield func(asset.Known, error) bool) {
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

// Changes implements [feed.Source]. Only a page without changes is at the end of the feed. The cursor of a single
// change is not known. The error is a [*RulesError] if the server has other rules.
func (s Source) Changes(ctx context.Context, cursor asset.FeedCursor) (feed.Changes, error) {
	page, err := s.client.Feed(ctx, client.FeedRequest{Cursor: cursor.String()})
	if err != nil {
		return feed.Changes{}, repeatable(err)
	}
	if err := checkRules(page.Rules); err != nil {
		return feed.Changes{}, err
	}
	changes := feed.Changes{More: len(page.Changes) > 0, Age: page.Age}
	if changes.Cursor, err = parseCursor(page.Cursor); err != nil {
		return feed.Changes{}, err
	}
	for _, change := range page.Changes {
		changes.Entries = append(changes.Entries, asset.FeedEntry{Change: change})
	}
	return changes, nil
}

// parseCursor reads a cursor of the server. That it cannot be read is no reason to start again.
func parseCursor(text string) (asset.FeedCursor, error) {
	cursor, err := asset.ParseFeedCursor(text)
	if err != nil {
		return cursor, fmt.Errorf("the server returned a cursor that cannot be read: %v", err) //nolint:errorlint // see above
	}
	return cursor, nil
}

// repeatable returns the error without the ID of its request. A Replica reports a failure once that
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

// Await implements [feed.Notifier]. The server waits whole seconds. An error is not reported, because
// the next read of the feed has it too.
func (s Source) Await(ctx context.Context, cursor asset.FeedCursor, longest time.Duration) bool {
	longest = min(longest.Truncate(time.Second), client.MaxFeedWait)
	if longest == 0 {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, longest+slack)
	defer cancel()
	page, err := s.client.Feed(ctx, client.FeedRequest{Cursor: cursor.String(), Limit: 1, Wait: longest})
	return err == nil && len(page.Changes) > 0
}
