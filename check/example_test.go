package check_test

import (
	"context"
	"errors"
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

// A list that knows host names also blocks their subdomains and the links to them.
func ExampleHostList() {
	blocked := map[string]bool{"bad.example.com": true}
	list := check.HostList("Our list", func(_ context.Context, host string) (asset.Status, error) {
		if blocked[host] {
			return asset.StatusBlocked, nil
		}
		return asset.StatusUnknown, nil
	})

	checks := check.NewService(memory.New(), check.Options{ExternalLists: check.ExternalLists{list}})
	for _, content := range []string{"https://login.bad.example.com/x", "bob@bad.example.com", "https://example.com"} {
		verdict, err := checks.Check(context.Background(), content)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(verdict.Status, verdict.Source, verdict.Lists)
	}
	// Output:
	// BLOCKED LIST [{Our list BLOCKED}]
	// BLOCKED LIST [{Our list BLOCKED}]
	// UNKNOWN NONE []
}

// With FailClosed, a check fails rather than answer UNKNOWN without a list that could block.
func ExampleOptions_failClosed() {
	list := check.HostList("Remote", func(context.Context, string) (asset.Status, error) {
		return "", errors.New("no answer")
	})
	for _, failClosed := range []bool{false, true} {
		checks := check.NewService(memory.New(), check.Options{ExternalLists: check.ExternalLists{list}, FailClosed: failClosed})
		verdict, err := checks.Check(context.Background(), "https://example.com")
		fmt.Println(verdict.Status, verdict.ListsFailed.Names(), errors.Is(err, check.ErrListFailed))
	}
	// Output:
	// UNKNOWN [Remote] false
	//  [] true
}
