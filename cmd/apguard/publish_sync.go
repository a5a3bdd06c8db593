package main

import (
	"context"
	"time"

	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/publish"
)

// publishedWithin is how long a publication of a server waits for changes that are not in the feed yet.
const publishedWithin = 10 * time.Second

// syncWithin returns the function that brings the lists of a running replica up to date for a publisher. It waits until
// they are filled, unless the replica has an error, and then for changes, but not longer than a time: if no process
// publishes them, the publisher must say so.
func syncWithin(replica *feed.Replica, longest time.Duration) func(context.Context) error {
	return func(ctx context.Context) error {
		for {
			before := replica.State()
			limited, cancel := context.WithTimeout(ctx, longest)
			err := replica.Sync(limited)
			cancel()
			if err == nil || ctx.Err() != nil {
				return err
			}
			if failed := replica.State().Err; failed != nil {
				return failed
			}
			if before.Filled {
				return publish.ErrUnpublished
			}
		}
	}
}
