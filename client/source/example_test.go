package source_test

import (
	"context"
	"fmt"
	"log"
	"net/http/httptest"
	"time"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/client"
	"github.com/apguard/apguard/client/source"
	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/feed/mirror"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
)

// A mirror answers checks from a copy of the server's assets.
func ExampleNew() {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	server := exampleServer(ctx)
	defer server.Close()
	c, err := client.New(server.URL, client.Options{Key: "apg_example"})
	if err != nil {
		fmt.Println(err)
		return
	}

	m := mirror.New(mirror.Options{})
	r := feed.NewReplica(source.New(c), feed.Options{Views: []feed.View{m}})
	go r.Run(ctx)
	if err := r.Sync(ctx); err != nil { // wait until it is filled
		fmt.Println(err)
		return
	}
	verdict, err := m.Check(ctx, "https://login.bad.example.com/x")
	if err != nil { // not a verdict: UNKNOWN would be wrong
		fmt.Println(err)
		return
	}
	fmt.Println(verdict.Status)
	// Output: BLOCKED
}

// exampleServer returns a server that blocks bad.example.com.
func exampleServer(ctx context.Context) *httptest.Server {
	store := memory.New()
	err := store.Import(ctx, storage.Seed{
		Keys:   []storage.SeedKey{{Key: "apg_example", Scopes: []account.Scope{account.ScopeChangelog}}},
		Assets: []storage.SeedAsset{{Content: "bad.example.com", Status: asset.StatusBlocked, ChangedAt: time.Now()}},
	})
	if err != nil {
		log.Fatal(err)
	}
	guard := apguard.New(store, apguard.Options{})
	api, err := httpapi.New(guard, httpapi.APIKeys(guard.Keys), httpapi.Options{})
	if err != nil {
		log.Fatal(err)
	}
	return httptest.NewServer(api)
}
