package memory_test

import (
	"context"
	"fmt"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/storage/memory"
)

func ExampleNew() {
	store := memory.New()
	defer store.Close()

	guard := apguard.New(store, apguard.Options{})
	acme, err := guard.Accounts.CreateOrganization(context.Background(), account.OrganizationRequest{Slug: "acme", Name: "Acme"})
	if err != nil {
		fmt.Println(err)
		return
	}
	added, err := guard.Allowlist.Add(context.Background(), allowlist.AddRequest{
		OrganizationID: acme.ID,
		Items:          []allowlist.Item{{Content: "https://Acme.example/"}, {Content: "HTTPS://acme.example"}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, result := range added.Results {
		fmt.Println(result.Content, result.AssetID, result.Err)
	}
	// Output:
	// https://Acme.example/ 1 <nil>
	// HTTPS://acme.example 1 asset already exists in organization
}
