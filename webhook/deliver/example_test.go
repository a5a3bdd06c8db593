package deliver_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage/memory"
	"github.com/apguard/apguard/webhook"
	"github.com/apguard/apguard/webhook/deliver"
)

// A receiver gets a message when the status of an asset has changed.
func ExampleSender() {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var message struct{ Type webhook.EventType }
		err := json.NewDecoder(r.Body).Decode(&message) // a receiver verifies the signature first
		fmt.Println("received", message.Type, err)
	}))
	defer receiver.Close()

	guard := apguard.New(memory.New(), apguard.Options{PrivateWebhooks: true}) // only because the receiver is local
	_, _, err := guard.Webhooks.Create(ctx, webhook.CreateRequest{
		URL:    receiver.URL,
		Events: []webhook.EventType{webhook.EventStatusChanged},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := guard.SetStatus(ctx, "https://bad.example.com", asset.StatusBlocked, asset.Origin{}); err != nil {
		fmt.Println(err)
		return
	}

	sender := deliver.New(guard.Webhooks, deliver.Options{OnEvent: func(event deliver.Event) {
		fmt.Println("delivered:", event.Kind == deliver.EventDelivered)
		stop()
	}})
	fmt.Println(sender.Run(ctx)) // a server calls Run in a goroutine of its own
	// Output:
	// received asset.status_changed <nil>
	// delivered: true
	// context canceled
}
