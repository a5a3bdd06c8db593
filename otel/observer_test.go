package apguardotel_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	semconv "go.opentelemetry.io/otel/semconv/v1.37.0"
	api "go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/observe"
	apguardotel "github.com/apguard/apguard/otel"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
)

// newExporter returns an exporter in memory, and a provider that exports to it at once.
func newExporter() (*tracetest.InMemoryExporter, *trace.TracerProvider) {
	exporter := tracetest.NewInMemoryExporter()
	return exporter, trace.NewTracerProvider(trace.WithSyncer(exporter))
}

// newGuard returns a Guard on the store that is observed, in which a host is BLOCKED.
func newGuard(t *testing.T, store storage.Store, by ...observe.Observer) *apguard.Guard {
	t.Helper()
	guard := apguard.New(store, apguard.Options{})
	require.NoError(t, guard.Accounts.PutOrganization(t.Context(), account.Organization{ID: 1, Slug: "acme"}))
	_, err := guard.SetStatus(t.Context(), "evil.example.com", asset.StatusBlocked, asset.Origin{})
	require.NoError(t, err)
	return apguard.New(store, apguard.Options{Observers: by})
}

// failingStore fails to list disputes.
type failingStore struct {
	storage.Store
	err error
}

func (s failingStore) DisputeBacklog(context.Context) (dispute.Backlog, error) {
	if s.err == nil {
		panic("broken")
	}
	return dispute.Backlog{}, s.err
}

func TestObserver(t *testing.T) {
	t.Parallel()
	type attributes map[attribute.Key]any
	backlog := func(ctx context.Context, guard *apguard.Guard) {
		defer func() { _ = recover() }()
		_, _ = guard.DisputeQueue.Backlog(ctx)
	}
	for reason, c := range map[string]struct {
		err  error
		call func(ctx context.Context, guard *apguard.Guard)
		name string
		want attributes
		code codes.Code
	}{
		"a check": {
			call: func(ctx context.Context, guard *apguard.Guard) {
				_, _ = guard.Checks.Check(ctx, "https://evil.example.com/secret")
			},
			name: "apguard.check",
			want: attributes{"apguard.result": "OK", "apguard.verdicts.blocked.asset": int64(1)},
		},
		"a batch of checks": {
			call: func(ctx context.Context, guard *apguard.Guard) {
				_, _ = guard.Checks.CheckBatch(ctx, []string{"https://evil.example.com/secret", "new.example.com", "hxxps://secret.example.com", ""})
			},
			name: "apguard.check.batch",
			want: attributes{
				"apguard.result": "OK", "apguard.verdicts.blocked.asset": int64(1), "apguard.verdicts.unknown.none": int64(1),
				"apguard.items.defanged": int64(1), "apguard.items.empty": int64(1),
			},
		},
		"an addition to an allowlist": {
			call: func(ctx context.Context, guard *apguard.Guard) {
				items := []allowlist.Item{{Content: "secret.example.com", Name: "secret"}, {Content: "secret.example.com"}}
				_, _ = guard.Allowlist.Add(ctx, allowlist.AddRequest{OrganizationID: 1, Items: items})
			},
			name: "apguard.allowlist.add",
			want: attributes{"apguard.result": "OK", "apguard.changes.allowed": int64(1), "apguard.items.none": int64(1), "apguard.items.exists": int64(1)},
		},
		"a record that does not exist is no failure": {
			call: func(ctx context.Context, guard *apguard.Guard) { _, _ = guard.DisputeQueue.Get(ctx, 1) },
			name: "apguard.dispute.get",
			want: attributes{"apguard.result": "REFUSED"},
		},
		"a caller that leaves is no failure": {
			err: context.Canceled, call: backlog, name: "apguard.dispute.backlog", want: attributes{"apguard.result": "CANCELED"},
		},
		"an error of the store": {
			err: errors.New("secret"), call: backlog, name: "apguard.dispute.backlog",
			want: attributes{"apguard.result": "FAILED", "error.type": "FAILED"}, code: codes.Error,
		},
		"a store that is away": {
			err: asset.ErrUnavailable, call: backlog, name: "apguard.dispute.backlog",
			want: attributes{"apguard.result": "UNAVAILABLE", "error.type": "UNAVAILABLE"}, code: codes.Error,
		},
		"a panic": {
			call: backlog, name: "apguard.dispute.backlog",
			want: attributes{"apguard.result": "FAILED", "error.type": "FAILED"}, code: codes.Error,
		},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			exporter, provider := newExporter()
			guard := newGuard(t, failingStore{memory.New(), c.err}, apguardotel.NewObserver(provider))
			c.call(t.Context(), guard)
			spans := exporter.GetSpans()
			require.Len(t, spans, 1)
			span := spans[0]
			got := make(attributes)
			for _, a := range span.Attributes {
				got[a.Key] = a.Value.AsInterface()
			}
			require.Equal(t, c.name, span.Name)
			require.Equal(t, c.want, got)
			require.Equal(t, trace.Status{Code: c.code}, span.Status)
			require.Equal(t, api.SpanKindInternal, span.SpanKind)
			require.Equal(t, apguardotel.ScopeName, span.InstrumentationScope.Name)
			require.Empty(t, span.Events)
		})
	}
	require.EqualValues(t, "error.type", semconv.ErrorTypeKey)
}

func TestObserver_Parents(t *testing.T) {
	t.Parallel()
	exporter, provider := newExporter()
	guard := newGuard(t, spanStore{memory.New(), provider.Tracer("store")}, apguardotel.NewObserver(provider))
	ctx, request := provider.Tracer("host").Start(t.Context(), "request")
	_, err := guard.DisputeQueue.Backlog(ctx)
	require.NoError(t, err)
	request.End()

	spans := exporter.GetSpans()
	require.Len(t, spans, 3)
	require.Equal(t, []string{"query", "apguard.dispute.backlog", "request"}, []string{spans[0].Name, spans[1].Name, spans[2].Name})
	require.Equal(t, spans[1].SpanContext, spans[0].Parent)
	require.Equal(t, spans[2].SpanContext, spans[1].Parent)
}

// spanStore makes a span of its own, as drivers of databases do.
type spanStore struct {
	storage.Store
	tracer api.Tracer
}

func (s spanStore) DisputeBacklog(ctx context.Context) (dispute.Backlog, error) {
	ctx, span := s.tracer.Start(ctx, "query")
	defer span.End()
	return s.Store.DisputeBacklog(ctx)
}

func TestObserver_TwoObservers(t *testing.T) {
	t.Parallel()
	first, firstProvider := newExporter()
	second, secondProvider := newExporter()
	guard := newGuard(t, memory.New(), apguardotel.NewObserver(firstProvider), apguardotel.NewObserver(secondProvider))
	_, err := guard.Checks.Check(t.Context(), "evil.example.com")
	require.NoError(t, err)
	require.Len(t, first.GetSpans(), 1)
	require.Len(t, second.GetSpans(), 1)
}

func TestObserver_NotRecording(t *testing.T) {
	t.Parallel()
	for reason, provider := range map[string]api.TracerProvider{
		"no provider, and no global one": nil,
		"a provider without an SDK":      noop.NewTracerProvider(),
		"spans that are not sampled":     trace.NewTracerProvider(trace.WithSampler(trace.NeverSample())),
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			guard := newGuard(t, memory.New(), apguardotel.NewObserver(provider))
			verdict, err := guard.Checks.Check(t.Context(), "evil.example.com")
			require.NoError(t, err)
			require.Equal(t, asset.StatusBlocked, verdict.Status)
		})
	}
}
