package metrics_test

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/metrics"
)

// read returns the values of metrics with the given prefix, by their names in Prometheus and the values of their labels.
func read(t *testing.T, counts *metrics.Counts, from metrics.Sources, prefix string) map[string]float64 {
	t.Helper()
	families, err := counts.Read(t.Context(), from)
	require.NoError(t, err)
	got := byName(t, families)
	maps.DeleteFunc(got, func(sample string, _ float64) bool { return !strings.HasPrefix(sample, prefix) })
	return got
}

func byName(t *testing.T, families []metrics.Family) map[string]float64 {
	t.Helper()
	got := make(map[string]float64)
	for _, family := range families {
		for _, sample := range family.Samples {
			require.Len(t, sample.Values, len(family.Labels), family.Name)
			name := strings.TrimSpace(fmt.Sprintln(family.PrometheusName(), strings.Join(sample.Values, " ")))
			require.NotContains(t, got, name)
			got[name] = sample.Value
		}
	}
	return got
}

// ended returns a context that has ended.
func ended(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}
