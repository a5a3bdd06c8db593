package published_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"time"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check/hashlist"
	"github.com/apguard/apguard/client/published"
	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/feed/hashes"
	"github.com/apguard/apguard/publish"
	"github.com/apguard/apguard/storage/memory"
)

// A client has the hash lists of a published folder, and checks without a request.
func ExampleFolder_Hashes() {
	ctx := context.Background()
	manifest, verifierKey, remove := examplePublished(ctx)
	defer remove()

	folder, err := published.New(manifest, verifierKey, published.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	list := hashlist.New(24 * time.Hour)
	if err := list.Refresh(ctx, folder.Hashes); err != nil { // again from time to time
		fmt.Println(err)
		return
	}
	verdict, err := list.Check(ctx, "https://login.bad.example.com/x")
	if err != nil { // not a verdict: UNKNOWN would be wrong
		fmt.Println(err)
		return
	}
	fmt.Println(verdict.Status)
	// Output: BLOCKED
}

// examplePublished publishes a folder that blocks bad.example.com, and returns the URL of its manifest.
func examplePublished(ctx context.Context) (manifest, verifierKey string, remove func()) {
	dir, err := os.MkdirTemp("", "published")
	if err == nil {
		verifierKey, err = publishExample(ctx, dir)
	}
	if err != nil {
		log.Fatal(err)
	}
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	return server.URL + "/manifest.json", verifierKey, func() {
		server.Close()
		_ = os.RemoveAll(dir)
	}
}

// publishExample writes the folder and returns the verifier key.
func publishExample(ctx context.Context, dir string) (string, error) {
	guard := apguard.New(memory.New(), apguard.Options{})
	if _, err := guard.SetStatus(ctx, "bad.example.com", asset.StatusBlocked, asset.Origin{}); err != nil {
		return "", err
	}
	text, err := publish.GenerateKey("lists.example.com")
	if err != nil {
		return "", err
	}
	key, err := publish.ParseKey(text)
	if err != nil {
		return "", err
	}
	origin := hashes.New(hashes.Options{})
	replica := feed.NewReplica(feed.FromServices(guard.Assets, guard.Feed), feed.Options{Views: []feed.View{origin}})
	publisher, err := publish.New(publish.Dir(dir), publish.Options{
		Keys: []publish.Key{key}, Hashes: origin, Sync: replica.Refresh, Feed: guard.Feed, Assets: guard.Assets,
	})
	if err == nil {
		_, err = publisher.Publish(ctx)
	}
	return key.Verifier(), err
}
