package webhook_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage/memory"
	"github.com/apguard/apguard/webhook"
)

// The endpoint receives every asset that becomes BLOCKED. Its URL must be public.
func ExampleService_Create() {
	ctx := context.Background()
	store := memory.New()
	webhooks := webhook.NewService(store, store, store, webhook.Options{})
	req := webhook.CreateRequest{
		URL:    "https://receiver.example.com/hook",
		Events: []webhook.EventType{webhook.EventStatusChanged},
		Filter: webhook.Filter{Statuses: []asset.Status{asset.StatusBlocked}},
	}
	endpoint, secret, err := webhooks.Create(ctx, req)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(endpoint.ID, endpoint.State)
	fmt.Println(secret) // secret.Reveal returns the text for the owner of the receiver

	req.URL = "https://169.254.169.254/hook"
	_, _, err = webhooks.Create(ctx, req)
	fmt.Println(errors.Is(err, webhook.ErrNotPublic))
	// Output:
	// 1 ACTIVE
	// [secret]
	// true
}
