package account_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/storage/memory"
)

func ExampleNewService() {
	ctx := context.Background()
	accounts := account.NewService(memory.New(), account.Options{})
	_ = accounts.PutOrganization(ctx, account.Organization{ID: 1, Slug: "acme", Name: "Acme"})
	_ = accounts.PutUser(ctx, account.User{ID: 7, FullName: "Ada", Email: "ada@acme.example"})
	sites, _ := accounts.PutGroup(ctx, account.Group{OrganizationID: 1, Name: "Sites"})

	acme, _ := accounts.OrganizationBySlug(ctx, "acme")
	fmt.Println(acme.ID, acme.Name, sites.ID)
	err := accounts.PutOrganization(ctx, account.Organization{ID: 2, Slug: "acme"})
	fmt.Println(err)
	err = accounts.PutOrganization(ctx, account.Organization{Slug: " "})
	fmt.Println(err)
	// Output:
	// 1 Acme 1
	// slug belongs to another organization
	// invalid input: id: must be from 1 to 2^53-1; slug: must not be blank
}

func ExampleNewKeyService() {
	ctx := context.Background()
	store := memory.New()
	_ = account.NewService(store, account.Options{}).PutOrganization(ctx, account.Organization{ID: 1, Slug: "acme"})

	keys := account.NewKeyService(store, account.KeyOptions{})
	secret, _ := keys.Create(ctx, account.KeyRequest{OrganizationID: 1, Scopes: account.Scopes()})
	principal, _ := keys.Authenticate(ctx, secret)
	fmt.Println(principal.OrganizationSlug)
	// Output: acme
}

func ExampleKeyService_Create() {
	ctx := context.Background()
	keys := account.NewKeyService(memory.New(), account.KeyOptions{})
	secret, _ := keys.Create(ctx, account.KeyRequest{
		Name:      "Crawler",
		Scopes:    []account.Scope{account.ScopeChangelog},
		ExpiresAt: time.Now().AddDate(1, 0, 0),
	})
	fmt.Println(secret[:4], len(secret))
	_, err := keys.Create(ctx, account.KeyRequest{OrganizationID: 1})
	fmt.Println(err)
	// Output:
	// apg_ 47
	// organization not found
}

// A host application can store the keys from its configuration at each start.
func ExampleKeyService_Put() {
	ctx := context.Background()
	keys := account.NewKeyService(memory.New(), account.KeyOptions{})
	for range 2 {
		err := keys.Put(ctx, "secret-of-an-older-service", account.KeyRequest{Scopes: []account.Scope{account.ScopeReports}})
		fmt.Println(err)
	}
	principal, err := keys.Authenticate(ctx, "secret-of-an-older-service")
	fmt.Println(principal.Scopes, err)
	// Output:
	// <nil>
	// <nil>
	// [reports] <nil>
}

// The old key works for another day.
func ExampleKeyService_Rotate() {
	ctx := context.Background()
	now := time.Date(2025, time.January, 5, 12, 0, 0, 0, time.UTC)
	keys := account.NewKeyService(memory.New(), account.KeyOptions{Clock: func() time.Time { return now }})
	old, _ := keys.Create(ctx, account.KeyRequest{})
	fresh, _ := keys.Rotate(ctx, account.HashKey(old), 24*time.Hour)

	_, err := keys.Authenticate(ctx, old)
	fmt.Println(err)
	now = now.AddDate(0, 0, 1)
	_, err = keys.Authenticate(ctx, old)
	fmt.Println(errors.Is(err, account.ErrExpiredKey))
	_, err = keys.Authenticate(ctx, fresh)
	fmt.Println(err)
	// Output:
	// <nil>
	// true
	// <nil>
}

func ExampleKeyService_Revoke() {
	ctx := context.Background()
	keys := account.NewKeyService(memory.New(), account.KeyOptions{})
	secret, _ := keys.Create(ctx, account.KeyRequest{})
	key, _ := keys.Revoke(ctx, account.HashKey(secret))
	_, err := keys.Authenticate(ctx, secret)
	fmt.Println(key.RevokedAt.IsZero(), errors.Is(err, account.ErrRevokedKey))
	// Output: false true
}

func ExampleKeyService_Authenticate() {
	ctx := context.Background()
	keys := account.NewKeyService(memory.New(), account.KeyOptions{})
	_, err := keys.Authenticate(ctx, "apg_made_up")
	var refused *account.KeyError
	if errors.As(err, &refused) {
		fmt.Println(refused.Fingerprint, refused.Err)
	}
	// Output: 4cb827009977 unknown API key
}
