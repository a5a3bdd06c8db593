package fetch_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"

	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/lists/fetch"
	"github.com/apguard/apguard/storage/memory"
)

// A list is fetched at once. [fetch.Fetcher.Run] does so when lists are due.
func ExampleFetcher_FetchNow() {
	ctx := context.Background()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintln(w, "bad.example.com\nworse.example.com")
	}))
	defer site.Close()

	// The site of this example is on the same machine, which is refused by default.
	service := lists.NewService(memory.New(), lists.Options{AllowPrivate: true})
	_, err := service.Add(ctx, lists.List{Name: "feed", Format: lists.Domains, URL: site.URL})
	if err != nil {
		log.Fatal(err) //nolint:gocritic // the site ends with the example
	}
	result, err := fetch.New(service, fetch.Options{}).FetchNow(ctx, lists.SyncRequest{Name: "feed"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Added, "added,", result.Withdrawn, "withdrawn")
	// Output: 2 added, 0 withdrawn
}
