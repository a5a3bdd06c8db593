package allowlist_test

import (
	"context"
	"fmt"
	"log"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/storage/memory"
)

func ExampleNewService() {
	ctx, store := context.Background(), memory.New()
	acme, err := account.NewService(store, account.Options{}).CreateOrganization(ctx, account.OrganizationRequest{Slug: "acme"})
	if err != nil {
		log.Fatal(err)
	}
	service := allowlist.NewService(store, allowlist.Options{RefuseBlocked: true})
	added, err := service.Add(ctx, allowlist.AddRequest{
		OrganizationID: acme.ID,
		Items:          []allowlist.Item{{Content: "acme.com"}},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(added.Results[0].AssetID, added.Results[0].Err)
	// Output: 1 <nil>
}

// withOrganizations returns a store that has the organizations 1, 2 and 3.
func withOrganizations() allowlist.Store {
	store := memory.New()
	accounts := account.NewService(store, account.Options{})
	for i, slug := range []string{"acme", "globex", "initech"} {
		if err := accounts.PutOrganization(context.Background(), account.Organization{ID: int64(i + 1), Slug: slug}); err != nil {
			log.Fatal(err)
		}
	}
	return store
}

func ExampleService_Add() {
	service := allowlist.NewService(withOrganizations(), allowlist.Options{})
	added, err := service.Add(context.Background(), allowlist.AddRequest{
		OrganizationID: 1,
		Items: []allowlist.Item{
			{Content: "https://acme.example", Name: "Home"},
			{Content: "@acme"},
			{Content: "HTTPS://ACME.example/"},
			{Content: "no asset"},
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, result := range added.Results {
		fmt.Println(result.Content, result.AssetID, result.Err)
	}
	// Output:
	// https://acme.example 1 <nil>
	// @acme 2 <nil>
	// HTTPS://ACME.example/ 1 asset already exists in organization
	// no asset 0 inner white space, control character or invisible direction mark
}

func ExampleService_List() {
	ctx := context.Background()
	service := allowlist.NewService(withOrganizations(), allowlist.Options{})
	_, err := service.Add(ctx, allowlist.AddRequest{
		OrganizationID: 1,
		Items: []allowlist.Item{
			{Content: "https://acme.example/", Name: "Home"},
			{Content: "@acme", Name: "News"},
			{Content: "press@acme.com", Name: "Press"},
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	req := allowlist.ListRequest{OrganizationID: 1, Limit: 2}
	for {
		page, err := service.List(ctx, req)
		if err != nil {
			log.Fatal(err)
		}
		for _, entry := range page.Entries {
			fmt.Println(entry.Name, entry.Asset.Type, entry.Asset.Canonical)
		}
		if page.NextCursor == 0 {
			break
		}
		req.Cursor = page.NextCursor
	}
	// Output:
	// Home URL https://acme.example
	// News TWITTER x.com/acme
	// Press EMAIL press@acme.com
}

func ExampleService_AllowedBy() {
	ctx := context.Background()
	service := allowlist.NewService(withOrganizations(), allowlist.Options{})
	var assetID int64
	for organization := range int64(3) {
		added, err := service.Add(ctx, allowlist.AddRequest{
			OrganizationID: organization + 1,
			Items:          []allowlist.Item{{Content: "https://shared.example"}},
		})
		if err != nil {
			log.Fatal(err)
		}
		assetID = added.Results[0].AssetID
	}
	page, err := service.AllowedBy(ctx, allowlist.AllowedByRequest{AssetID: assetID})
	if err != nil {
		log.Fatal(err)
	}
	for _, found := range page.Organizations {
		fmt.Println(found.OrganizationID)
	}
	// Output:
	// 1
	// 2
	// 3
}
