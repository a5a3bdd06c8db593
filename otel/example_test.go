package apguardotel_test

import (
	"context"
	"fmt"

	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/metrics"
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

func ExampleNewMetrics() {
	reader := metric.NewManualReader() // a program exports to its collector
	m, err := apguardotel.NewMetrics(metric.NewMeterProvider(metric.WithReader(reader)))
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, store := context.Background(), memory.New()
	guard := apguard.New(store, apguard.Options{Observers: []observe.Observer{m}})
	registration, err := m.Register(metrics.Sources{Guard: guard, Store: store})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer registration.Unregister() // before the store is closed

	if _, err := guard.Checks.Check(ctx, "https://example.com"); err != nil {
		fmt.Println(err)
	}
	var collected metricdata.ResourceMetrics
	if err := reader.Collect(ctx, &collected); err != nil {
		fmt.Println(err)
	}
	for _, found := range collected.ScopeMetrics[0].Metrics {
		if sum, ok := found.Data.(metricdata.Sum[int64]); ok && found.Name == "apguard.checks" {
			for _, point := range sum.DataPoints {
				if status, _ := point.Attributes.Value("apguard.status"); status.AsString() == "UNKNOWN" {
					fmt.Println(found.Name, status.AsString(), point.Value)
				}
			}
		}
	}
	// Output: apguard.checks UNKNOWN 1
}
