package metrics_test

import (
	"context"
	"fmt"
	"log"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/metrics"
	"github.com/apguard/apguard/observe"
	"github.com/apguard/apguard/storage/memory"
)

// A host application passes the values on to its library for metrics. Here it prints two of them.
func ExampleCounts() {
	ctx := context.Background()
	counts := metrics.NewCounts(nil)
	guard := apguard.New(memory.New(), apguard.Options{Observers: []observe.Observer{counts}})
	if _, err := guard.SetStatus(ctx, "bad.example.com", asset.StatusBlocked, asset.Origin{}); err != nil {
		log.Fatal(err)
	}

	families, err := counts.Read(ctx, metrics.Sources{Guard: guard})
	if err != nil {
		log.Print(err) // the other metrics are there
	}
	for _, family := range families {
		if family.Name == "apguard.changes" || family.Name == "apguard.decisions.overdue" {
			for _, sample := range family.Samples {
				fmt.Println(family.PrometheusName(), sample.Values, sample.Value)
			}
		}
	}
	// Output:
	// apguard_changes_total [ALLOWED] 0
	// apguard_changes_total [BLOCKED] 1
	// apguard_changes_total [UNKNOWN] 0
	// apguard_decisions_overdue [] 0
}
