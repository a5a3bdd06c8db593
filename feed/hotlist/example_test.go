package hotlist_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http/httptest"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/feed/hotlist"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/storage/memory"
)

// A client of MetaMask's phishing detection requests all lists.
func ExampleHotlist() {
	ctx := context.Background()
	guard := apguard.New(memory.New(), apguard.Options{})
	if _, err := guard.SetStatus(ctx, "bad.example.com", asset.StatusBlocked, asset.Origin{}); err != nil {
		log.Fatal(err)
	}

	list := hotlist.New(hotlist.Options{})
	replica := feed.NewReplica(feed.FromServices(guard.Assets, guard.Feed), feed.Options{Views: []feed.View{list}})
	if err := replica.Refresh(ctx); err != nil { // a server calls Run in a goroutine of its own instead
		log.Fatal(err)
	}
	api, err := httpapi.NewPhishing(list, httpapi.Options{})
	if err != nil {
		log.Fatal(err)
	}
	response := httptest.NewRecorder()
	api.ServeHTTP(response, httptest.NewRequestWithContext(ctx, "GET", "/v1/stalelist", nil))
	var lists struct {
		Data struct{ Blocklist []string }
	}
	err = json.NewDecoder(response.Body).Decode(&lists)
	fmt.Println(lists.Data.Blocklist, err)
	// Output: [bad.example.com] <nil>
}
