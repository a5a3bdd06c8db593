package dispute_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/storage/memory"
)

// suffixList is an external list that blocks URLs by a suffix.
type suffixList string

func (l suffixList) Name() string { return "Example list" }

func (l suffixList) Status(_ context.Context, identity asset.Identity) (asset.Status, error) {
	if identity.Type == asset.TypeURL && strings.HasSuffix(identity.Canonical, string(l)) {
		return asset.StatusBlocked, nil
	}
	return asset.StatusUnknown, nil
}

// blockedShop returns a store with https://shop.example, which is BLOCKED.
func blockedShop(ctx context.Context) *memory.Store {
	store := memory.New()
	_, err := asset.NewService(store, asset.Options{}).SetStatus(ctx, asset.SetStatusRequest{
		Identity: asset.Identity{Type: asset.TypeURL, Canonical: "https://shop.example"},
		Status:   asset.StatusBlocked,
	})
	if err != nil {
		log.Fatal(err)
	}
	return store
}

// An external list is asked about every disputed asset. Assets that only the list blocks
// can also be disputed.
func ExampleNewService() {
	ctx := context.Background()
	disputes := dispute.NewService(memory.New(), dispute.Options{
		ExternalLists: check.ExternalLists{suffixList(".shop.example")},
	})

	created, err := disputes.Create(ctx, dispute.CreateRequest{Content: "https://new.shop.example", Email: "ada@shop.example"})
	fmt.Println(created.Message, err)
	// Output:
	// This asset is not blocked here. It is blocked in the external list Example list. <nil>
}

// Each e-mail address can dispute an asset once.
func ExampleService_Create() {
	ctx := context.Background()
	disputes := dispute.NewService(blockedShop(ctx), dispute.Options{})

	req := dispute.CreateRequest{Content: "https://shop.example/", Email: "ada@shop.example", Description: "It is ours."}
	created, err := disputes.Create(ctx, req)
	fmt.Println(created.Dispute.ID, created.Dispute.Email, err)

	_, err = disputes.Create(ctx, req)
	fmt.Println(err)
	// Output:
	// 1 ada@shop.example <nil>
	// dispute already exists for this asset and e-mail
}

// An operator reviews a dispute and accepts it.
func ExampleNewQueueService() {
	ctx := context.Background()
	store := blockedShop(ctx)
	created, err := dispute.NewService(store, dispute.Options{}).
		Create(ctx, dispute.CreateRequest{Content: "https://shop.example", Email: "ada@shop.example"})
	if err != nil {
		log.Fatal(err)
	}

	const operator = 7 // a user ID of the host application
	queue := dispute.NewQueueService(store, dispute.QueueOptions{})
	reviewed, err := queue.StartReview(ctx, dispute.TransitionRequest{DisputeID: created.Dispute.ID, Actor: operator})
	fmt.Println(reviewed.State, err)

	resolved, err := queue.Resolve(ctx, dispute.ResolveRequest{
		DisputeID:   created.Dispute.ID,
		State:       dispute.StateAccepted,
		AssetStatus: asset.StatusAllowed,
		Actor:       operator,
		Reason:      "The shop is theirs.",
	})
	fmt.Println(resolved.State, err)
	decision, _ := resolved.LastTransition()
	fmt.Println(decision.Author, decision.Text)

	_, err = queue.Withdraw(ctx, dispute.TransitionRequest{DisputeID: created.Dispute.ID})
	fmt.Println(err)
	// Output:
	// UNDER_REVIEW <nil>
	// ACCEPTED <nil>
	// 7 The shop is theirs.
	// dispute is ACCEPTED: cannot transition to WITHDRAWN
}

// The pages of OPEN disputes, the one that has waited longest first.
func ExampleQueueService_List() {
	ctx := context.Background()
	store := blockedShop(ctx)
	disputes := dispute.NewService(store, dispute.Options{})
	for _, email := range []string{"ada@shop.example", "bob@shop.example", "eve@shop.example"} {
		if _, err := disputes.Create(ctx, dispute.CreateRequest{Content: "https://shop.example", Email: email}); err != nil {
			log.Fatal(err)
		}
	}

	queue := dispute.NewQueueService(store, dispute.QueueOptions{})
	req := dispute.ListRequest{
		Filter:      dispute.Filter{States: []dispute.State{dispute.StateOpen}},
		OldestFirst: true,
		Limit:       2,
	}
	for {
		page, err := queue.List(ctx, req)
		if err != nil {
			log.Fatal(err)
		}
		for _, d := range page.Disputes {
			fmt.Println(d.ID, d.Email)
		}
		if page.NextCursor == (dispute.Cursor{}) {
			break
		}
		req.Cursor = page.NextCursor
	}
	// Output:
	// 1 ada@shop.example
	// 2 bob@shop.example
	// 3 eve@shop.example
}
