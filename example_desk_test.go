package apguard_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"strings"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/dispute/phishlist"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage/memory"
)

// A review desk blocks an asset by a report, hears whoever disputes it, looks at why
// it is blocked, and decides.
func Example_reviewDesk() {
	ctx := context.Background()
	list, err := phishlist.Load(strings.NewReader(`[{"name":"Example list","allowlist":["shop.example"]}]`), phishlist.Options{})
	if err != nil {
		log.Fatal(err)
	}
	guard := apguard.New(memory.New(), apguard.Options{ExternalLists: []dispute.ExternalList{list}})
	const ada, bob = 1, 2 // users of the host

	// A report proposes to block the asset, and its approval does so.
	filed, err := guard.Reports.File(ctx, report.FileRequest{
		OrganizationID: 1,
		Title:          "Looks like our shop",
		Proposals:      []report.ProposalRequest{{Content: "https://shop.example", ProposedStatus: asset.StatusBlocked}},
	})
	if err != nil {
		log.Fatal(err)
	}
	_, err = guard.Reports.Review(ctx, report.ReviewRequest{
		ProposalID: filed.Proposals[0].ID, Status: report.ReviewApprove, By: ada, Comment: "it copies the login page",
	})
	if err != nil {
		log.Fatal(err)
	}

	// Somebody disputes that. The desk takes up what has waited longest.
	_, err = guard.Disputes.Create(ctx, dispute.CreateRequest{Content: "shop.example", Email: "owner@shop.example"})
	fmt.Println(errors.Is(err, asset.ErrNotFound)) // the domain is another asset than the URL
	_, err = guard.Disputes.Create(ctx, dispute.CreateRequest{Content: "https://shop.example/", Email: "owner@shop.example"})
	if err != nil {
		log.Fatal(err)
	}
	queue, err := guard.DisputeQueue.List(ctx, dispute.ListRequest{
		Filter: dispute.Filter{States: []dispute.State{dispute.StateOpen}}, OldestFirst: true, Limit: 1,
	})
	if err != nil {
		log.Fatal(err)
	}
	taken, err := guard.DisputeQueue.StartReview(ctx, dispute.TransitionRequest{DisputeID: queue.Disputes[0].ID, Actor: bob})
	if err != nil {
		log.Fatal(err)
	}

	// Why is it blocked?
	why, err := guard.Explain(ctx, taken.Content)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(why.Asset.Status, "by", why.Change.Origin.Cause, why.Change.Origin.Reference, "but", why.Dissent)

	// Wrongly, Bob finds.
	_, err = guard.DisputeQueue.Resolve(ctx, dispute.ResolveRequest{
		DisputeID: taken.ID, State: dispute.StateAccepted, AssetStatus: asset.StatusUnknown, Actor: bob, Reason: "it is their own shop",
	})
	if err != nil {
		log.Fatal(err)
	}

	// Whoever copies the statuses elsewhere follows, and keeps the cursor.
	for followed, err := range guard.Assets.Follow(ctx, asset.FeedCursor{}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(followed.Change.From, "->", followed.Change.To, followed.Change.Origin.Cause)
	}
	// Output:
	// true
	// BLOCKED by REVIEW report/1 but [{eth-phishing-detect ALLOWED}]
	// UNKNOWN -> BLOCKED REVIEW
	// BLOCKED -> UNKNOWN DISPUTE
}
