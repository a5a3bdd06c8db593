package client_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/client"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
)

// exampleServer returns a server with two assets, which has the operators' API below /operator.
func exampleServer(ctx context.Context) *httptest.Server {
	store, at := memory.New(), time.Date(2025, 1, 5, 10, 0, 0, 0, time.UTC)
	err := store.Import(ctx, storage.Seed{
		Organizations: []storage.SeedOrganization{{ID: 1, Slug: "acme", Name: "Acme"}},
		Users:         []account.User{{ID: 1, FullName: "Ada Lovelace"}},
		Keys: []storage.SeedKey{
			{Key: "apg_example", Organization: "acme", Scopes: account.Scopes()},
			{Key: "apg_operator", User: 1, Scopes: account.OperatorScopes()},
		},
		Assets: []storage.SeedAsset{
			{Content: "bad.example.com", Status: asset.StatusBlocked, ChangedAt: at},
			{Content: "good.example.com", Status: asset.StatusAllowed, ChangedAt: at},
		},
	})
	if err != nil {
		panic(err)
	}
	guard := apguard.New(store, apguard.Options{})
	api, err := httpapi.New(guard, httpapi.APIKeys(guard.Keys), httpapi.Options{})
	if err != nil {
		panic(err)
	}
	operators, err := httpapi.NewOperator(guard, httpapi.APIKeys(guard.Keys), httpapi.Options{})
	if err != nil {
		panic(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/", api)
	operators.Mount(mux, "/operator")
	return httptest.NewServer(mux)
}

// An operator blocks the assets of a campaign, all but one that many people use, and takes one back.
func ExampleOperator() {
	ctx := context.Background()
	server := exampleServer(ctx)
	defer server.Close()

	operator, err := client.NewOperator(server.URL+"/operator", client.Options{Key: "apg_operator"})
	if err != nil {
		fmt.Println(err)
		return
	}
	results, err := operator.SetStatuses(ctx, client.SetStatusesRequest{
		Items: []client.StatusItem{
			{Content: "https://good.example.com/login", Status: asset.StatusBlocked},
			{Content: "shop.example.org", Status: asset.StatusBlocked},
			{Content: "github.io", Status: asset.StatusBlocked},
		},
		Reason:    asset.ReasonPhishing,
		Reference: "ticket/7",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, result := range results {
		switch {
		case errors.Is(result.Err, asset.ErrProtected): // set it again with ConfirmProtected if it is meant
			fmt.Println(result.Content, "is protected")
		case result.Err != nil:
			fmt.Println(result.Content, result.Err)
		default:
			fmt.Println(result.Content, result.From, "to", result.Asset.Status)
		}
	}
	_, err = operator.Withdraw(ctx, client.WithdrawRequest{Content: "shop.example.org", Reference: "ticket/8"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for change, err := range operator.Decisions(ctx, client.DecisionsRequest{UserID: 1}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		if change.Reference == "ticket/8" {
			fmt.Println(change.Actor.FullName+":", change.Content, change.From, "to", change.To)
		}
	}
	// Output:
	// https://good.example.com/login UNKNOWN to BLOCKED
	// shop.example.org UNKNOWN to BLOCKED
	// github.io is protected
	// Ada Lovelace: shop.example.org BLOCKED to UNKNOWN
}

func ExampleClient_Check() {
	ctx := context.Background()
	server := exampleServer(ctx)
	defer server.Close()

	c, err := client.New(server.URL, client.Options{Key: "apg_example"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, content := range []string{"https://login.bad.example.com/x", "https://other.example.com", "no asset"} {
		verdict, err := c.Check(ctx, content)
		switch {
		case errors.Is(err, client.ErrInvalid):
			fmt.Println("do not show it")
		case err != nil: // not an answer: UNKNOWN would be wrong
			fmt.Println(err)
		default:
			fmt.Println(verdict.Status)
		}
	}
	// Output:
	// BLOCKED
	// UNKNOWN
	// do not show it
}

// A copy of all blocked assets begins with an export and continues with the feed.
func ExampleClient_Follow() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	server := exampleServer(ctx)
	defer server.Close()

	c, err := client.New(server.URL, client.Options{Key: "apg_example"})
	if err != nil {
		fmt.Println(err)
		return
	}
	export, err := c.Export(ctx, client.ExportRequest{Status: client.ExportBlocked})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer export.Close()
	blocked := make(map[asset.Identity]bool)
	for listed, err := range export.Assets() {
		if err != nil {
			fmt.Println(err)
			return
		}
		blocked[listed.Identity] = true
		fmt.Println("listed:", listed.Canonical)
	}

	if _, err := c.AddToAllowlist(ctx, client.AddRequest{Assets: []client.Item{{Content: "bad.example.com"}}}); err != nil {
		fmt.Println(err)
		return
	}
	for page, err := range c.Follow(ctx, export.Cursor) {
		if err != nil {
			fmt.Println(err) // begin again with an export if it matches client.ErrCursor
			return
		}
		for _, change := range page.Changes {
			blocked[change.Identity()] = change.To == asset.StatusBlocked
			fmt.Println("changed:", change.Content, change.To)
		}
		cancel() // a follower stores page.Cursor instead
		break
	}
	// Output:
	// listed: bad.example.com
	// changed: bad.example.com ALLOWED
}
