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
	req := dispute.CreateRequest{Content: "https://shop.example/", Email: "ada@shop.example", Description: "It is ours."}
	created, err := disputes.Create(ctx, req)
	fmt.Println(created.Dispute.ID, created.Dispute.Email, err)

	_, err = disputes.Create(ctx, req)
	fmt.Println(err)
	// Output:
	// 1 ada@shop.example <nil>
	// dispute already exists for this asset and e-mail
}

// A desk takes the dispute up that has waited longest, and decides it.
func Example_desk() {
	ctx := context.Background()
	store := memory.New()
	assets, disputes := asset.NewService(store, asset.Options{}), dispute.NewService(store, dispute.Options{})
	shop := asset.Identity{Type: asset.TypeURL, Canonical: "https://shop.example"}
	_, err := assets.SetStatus(ctx, asset.StatusRequest{Identity: shop, Status: asset.StatusBlocked})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, email := range []string{"ada@shop.example", "bob@shop.example"} {
		if _, err := disputes.Create(ctx, dispute.CreateRequest{Content: "https://shop.example", Email: email}); err != nil {
			fmt.Println(err)
			return
		}
	}

	const reviewer = 7
	page, err := disputes.List(ctx, dispute.ListRequest{
		Filter:      dispute.Filter{States: []dispute.State{dispute.StateOpen}},
		OldestFirst: true,
		Limit:       10,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	first := page.Disputes[0]
	fmt.Println(len(page.Disputes), "open, first", first.Email)

	taken, err := disputes.StartReview(ctx, dispute.TransitionRequest{DisputeID: first.ID, Actor: reviewer})
	fmt.Println(taken.State, err)
	decided, err := disputes.Resolve(ctx, dispute.ResolveRequest{
		DisputeID:   first.ID,
		State:       dispute.StateAccepted,
		AssetStatus: asset.StatusAllowed,
		Actor:          reviewer,
		Reason:      "The shop is theirs.",
	})
	fmt.Println(decided.State, err)
	decision, _ := decided.LastTransition()
	fmt.Println(decision.Text)
	now, err := assets.Get(ctx, shop)
	fmt.Println(now.Status, err)

	_, err = disputes.Withdraw(ctx, dispute.TransitionRequest{DisputeID: first.ID})
	fmt.Println(err)
	// Output:
	// 2 open, first ada@shop.example
	// UNDER_REVIEW <nil>
	// ACCEPTED <nil>
	// The shop is theirs.
	// ALLOWED <nil>
	// dispute is ACCEPTED and cannot become WITHDRAWN in this way
}
