package origin_test

import (
	"context"
	"fmt"
	"log"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check/hashlist/origin"
	"github.com/apguard/apguard/storage/memory"
)

// A client that sends its version receives only what has changed since.
func ExampleOrigin_Since() {
	ctx := context.Background()
	guard := apguard.New(memory.New(), apguard.Options{})
	o := origin.New(guard.Assets, guard.Feed, origin.Options{})

	version := "" // requests whole lists
	for _, content := range []string{"bad.example.com", "worse.example.com"} {
		if _, err := guard.SetStatus(ctx, content, asset.StatusBlocked, asset.Origin{}); err != nil {
			log.Fatal(err)
		}
		if err := o.Refresh(ctx); err != nil { // a server calls Run in a goroutine of its own instead
			log.Fatal(err)
		}
		response, err := o.Since(version)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println("whole lists:", response.Since == "")
		version = response.Version
	}
	// Output:
	// whole lists: true
	// whole lists: false
}
