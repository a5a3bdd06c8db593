package audit_test

import (
	"context"
	"fmt"
	"log"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/audit/trail"
	"github.com/apguard/apguard/storage/memory"
)

// Acts with the context are recorded with its actor.
func ExampleWithActor() {
	guard := apguard.New(memory.New(), apguard.Options{})
	ctx := audit.WithActor(context.Background(), audit.Actor{Channel: audit.ChannelCommandLine, UserID: 7})
	if err := guard.Accounts.PutOrganization(ctx, account.Organization{ID: 1, Slug: "acme"}); err != nil {
		log.Fatal(err)
	}

	for entry, err := range guard.Audit.All(ctx, trail.Filter{}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(entry.Actor.Channel, entry.Actor.UserID)
		fmt.Println(entry.Action, entry.Kind, entry.Subject)
	}
	// Output:
	// COMMAND_LINE 7
	// CREATED ORGANIZATION 1
}
