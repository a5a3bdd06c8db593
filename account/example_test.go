package account_test

import (
	"context"
	"fmt"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/storage/memory"
)

func Example() {
	ctx := context.Background()
	accounts := account.NewService(memory.New(), account.Options{})
	if err := accounts.PutOrganization(ctx, account.Organization{ID: 1, Slug: "acme", Name: "Acme"}); err != nil {
		fmt.Println(err)
		return
	}
	key, err := accounts.CreateKey(ctx, account.KeyRequest{
		OrganizationID: 1,
		Scopes:         []account.Scope{account.ScopeAllowlist},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	principal, err := accounts.Authenticate(ctx, key)
	fmt.Println(principal.OrganizationSlug, principal.Scopes, err)

	_, err = accounts.Authenticate(ctx, "apg_made_up")
	fmt.Println(err)
	// Output:
	// acme [allowlist] <nil>
	// unknown API key 4cb827009977
}
