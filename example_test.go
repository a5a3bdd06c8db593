package apguard_test

import (
	"context"
	"fmt"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage/memory"
)

func Example() {
	ctx := context.Background()
	guard := apguard.New(memory.New(), apguard.Options{})

	_, err := guard.SetStatus(ctx, "https://shop.example", asset.StatusBlocked, asset.Origin{Reference: "ticket 12"})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = guard.Allowlist.Add(ctx, allowlist.Request{
		OrganizationID: 1,
		Items:          []allowlist.Item{{Content: "https://shop.example/", Name: "Our shop"}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}

	changes, err := guard.Changelog(ctx, apguard.ChangelogQuery{Content: "HTTPS://SHOP.example"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for change, err := range changes {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(change.From, "->", change.To, change.Origin.Cause)
	}
	// Output:
	// BLOCKED -> ALLOWED ALLOWLIST
	// UNKNOWN -> BLOCKED MANUAL
}
