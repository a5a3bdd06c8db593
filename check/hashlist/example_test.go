package hashlist_test

import (
	"context"
	"fmt"
	"log"
	"net/http/httptest"
	"time"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check/hashlist"
	"github.com/apguard/apguard/client"
	"github.com/apguard/apguard/client/source"
	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/feed/hashes"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
)

// A client fetches hashes, and then checks contents without a request.
func ExampleList() {
	ctx := context.Background()
	server := exampleServer(ctx)
	defer server.Close()
	c, err := client.New(server.URL, client.Options{Key: "apg_example"})
	if err != nil {
		fmt.Println(err)
		return
	}

	list := hashlist.New(time.Hour) // checks fail after an hour without a refresh
	if err := list.Refresh(ctx, source.Hashes(c)); err != nil {
		fmt.Println(err)
		return
	}
	for _, content := range []string{"https://login.bad.example.com/x", "https://other.example.com"} {
		verdict, err := list.Check(ctx, content)
		if err != nil { // not a verdict: UNKNOWN would be wrong
			fmt.Println(err)
			return
		}
		fmt.Println(verdict.Status)
	}
	// Output:
	// BLOCKED
	// UNKNOWN
}

// exampleServer returns a server that blocks bad.example.com.
func exampleServer(ctx context.Context) *httptest.Server {
	store := memory.New()
	err := store.Import(ctx, storage.Seed{
		Keys:   []storage.SeedKey{{Key: "apg_example", Scopes: []account.Scope{account.ScopeCheck}}},
		Assets: []storage.SeedAsset{{Content: "bad.example.com", Status: asset.StatusBlocked, ChangedAt: time.Now()}},
	})
	if err != nil {
		log.Fatal(err)
	}
	guard := apguard.New(store, apguard.Options{})
	lists := hashes.New(hashes.Options{})
	replica := feed.NewReplica(feed.FromServices(guard.Assets, guard.Feed), feed.Options{Views: []feed.View{lists}})
	if err := replica.Refresh(ctx); err != nil {
		log.Fatal(err)
	}
	api, err := httpapi.New(guard, httpapi.APIKeys(guard.Keys), httpapi.Options{Hashes: lists})
	if err != nil {
		log.Fatal(err)
	}
	return httptest.NewServer(api)
}
