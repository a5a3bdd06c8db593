package hashes_test

import (
	"context"
	"fmt"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/feed/hashes"
	"github.com/apguard/apguard/storage/memory"
)

// A client that sends its version receives only what has changed since.
func ExampleOrigin_Since() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	guard := apguard.New(memory.New(), apguard.Options{})
	o := hashes.New(hashes.Options{})
	r := feed.NewReplica(feed.FromServices(guard.Assets, guard.Feed), feed.Options{Views: []feed.View{o}})
	go r.Run(ctx)

	version := "" // requests whole lists
	for _, content := range []string{"bad.example.com", "worse.example.com"} {
		if _, err := guard.SetStatus(ctx, content, asset.StatusBlocked, asset.Origin{}); err != nil {
			fmt.Println(err)
			return
		}
		if err := r.Sync(ctx); err != nil { // a server does not need it
			fmt.Println(err)
			return
		}
		response, err := o.Since(version)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println("whole lists:", response.Since == "")
		version = response.Version
	}
	// Output:
	// whole lists: true
	// whole lists: false
}
