package metrics

import "strings"

// Kind says how the values of a metric behave. Its text is the type that Prometheus gives them.
type Kind string

const (
	// Counter is a sum that only grows while a process runs.
	Counter Kind = "counter"
	// Gauge is a present value. Values of several processes must not be added: those that share a store have the same ones.
	Gauge Kind = "gauge"
	// Histogram counts observed values within bounds.
	Histogram Kind = "histogram"
)

// Metric describes a metric.
type Metric struct {
	// Name is the name in OpenTelemetry, such as "apguard.request.duration".
	Name string
	// Unit is a unit of UCUM, such as "s", "By" or "{request}". It is empty for a yes or no.
	Unit string
	Kind Kind
	// Help says what a value means.
	Help string
	// Labels tell the samples of the metric apart.
	Labels []Label
	// Bounds are the inclusive upper bounds of the buckets of a histogram, without infinity.
	Bounds []float64
}

// Label tells samples of a metric apart. Its values are from fixed sets, or names that operators choose. They are
// never texts of a request, so clients cannot add samples.
type Label struct {
	// Name is the name in Prometheus.
	Name string
	// Attribute is the name in OpenTelemetry. It is that of the semantic conventions if they have one.
	Attribute string
}

// PrometheusName returns the name of the metric in Prometheus, such as "apguard_request_duration_seconds". It is the
// one that OpenTelemetry's specification derives: dots become underscores, the unit follows unless it is an annotation
// in braces, and counters end in "_total".
func (m Metric) PrometheusName() string {
	name := strings.ReplaceAll(m.Name, ".", "_")
	switch m.Unit {
	case "s":
		name += "_seconds"
	case "By":
		name += "_bytes"
	}
	if m.Kind == Counter {
		name += "_total"
	}
	return name
}

// Sample is a value of a metric.
type Sample struct {
	// Values are those of the Labels of the metric, in their order.
	Values []string
	// Value is the value, or the sum of the observed values of a histogram.
	Value float64
	// Buckets are the numbers of observed values of a histogram up to each of its Bounds, and beyond the last one. Each
	// value counts in one bucket.
	Buckets []int64
}

// Family is a metric with its samples. It can have none, such as that of a reason that has not occurred.
type Family struct {
	Metric
	Samples []Sample
}
