package pending_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/pending"
	"github.com/apguard/apguard/storage/memory"
)

// One operator asks to block a public suffix, and another one approves it.
func ExampleService_Approve() {
	ctx := context.Background()
	guard := apguard.New(memory.New(), apguard.Options{FourEyes: true})
	suffix := asset.Identity{Type: asset.TypePage, Canonical: "github.io"}

	_, err := guard.Assets.SetStatus(ctx, asset.SetStatusRequest{
		Identity: suffix, Status: asset.StatusBlocked, ConfirmProtected: true, Origin: asset.Origin{Actor: 7},
	})
	var held *pending.Error
	if !errors.As(err, &held) {
		log.Fatal(err)
	}
	fmt.Println(held.Act.Kind, held.Act.State, held.Act.Assets[0].Protection)

	if _, err := guard.Pending.Approve(ctx, pending.DecideRequest{ID: held.Act.ID, Actor: 8}); err != nil {
		log.Fatal(err)
	}
	blocked, err := guard.Assets.Get(ctx, suffix)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(blocked.Status)
	// Output:
	// BLOCK_PROTECTED PENDING github.io is a public suffix
	// BLOCKED
}
