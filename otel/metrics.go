package apguardotel

import (
	"context"
	"strconv"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/metrics"
)

// Metrics counts what a service does, and gives OpenTelemetry the metrics of package metrics. It is the observer of a
// Guard and of an HTTP API. Register adds what a Guard and its store say, and all counts.
//
// The duration of requests is recorded when they end. All other metrics are read when a reader of OpenTelemetry
// collects. The Guard then reads its store, which its observers see too.
type Metrics struct {
	*metrics.Counts
	instruments map[string]metric.Observable
	duration    metric.Float64Histogram
	meter       metric.Meter
}

// NewMetrics returns metrics with instruments of the provider. Nil means the global provider of OpenTelemetry. An error
// is one of the provider. A process has one Metrics for each provider.
func NewMetrics(provider metric.MeterProvider) (*Metrics, error) {
	if provider == nil {
		provider = otel.GetMeterProvider()
	}
	m := &Metrics{
		Counts:      metrics.NewCounts(nil),
		instruments: make(map[string]metric.Observable),
		meter:       provider.Meter(ScopeName),
	}
	for _, described := range metrics.All() {
		if err := m.add(described); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// add makes the instrument of a metric. Times are floating-point numbers, and all others are integers.
func (m *Metrics) add(described metrics.Metric) (err error) {
	name, unit, help := described.Name, metric.WithUnit(described.Unit), metric.WithDescription(described.Help)
	whole := described.Unit != "s"
	switch {
	case described.Kind == metrics.Histogram:
		m.duration, err = m.meter.Float64Histogram(name, unit, help, metric.WithExplicitBucketBoundaries(described.Bounds...))
	case described.Kind == metrics.Counter && whole:
		m.instruments[name], err = m.meter.Int64ObservableCounter(name, unit, help)
	case described.Kind == metrics.Counter:
		m.instruments[name], err = m.meter.Float64ObservableCounter(name, unit, help)
	case whole:
		m.instruments[name], err = m.meter.Int64ObservableGauge(name, unit, help)
	default:
		m.instruments[name], err = m.meter.Float64ObservableGauge(name, unit, help)
	}
	return err
}

// Observe implements [httpapi.Observer].
func (m *Metrics) Observe(ctx context.Context, info httpapi.RequestInfo) {
	m.Counts.Observe(ctx, info)
	operation := info.Operation
	if operation == "" {
		operation = metrics.Other
	}
	m.duration.Record(ctx, info.Duration.Seconds(), metric.WithAttributes(attribute.String("apguard.operation", operation)))
}

// Register lets OpenTelemetry read the counts and the sources until the registration is unregistered. Call it once,
// when the Guard is made. If the store fails, or does not answer within seconds, what it would have said is left out of
// the collection. The error goes to the error handler of OpenTelemetry, because a reader that got it would export no
// metric of the process.
func (m *Metrics) Register(from metrics.Sources) (metric.Registration, error) {
	all := make([]metric.Observable, 0, len(m.instruments))
	for _, instrument := range m.instruments {
		all = append(all, instrument)
	}
	return m.meter.RegisterCallback(func(ctx context.Context, to metric.Observer) error {
		families, err := m.Read(ctx, from)
		if err != nil {
			otel.Handle(err)
		}
		for _, family := range families {
			m.observe(to, family)
		}
		return ctx.Err()
	}, all...)
}

// observe passes on the samples of a family. Those of the histogram were recorded before.
func (m *Metrics) observe(to metric.Observer, family metrics.Family) {
	for _, sample := range family.Samples {
		with := metric.WithAttributeSet(attributesOf(family.Labels, sample.Values))
		switch instrument := m.instruments[family.Name].(type) {
		case metric.Int64Observable:
			to.ObserveInt64(instrument, int64(sample.Value), with)
		case metric.Float64Observable:
			to.ObserveFloat64(instrument, sample.Value, with)
		}
	}
}

// attributesOf returns the attributes of a sample. Two of them have values of the semantic conventions for HTTP: another
// method is _OTHER, and a request without a response has no status.
func attributesOf(labels []metrics.Label, values []string) attribute.Set {
	list := make([]attribute.KeyValue, 0, len(labels))
	for i, label := range labels {
		value := values[i]
		switch label.Attribute {
		case "http.request.method":
			if value == metrics.Other {
				value = "_OTHER"
			}
		case "http.response.status_code":
			if status, err := strconv.Atoi(value); err == nil && status != 0 {
				list = append(list, attribute.Int(label.Attribute, status))
			}
			continue
		}
		list = append(list, attribute.String(label.Attribute, value))
	}
	return attribute.NewSet(list...)
}
