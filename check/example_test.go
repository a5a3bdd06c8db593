package check_test

import (
	"context"
	"fmt"
	"log"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/storage/memory"
)

// A domain that is BLOCKED also blocks the links to it.
func ExampleService_Check() {
	ctx := context.Background()
	store := memory.New()
	_, err := asset.NewService(store, asset.Options{}).SetStatus(ctx, asset.SetStatusRequest{
		Identity: asset.Identity{Type: asset.TypePage, Canonical: "bad.example.com"},
		Status:   asset.StatusBlocked,
	})
	if err != nil {
		log.Fatal(err)
	}

	checks := check.NewService(store, check.Options{})
	for _, content := range []string{"https://login.bad.example.com/x", "https://other.example.com", "no asset"} {
		verdict, err := checks.Check(ctx, content)
		if err != nil { // not a verdict: UNKNOWN would be wrong
			fmt.Println("do not show:", err)
			continue
		}
		fmt.Println(verdict.Status, verdict.Source)
		if match := verdict.Match; match != nil { // nil unless an asset decides
			fmt.Println("-", match.Kind, match.Canonical)
		}
	}
	// Output:
	// BLOCKED ASSET
	// - DOMAIN bad.example.com
	// UNKNOWN NONE
	// do not show: invalid input: content: inner white space, control character or invisible direction mark
}
