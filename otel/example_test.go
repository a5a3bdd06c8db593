package apguardotel_test

import (
	"context"
	"fmt"

	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/observe"
	apguardotel "github.com/apguard/apguard/otel"
	"github.com/apguard/apguard/storage/memory"
)

func ExampleNewObserver() {
	exporter := tracetest.NewInMemoryExporter() // a program exports to its collector
	provider := trace.NewTracerProvider(trace.WithSyncer(exporter))

	guard := apguard.New(memory.New(), apguard.Options{
		Observers: []observe.Observer{apguardotel.NewObserver(provider)},
	})
	if _, err := guard.Checks.Check(context.Background(), "https://example.com"); err != nil {
		fmt.Println(err)
	}
	for _, span := range exporter.GetSpans() {
		fmt.Println(span.Name)
	}
	// Output: apguard.check
}
