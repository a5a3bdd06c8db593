package report_test

import (
	"context"
	"fmt"
	"log"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage/memory"
)

// fakeShop is a report to file.
func fakeShop() report.FileRequest {
	return report.FileRequest{
		OrganizationID: 1,
		Title:          "Fake shop",
		Proposals:      []report.ProposalRequest{{Content: "https://bad.example", ProposedStatus: asset.StatusBlocked}},
	}
}

func ExampleNewService() {
	reports := report.NewService(memory.New(), report.Options{})
	page, err := reports.List(context.Background(), report.ListRequest{Scope: report.InOrganization(1)})
	fmt.Println(len(page.Reports), err)
	// Output:
	// 0 <nil>
}

func ExampleNewReviewService() {
	store := memory.New()
	reports, reviews := report.NewService(store, report.Options{}), report.NewReviewService(store, report.Options{})
	filed, err := reports.File(context.Background(), fakeShop())
	if err != nil {
		log.Fatal(err)
	}
	kept, err := reviews.List(context.Background(), report.InOrganization(1), filed.Proposals[0].ID)
	fmt.Println(len(kept), err)
	// Output:
	// 0 <nil>
}

func ExampleService_File() {
	reports := report.NewService(memory.New(), report.Options{})
	filed, err := reports.File(context.Background(), report.FileRequest{
		OrganizationID: 1,
		Title:          "Fake shop",
		Proposals:      []report.ProposalRequest{{Content: "HTTPS://Bad.example/", ProposedStatus: asset.StatusBlocked}},
	})
	if err != nil {
		log.Fatal(err)
	}
	proposal := filed.Proposals[0]
	fmt.Println(filed.Status, proposal.Content, proposal.Asset.Canonical, proposal.Asset.Status)
	// Output:
	// TODO HTTPS://Bad.example/ https://bad.example UNKNOWN
}

func ExampleService_List() {
	ctx := context.Background()
	reports := report.NewService(memory.New(), report.Options{})
	for _, organization := range []int64{1, 2} {
		_, err := reports.File(ctx, report.FileRequest{OrganizationID: organization, Title: fmt.Sprint("Report of ", organization)})
		if err != nil {
			log.Fatal(err)
		}
	}
	for _, scope := range []report.Scope{report.InOrganization(1), report.AnyOrganization()} {
		page, err := reports.List(ctx, report.ListRequest{Scope: scope, Filter: report.Filter{SearchQuery: "REPORT"}, Limit: 10})
		if err != nil {
			log.Fatal(err)
		}
		for _, r := range page.Reports {
			fmt.Println(r.Title)
		}
	}
	// Output:
	// Report of 1
	// Report of 2
	// Report of 1
}

func ExampleReviewService_Review() {
	ctx := context.Background()
	store := memory.New()
	filed, err := report.NewService(store, report.Options{}).File(ctx, fakeShop())
	if err != nil {
		log.Fatal(err)
	}
	reviewed, err := report.NewReviewService(store, report.Options{}).Review(ctx, report.ReviewRequest{
		Scope:      report.InOrganization(1),
		ProposalID: filed.Proposals[0].ID,
		Status:     report.ReviewApprove,
		Actor:      7,
		Comment:    "It copies the login page.",
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(reviewed.Status, reviewed.Proposals[0].Asset.Status)
	// Output:
	// CLOSED BLOCKED
}

func ExampleReviewService_Withdraw() {
	ctx := context.Background()
	store := memory.New()
	reviews := report.NewReviewService(store, report.Options{})
	filed, err := report.NewService(store, report.Options{}).File(ctx, fakeShop())
	if err != nil {
		log.Fatal(err)
	}
	scope := report.InOrganization(1)
	approved, err := reviews.Review(ctx, report.ReviewRequest{
		Scope: scope, ProposalID: filed.Proposals[0].ID, Status: report.ReviewApprove,
	})
	if err != nil {
		log.Fatal(err)
	}
	withdrawn, err := reviews.Withdraw(ctx, report.WithdrawRequest{
		Scope: scope, ReviewID: approved.Proposals[0].ReviewID, Actor: 7, Reason: "It is their own shop.",
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(approved.Proposals[0].Asset.Status, withdrawn.Proposals[0].Asset.Status, withdrawn.Status)
	// Output:
	// BLOCKED UNKNOWN TODO
}

func ExampleReviewService_Escalate() {
	ctx := context.Background()
	store := memory.New()
	filed, err := report.NewService(store, report.Options{}).File(ctx, fakeShop())
	if err != nil {
		log.Fatal(err)
	}
	escalated, err := report.NewReviewService(store, report.Options{}).Escalate(ctx, report.EscalateRequest{
		Scope: report.AnyOrganization(), ReportID: filed.ID, Actor: 7, Comment: "Who owns this brand?",
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(escalated.Proposals[0].ReviewStatus, escalated.Status)
	// Output:
	// ESCALATE TODO
}
