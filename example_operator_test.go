package apguard_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"strings"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/check/phishlist"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage/memory"
)

// Operators approve a report that blocks an asset. They then review a dispute of it, see why
// the asset is blocked, and accept the dispute.
func Example_operator() {
	ctx := context.Background()
	list, err := phishlist.Load(strings.NewReader(`[{"name":"Example list","allowlist":["shop.example"]}]`), phishlist.Options{})
	if err != nil {
		log.Fatal(err)
	}
	guard := apguard.New(memory.New(), apguard.Options{ExternalLists: check.ExternalLists{list}})
	const ada, bob = 1, 2 // user IDs of the host application

	// A report proposes to block the asset. Its approval blocks it.
	filed, err := guard.Reports.File(ctx, report.FileRequest{
		OrganizationID: 1,
		Title:          "Looks like our shop",
		Proposals:      []report.ProposalRequest{{Content: "https://shop.example", ProposedStatus: asset.StatusBlocked}},
	})
	if err != nil {
		log.Fatal(err)
	}
	_, err = guard.Reviews.Review(ctx, report.ReviewRequest{
		Scope: report.AnyOrganization(), ProposalID: filed.Proposals[0].ID, Status: report.ReviewApprove,
		Actor: ada, Comment: "it copies the login page",
	})
	if err != nil {
		log.Fatal(err)
	}

	// The owner disputes that. The domain alone is another asset than the URL.
	_, err = guard.Disputes.Create(ctx, dispute.CreateRequest{Content: "shop.example", Email: "owner@shop.example"})
	fmt.Println(errors.Is(err, asset.ErrNotFound))
	_, err = guard.Disputes.Create(ctx, dispute.CreateRequest{Content: "https://shop.example/", Email: "owner@shop.example"})
	if err != nil {
		log.Fatal(err)
	}

	// An operator reviews the dispute that has waited longest.
	page, err := guard.DisputeQueue.List(ctx, dispute.ListRequest{
		Filter: dispute.Filter{States: []dispute.State{dispute.StateOpen}}, OldestFirst: true, Limit: 1,
	})
	if err != nil {
		log.Fatal(err)
	}
	disputed, err := guard.DisputeQueue.StartReview(ctx, dispute.TransitionRequest{DisputeID: page.Disputes[0].ID, Actor: bob})
	if err != nil {
		log.Fatal(err)
	}

	// Explain shows why the asset is blocked.
	why, err := guard.Explain(ctx, disputed.Content)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(why.Asset.Status, "by", why.Change.Origin.Cause, why.Change.Origin.Reference, "but", why.Dissent)

	// The operator accepts the dispute, which unblocks the asset.
	_, err = guard.DisputeQueue.Resolve(ctx, dispute.ResolveRequest{
		DisputeID: disputed.ID, State: dispute.StateAccepted, AssetStatus: asset.StatusUnknown, Actor: bob, Reason: "it is their own shop",
	})
	if err != nil {
		log.Fatal(err)
	}

	// Followers receive both changes.
	for entry, err := range guard.Feed.Follow(ctx, asset.FeedCursor{}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(entry.Change.From, "->", entry.Change.To, entry.Change.Origin.Cause)
	}
	// Output:
	// true
	// BLOCKED by REVIEW report/1 but [{eth-phishing-detect ALLOWED}]
	// UNKNOWN -> BLOCKED REVIEW
	// BLOCKED -> UNKNOWN DISPUTE
}
