package mirror_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/feed/mirror"
	"github.com/apguard/apguard/storage/memory"
)

func ExampleMirror() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	guard := apguard.New(memory.New(), apguard.Options{})
	if _, err := guard.SetStatus(ctx, "bad.example.com", asset.StatusBlocked, asset.Origin{}); err != nil {
		fmt.Println(err)
		return
	}

	m := mirror.New(mirror.Options{ExternalLists: guard.ExternalLists})
	r := feed.NewReplica(feed.FromServices(guard.Assets, guard.Feed), feed.Options{Views: []feed.View{m}})
	_, err := m.Check(ctx, "https://login.bad.example.com/x")
	fmt.Println(errors.Is(err, mirror.ErrNotFilled))

	go r.Run(ctx)
	if err := r.Sync(ctx); err != nil { // wait until it is filled
		fmt.Println(err)
		return
	}
	verdict, err := m.Check(ctx, "https://login.bad.example.com/x")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(verdict.Status, "by", verdict.Match.Kind, verdict.Match.Canonical)
	// Output:
	// true
	// BLOCKED by DOMAIN bad.example.com
}
