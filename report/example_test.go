package report_test

import (
	"context"
	"fmt"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage/memory"
)

func Example() {
	ctx := context.Background()
	reports := report.NewService(memory.New(), report.Options{})
	filed, err := reports.File(ctx, report.FileRequest{
		OrganizationID: 1,
		Title:          "Fake shop",
		Proposals:      []report.ProposalRequest{{Content: "https://bad.example", ProposedStatus: asset.StatusBlocked}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(filed.Status, filed.Proposals[0].Asset.Status)

	reviewed, err := reports.Review(ctx, report.ReviewRequest{ProposalID: filed.Proposals[0].ID, Status: report.ReviewApprove})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(reviewed.Status, reviewed.Proposals[0].Asset.Status)
	// Output:
	// TODO UNKNOWN
	// CLOSED BLOCKED
}
