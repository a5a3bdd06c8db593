package allowlist_test

import (
	"context"
	"fmt"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/storage/memory"
)

func Example() {
	service := allowlist.NewService(memory.New(), allowlist.Options{})
	results, err := service.Add(context.Background(), allowlist.Request{
		OrganizationID: 1,
		Items: []allowlist.Item{
			{Content: "https://acme.example", Name: "Home"},
			{Content: "@acme"},
			{Content: "HTTPS://ACME.example/"},
			{Content: "no asset"},
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, result := range results {
		fmt.Println(result.Content, result.AssetID, result.Err)
	}
	// Output:
	// https://acme.example 1 <nil>
	// @acme 2 <nil>
	// HTTPS://ACME.example/ 0 asset already exists in organization
	// no asset 0 invalid asset format: inner white space, control character or invisible direction mark
}
