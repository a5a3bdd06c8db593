// Package apguardotel gives OpenTelemetry the spans and the metrics of an apguard service.
//
// # Metrics
//
// [NewMetrics] returns metrics that count what happens, and that are read from a Guard. They are those that the program
// apguard serves to Prometheus; package metrics has the table of both names.
//
// # Spans
//
// [NewObserver] returns an observer for the Observers of apguard.Options. Each operation becomes an
// internal span with the name of the operation after "apguard.", such as "apguard.check". Its
// parent is the span of the context of the call, such as that of an HTTP request. The attributes
// are numbers and words from fixed sets, never contents, texts, keys or IDs:
//
//	apguard.result                      the result, such as OK or REFUSED
//	apguard.verdicts.STATUS.SOURCE      the number of verdicts with this status from this source
//	apguard.changes.STATUS              the number of changes to this status
//	apguard.items.REASON                the number of items with this reason, or "none" if accepted
//	error.type                          the result, if it is a failure
//
// STATUS, SOURCE and REASON are in lower case. A number that is 0 is left out. The status of a span
// is Error if the result is a failure of the service. Input that is refused is none; see
// observe.Result.
package apguardotel

import (
	"context"
	"strings"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/apguard/apguard/observe"
)

// ScopeName is the name of the instrumentation scope of the spans and metrics.
const ScopeName = "github.com/apguard/apguard/otel"

// NewObserver returns an observer that makes spans with the provider. Nil means the global provider
// of OpenTelemetry.
func NewObserver(provider trace.TracerProvider) observe.Observer {
	if provider == nil {
		provider = otel.GetTracerProvider()
	}
	return &observer{tracer: provider.Tracer(ScopeName)}
}

type observer struct {
	tracer trace.Tracer
}

// spanKey is the key of the observer's span. Another observer may start spans too.
type spanKey struct{ of *observer }

// Start implements [observe.Observer].
func (o *observer) Start(ctx context.Context, operation string) context.Context {
	ctx, span := o.tracer.Start(ctx, "apguard."+operation)
	return context.WithValue(ctx, spanKey{o}, span)
}

// End implements [observe.Observer].
func (o *observer) End(ctx context.Context, outcome observe.Outcome) {
	span, _ := ctx.Value(spanKey{o}).(trace.Span)
	if span == nil {
		return
	}
	defer span.End()
	if !span.IsRecording() {
		return
	}
	span.SetAttributes(attributes(outcome)...)
	if outcome.Result.Failure() {
		span.SetStatus(codes.Error, "")
	}
}

func attributes(outcome observe.Outcome) []attribute.KeyValue {
	list := []attribute.KeyValue{attribute.String("apguard.result", string(outcome.Result))}
	if outcome.Result.Failure() {
		list = append(list, attribute.String("error.type", string(outcome.Result)))
	}
	for _, v := range outcome.Verdicts {
		list = append(list, number(v.N, "apguard.verdicts", string(v.Status), string(v.Source)))
	}
	for _, c := range outcome.Changes {
		list = append(list, number(c.N, "apguard.changes", string(c.To)))
	}
	for _, i := range outcome.Items {
		list = append(list, number(i.N, "apguard.items", string(i.Reason)))
	}
	return list
}

func number(n int, name ...string) attribute.KeyValue {
	return attribute.Int(strings.ToLower(strings.Join(name, ".")), n)
}
