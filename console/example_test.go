package console_test

import (
	"context"
	"log"
	"net/http"

	"github.com/apguard/apguard/console"
)

// A server has the page at the root, beside the two APIs.
func Example() {
	site, err := console.Build(context.Background(), console.Addresses{API: "/api/v2", OperatorAPI: "/operator"})
	if err != nil {
		log.Fatal(err)
	}
	page, err := console.NewHandler(site)
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/", page)
}
