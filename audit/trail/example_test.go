package trail_test

import (
	"context"
	"fmt"
	"log"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/audit/trail"
	"github.com/apguard/apguard/storage/memory"
)

// An operator reads what was done with API keys, page by page.
func ExampleService_List() {
	ctx := context.Background()
	store := memory.New()
	keys := account.NewKeyService(store, account.KeyOptions{})
	secret, err := keys.Create(ctx, account.KeyRequest{Scopes: []account.Scope{account.ScopeCheck}})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := keys.Revoke(ctx, account.HashKey(secret)); err != nil {
		log.Fatal(err)
	}

	req := trail.ListRequest{Filter: trail.Filter{Kind: audit.KindKey}, Limit: 1}
	for {
		page, err := trail.NewService(store).List(ctx, req)
		if err != nil {
			log.Fatal(err)
		}
		for _, entry := range page.Items {
			fmt.Println(entry.ID, entry.Action, entry.Kind)
		}
		if !page.More {
			return
		}
		req.Before = page.Last().ID
	}
	// Output:
	// 2 REVOKED KEY
	// 1 CREATED KEY
}
