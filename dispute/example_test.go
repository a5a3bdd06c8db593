package dispute_test

import (
	"context"
	"fmt"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/storage/memory"
)

func Example() {
	ctx := context.Background()
	store := memory.New()
	_, err := asset.NewService(store, asset.Options{}).SetStatus(ctx, asset.StatusRequest{
		Identity: asset.Identity{Type: asset.TypeURL, Canonical: "https://shop.example"},
		Status:   asset.StatusBlocked,
	})
	if err != nil {
		fmt.Println(err)
		return
	}

	disputes := dispute.NewService(store, dispute.Options{})
	req := dispute.Request{Content: "https://shop.example/", Email: "ada@shop.example", Description: "It is ours."}
	created, err := disputes.Create(ctx, req)
	fmt.Println(created.Dispute.ID, created.Dispute.Email, err)

	_, err = disputes.Create(ctx, req)
	fmt.Println(err)
	// Output:
	// 1 ada@shop.example <nil>
	// dispute already exists for this asset and e-mail
}
