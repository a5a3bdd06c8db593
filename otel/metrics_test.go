package apguardotel_test

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	metricnoop "go.opentelemetry.io/otel/metric/noop"
	sdk "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	semconv "go.opentelemetry.io/otel/semconv/v1.37.0"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/feed/mirror"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/metrics"
	"github.com/apguard/apguard/observe"
	apguardotel "github.com/apguard/apguard/otel"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
	"github.com/apguard/apguard/webhook"
	"github.com/apguard/apguard/webhook/deliver"
)

// point is a value that OpenTelemetry has collected, or that package metrics has read.
type point struct {
	name, unit, help, kind string
	attributes             attribute.Distinct
	value                  float64
	bounds                 []float64
	buckets                []int64
}

// collect returns the points of a collection, and requires that sums are cumulative.
func collect(t *testing.T, reader sdk.Reader) []point {
	t.Helper()
	var collected metricdata.ResourceMetrics
	require.NoError(t, reader.Collect(t.Context(), &collected))
	var points []point
	for _, scope := range collected.ScopeMetrics {
		require.Equal(t, apguardotel.ScopeName, scope.Scope.Name)
		for _, m := range scope.Metrics {
			of := point{name: m.Name, unit: m.Unit, help: m.Description}
			switch data := m.Data.(type) {
			case metricdata.Sum[int64]:
				require.True(t, data.IsMonotonic)
				require.Equal(t, metricdata.CumulativeTemporality, data.Temporality)
				points = append(points, numbers(of, "counter", data.DataPoints)...)
			case metricdata.Sum[float64]:
				require.True(t, data.IsMonotonic)
				points = append(points, numbers(of, "counter", data.DataPoints)...)
			case metricdata.Gauge[int64]:
				points = append(points, numbers(of, "gauge", data.DataPoints)...)
			case metricdata.Gauge[float64]:
				points = append(points, numbers(of, "gauge", data.DataPoints)...)
			case metricdata.Histogram[float64]:
				for _, p := range data.DataPoints {
					of.kind, of.attributes, of.value, of.bounds, of.buckets = "histogram", p.Attributes.Equivalent(), p.Sum, p.Bounds, nil
					for _, n := range p.BucketCounts {
						of.buckets = append(of.buckets, int64(n))
					}
					points = append(points, of)
				}
			default:
				require.Fail(t, "unexpected data", "%s: %T", m.Name, data)
			}
		}
	}
	return points
}

func numbers[N int64 | float64](of point, kind string, data []metricdata.DataPoint[N]) (points []point) {
	for _, p := range data {
		of.kind, of.attributes, of.value = kind, p.Attributes.Equivalent(), float64(p.Value)
		points = append(points, of)
	}
	return points
}

// pointsOf returns what OpenTelemetry must collect for families.
func pointsOf(families []metrics.Family) (points []point) {
	for _, family := range families {
		for _, sample := range family.Samples {
			var attributes []attribute.KeyValue
			for i, label := range family.Labels {
				status, err := strconv.Atoi(sample.Values[i])
				switch {
				case label.Name == "method" && sample.Values[i] == "other":
					attributes = append(attributes, semconv.HTTPRequestMethodOther)
				case label.Name == "status" && sample.Values[i] == "0":
				case label.Name == "status" && err == nil:
					attributes = append(attributes, semconv.HTTPResponseStatusCode(status))
				default:
					attributes = append(attributes, attribute.String(label.Attribute, sample.Values[i]))
				}
			}
			set := attribute.NewSet(attributes...)
			points = append(points, point{
				family.Name, family.Unit, family.Help, string(family.Kind), set.Equivalent(), sample.Value, family.Bounds, sample.Buckets,
			})
		}
	}
	return points
}

// busyStore is a store with a database.
type busyStore struct{ storage.Store }

func (busyStore) Stats() storage.Stats {
	return storage.Stats{
		MaxConnections: 4, InUse: 2, Idle: 1, Waited: time.Second / 2,
		Reads: storage.Queue{Waiting: 5, Waited: 7 * time.Second}, Writes: storage.Queue{Waiting: 6, Waited: time.Second / 4},
	}
}

// service is a service in which each metric has a value, and what OpenTelemetry knows of it.
func service(t *testing.T) (*apguardotel.Metrics, metrics.Sources, sdk.Reader) {
	t.Helper()
	reader := sdk.NewManualReader()
	m, err := apguardotel.NewMetrics(sdk.NewMeterProvider(sdk.WithReader(reader)))
	require.NoError(t, err)
	store := memory.New()
	guard := apguard.New(store, apguard.Options{Observers: []observe.Observer{m}, Memory: true})
	require.NoError(t, guard.Accounts.PutOrganization(t.Context(), account.Organization{ID: 1, Slug: "acme"}))
	_, err = guard.SetStatus(t.Context(), "evil.example.com", asset.StatusBlocked, asset.Origin{})
	require.NoError(t, err)
	items := []allowlist.Item{{Content: "good.example.com"}, {Content: "good.example.com"}}
	_, err = guard.Allowlist.Add(t.Context(), allowlist.AddRequest{OrganizationID: 1, Items: items})
	require.NoError(t, err)
	_, err = guard.Checks.CheckBatch(t.Context(), []string{"evil.example.com", "good.example.com", "new.example.com", "0x12"})
	require.NoError(t, err)
	_, err = store.PutList(t.Context(), "first", func(lists.List, int) (lists.List, audit.Entry, error) {
		return lists.List{Name: "first", CreatedAt: time.Now().Add(-time.Hour), Entries: 7, Failures: 3}, audit.Entry{}, nil
	})
	require.NoError(t, err)
	for _, e := range []webhook.Endpoint{
		{State: webhook.StateDisabled, DisabledBy: webhook.ReasonGone},
		{State: webhook.StateActive, FailingSince: time.Now().Add(-time.Hour), Batch: webhook.Batch{First: 1, Last: 1}},
	} {
		_, err = store.AddEndpoint(t.Context(), e, audit.Entry{})
		require.NoError(t, err)
	}
	for _, info := range []httpapi.RequestInfo{
		{Operation: "/a", Method: "POST", Status: 200, Received: 10, Sent: 100, Duration: time.Millisecond},
		{Operation: "/a", Method: "POST", Status: 500, Err: errors.New("down"), Duration: time.Millisecond + 1},
		{Operation: "/a", Method: "POST", Aborted: true, ClientGone: true, Duration: time.Hour},
		{Status: 404, Sent: 7},
	} {
		m.Observe(t.Context(), info)
	}
	m.Delivered(deliver.Event{Kind: deliver.EventDelivered})
	m.Delivered(deliver.Event{Kind: deliver.EventRefused, Outcome: webhook.Outcome{Failure: webhook.FailureTimeout}})
	m.Published(time.Now())
	copied := mirror.New(mirror.Options{})
	require.NoError(t, feed.NewReplica(feed.FromServices(guard.Assets, guard.Feed), feed.Options{Views: []feed.View{copied}}).Refresh(t.Context()))
	return m, metrics.Sources{Guard: guard, Store: busyStore{store}, Mirror: copied, Publishes: true, Version: "v1.2.3"}, reader
}

// OpenTelemetry collects the table of package metrics: the same names, units, kinds, samples and values.
func TestMetrics(t *testing.T) {
	t.Parallel()
	m, from, reader := service(t)
	registration, err := m.Register(from)
	require.NoError(t, err)
	got := collect(t, reader)
	families, err := m.Read(t.Context(), from)
	require.NoError(t, err)
	want := pointsOf(families)
	require.Len(t, got, len(want))
	seen := make(map[string]bool)
	for _, w := range want {
		i := slices.IndexFunc(got, func(g point) bool { return g.name == w.name && g.attributes == w.attributes })
		require.GreaterOrEqual(t, i, 0, w.name)
		g := got[i]
		if w.kind == "gauge" && w.unit == "s" { // which grows while the test reads it twice
			require.InDelta(t, w.value, g.value, 60, w.name)
			w.value = g.value
		}
		if strings.HasPrefix(w.name, "process.") { // which the test changes
			require.Positive(t, g.value, w.name)
			w.value = g.value
		}
		require.Equal(t, w, g)
		seen[w.name] = true
	}
	for _, described := range metrics.All() {
		require.True(t, seen[described.Name], "%s has no value", described.Name)
	}

	require.NoError(t, registration.Unregister())
	for _, left := range collect(t, reader) {
		require.Equal(t, "histogram", left.kind, "%s is read although it is unregistered", left.name)
	}
}

// Attributes that have a semantic convention have its name.
func TestMetrics_SemanticConventions(t *testing.T) {
	t.Parallel()
	conventions := []string{string(semconv.HTTPRequestMethodKey), string(semconv.HTTPResponseStatusCodeKey), string(semconv.ErrorTypeKey)}
	found := make(map[string]bool)
	for _, m := range metrics.All() {
		for _, label := range m.Labels {
			if slices.Contains(conventions, label.Attribute) {
				found[label.Attribute] = true
			} else {
				require.Regexp(t, `^apguard\.`, label.Attribute)
			}
		}
	}
	require.Len(t, found, len(conventions))
}

// A store that fails takes only its own metrics away.
func TestMetrics_Errors(t *testing.T) { //nolint:paralleltest // the error handler is that of the process
	var handled error
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { handled = err }))
	reader := sdk.NewManualReader()
	m, err := apguardotel.NewMetrics(sdk.NewMeterProvider(sdk.WithReader(reader)))
	require.NoError(t, err)
	guard := apguard.New(failingStore{memory.New(), errors.New("away")}, apguard.Options{})
	_, err = m.Register(metrics.Sources{Guard: guard})
	require.NoError(t, err)
	names := make(map[string]bool)
	for _, p := range collect(t, reader) {
		names[p.name] = true
	}
	require.ErrorContains(t, handled, "away")
	require.NotContains(t, names, "apguard.disputes")
	require.Contains(t, names, "apguard.decisions.overdue")
	require.Contains(t, names, "apguard.checks")
}

// hangingStore does not answer before the context of its caller ends, which it ends itself.
type hangingStore struct {
	storage.Store
	end func()
}

func (s hangingStore) CountDue(ctx context.Context, _ time.Time) (asset.DueCount, error) {
	s.end()
	<-ctx.Done()
	return asset.DueCount{}, ctx.Err()
}

// A collection whose context ends does not wait for the store.
func TestMetrics_Ended(t *testing.T) { //nolint:paralleltest // the error handler is that of the process
	reader := sdk.NewManualReader()
	m, err := apguardotel.NewMetrics(sdk.NewMeterProvider(sdk.WithReader(reader)))
	require.NoError(t, err)
	ctx, end := context.WithCancel(t.Context())
	_, err = m.Register(metrics.Sources{Guard: apguard.New(hangingStore{memory.New(), end}, apguard.Options{})})
	require.NoError(t, err)
	require.ErrorIs(t, reader.Collect(ctx, new(metricdata.ResourceMetrics)), context.Canceled)
}

func TestNewMetrics_NoSDK(t *testing.T) {
	t.Parallel()
	for reason, provider := range map[string]metric.MeterProvider{
		"no provider, and no global one": nil,
		"a provider without an SDK":      metricnoop.NewMeterProvider(),
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			m, err := apguardotel.NewMetrics(provider)
			require.NoError(t, err)
			guard := newGuard(t, memory.New(), m)
			_, err = guard.Checks.Check(t.Context(), "evil.example.com")
			require.NoError(t, err)
			m.Observe(t.Context(), httpapi.RequestInfo{Operation: "/a", Duration: time.Second})
			registration, err := m.Register(metrics.Sources{Guard: guard})
			require.NoError(t, err)
			require.NoError(t, registration.Unregister())
		})
	}
}

// refusingProvider refuses a kind of instrument.
type refusingProvider struct{ metricnoop.MeterProvider }

type refusingMeter struct{ metricnoop.Meter }

var errRefused = errors.New("refused")

func (refusingProvider) Meter(string, ...metric.MeterOption) metric.Meter { return refusingMeter{} }

func (refusingMeter) Float64Histogram(string, ...metric.Float64HistogramOption) (metric.Float64Histogram, error) {
	return nil, errRefused
}

func TestNewMetrics_Refused(t *testing.T) {
	t.Parallel()
	_, err := apguardotel.NewMetrics(refusingProvider{})
	require.ErrorIs(t, err, errRefused)
}
