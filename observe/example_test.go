package observe_test

import (
	"context"
	"fmt"
	"log"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/observe"
	"github.com/apguard/apguard/storage/memory"
)

// printer prints each operation when it has ended.
type printer struct{}

func (printer) Start(ctx context.Context, _ string) context.Context { return ctx }

func (printer) End(_ context.Context, outcome observe.Outcome) {
	fmt.Println(outcome.Operation, outcome.Result, outcome.Changes, outcome.Verdicts)
}

// An Observer counts, times or traces operations. Here it prints them.
func ExampleObserver() {
	ctx := context.Background()
	guard := apguard.New(memory.New(), apguard.Options{Observers: []observe.Observer{printer{}}})
	if _, err := guard.SetStatus(ctx, "bad.example.com", asset.StatusBlocked, asset.Origin{}); err != nil {
		log.Fatal(err)
	}
	if _, err := guard.Checks.Check(ctx, "https://bad.example.com/x"); err != nil {
		log.Fatal(err)
	}
	// Output:
	// asset.find_near OK [] []
	// asset.set_status OK [{BLOCKED 1}] []
	// check OK [] [{BLOCKED ASSET 1}]
}
