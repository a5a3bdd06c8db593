package idempotency_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/idempotency"
	"github.com/apguard/apguard/storage/memory"
)

// A caller that received no answer sends the same request with the same key again.
func ExampleKey() {
	ctx := context.Background()
	key, err := idempotency.ParseKey(`"8e03978e-40d5-43dd-bc93-6894a57f9324"`) // the header Idempotency-Key
	if err != nil {
		log.Fatal(err)
	}
	store := memory.New()
	acme, err := account.NewService(store, account.Options{}).CreateOrganization(ctx, account.OrganizationRequest{Slug: "acme"})
	if err != nil {
		log.Fatal(err)
	}
	service := allowlist.NewService(store, allowlist.Options{})
	req := allowlist.AddRequest{
		OrganizationID: acme.ID,
		Items:          []allowlist.Item{{Content: "https://shop.example.com"}},
		Idempotency:    key,
	}
	for range 2 {
		added, err := service.Add(ctx, req)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(added.Results[0].AssetID, added.Results[0].Err)
	}

	req.Items[0].Content = "https://blog.example.com"
	_, err = service.Add(ctx, req)
	fmt.Println(errors.Is(err, idempotency.ErrReused))
	// Output:
	// 1 <nil>
	// 1 <nil>
	// true
}
