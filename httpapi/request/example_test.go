package request_test

import (
	"fmt"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/httpapi/request"
)

// The texts of a refusal are those of the response with the status 400.
func ExampleRefusal() {
	call := request.Call{
		Body:   []byte(`{"content": 7, "email": "no address"}`),
		Caller: account.Principal{OrganizationID: 1, UserID: 7},
	}
	_, err := call.CreateDispute()
	message, issues, invalid := request.Refusal(err)
	if !invalid {
		fmt.Println(err)
		return
	}
	fmt.Println(message)
	for _, text := range request.IssueTexts(issues, asset.Issue.String) {
		fmt.Println("-", text)
	}
	// Output:
	// Invalid input data
	// - content: must be a string
	// - email: must be an e-mail address
}
