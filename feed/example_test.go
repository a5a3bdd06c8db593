package feed_test

import (
	"context"
	"fmt"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/feed/hashes"
	"github.com/apguard/apguard/feed/mirror"
	"github.com/apguard/apguard/storage/memory"
)

// A Replica keeps a mirror and hash lists, and lists the assets once for both.
func ExampleReplica() {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	guard := apguard.New(memory.New(), apguard.Options{})
	m, h := mirror.New(mirror.Options{}), hashes.New(hashes.Options{})
	r := feed.NewReplica(feed.FromServices(guard.Assets, guard.Feed), feed.Options{Views: []feed.View{m, h}})
	go r.Run(ctx)

	if _, err := guard.SetStatus(ctx, "bad.example.com", asset.StatusBlocked, asset.Origin{}); err != nil {
		fmt.Println(err)
		return
	}
	if err := r.Sync(ctx); err != nil { // wait until the views have the change
		fmt.Println(err)
		return
	}
	verdict, err := m.Check(ctx, "https://login.bad.example.com/x")
	if err != nil { // not a verdict: UNKNOWN would be wrong
		fmt.Println(err)
		return
	}
	lists, err := h.Since("")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(verdict.Status, lists.Version == r.State().Cursor.String())
	// Output: BLOCKED true
}
