package metrics_test

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/feed/mirror"
	"github.com/apguard/apguard/metrics"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
)

var (
	dotted     = regexp.MustCompile(`^(apguard|process)(\.[a-z]+(_[a-z]+)*)+$`)
	attribute  = regexp.MustCompile(`^(apguard|http|error)(\.[a-z]+(_[a-z]+)*)+$`)
	annotation = regexp.MustCompile(`^\{[a-z]+\}$`)
)

// The names follow the semantic conventions of OpenTelemetry.
func TestAll(t *testing.T) {
	t.Parallel()
	names := make(map[string]bool)
	for _, m := range metrics.All() {
		require.Regexp(t, dotted, m.Name)
		require.False(t, names[m.Name], "%s occurs twice", m.Name)
		names[m.Name] = true
		require.NotRegexp(t, `total|seconds|bytes`, m.Name, "the kind and the unit are no parts of a name")
		require.NotEmpty(t, m.Help, m.Name)
		require.True(t, m.Unit == "s" || m.Unit == "By" || annotation.MatchString(m.Unit) || m.Unit == "" && slices.Contains([]string{"apguard.mirror.filled", "apguard.build_info"}, m.Name), m.Name)
		for _, label := range m.Labels {
			require.Regexp(t, `^[a-z]+$`, label.Name, m.Name)
			require.Regexp(t, attribute, label.Attribute, m.Name)
		}
		require.Equal(t, m.Kind == metrics.Histogram, m.Bounds != nil, m.Name)
	}
	for name := range names {
		namespace := name[:strings.LastIndexByte(name, '.')]
		require.False(t, names[namespace], "%s is both a metric and a namespace", namespace)
	}
}

// Read returns the families of the table in its order.
func TestAll_Read(t *testing.T) {
	t.Parallel()
	families, err := metrics.NewCounts(nil).Read(t.Context(), metrics.Sources{
		Guard:     apguard.New(memory.New(), apguard.Options{Memory: true}),
		Store:     measuredStore{stats: storage.Stats{}},
		Mirror:    mirror.New(mirror.Options{}),
		Publishes: true,
		Version:   "v1.2.3",
	})
	require.NoError(t, err)
	got, want := make([]string, 0, len(families)), make([]string, 0, len(families))
	for _, family := range families {
		got = append(got, family.Name)
	}
	for _, m := range metrics.All() {
		if m.Name != "apguard.mirror.age" && // the mirror is not filled
			(runtime.GOOS == "linux" || !strings.HasPrefix(m.Name, "process.")) {
			want = append(want, m.Name)
		}
	}
	require.Equal(t, want, got)
}

func TestMetric_PrometheusName(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		metric metrics.Metric
		want   string
	}{
		"a count":                       {metrics.Metric{Name: "apguard.requests", Unit: "{request}", Kind: metrics.Counter}, "apguard_requests_total"},
		"a sum with a unit":             {metrics.Metric{Name: "apguard.request.body", Unit: "By", Kind: metrics.Counter}, "apguard_request_body_bytes_total"},
		"a histogram":                   {metrics.Metric{Name: "apguard.request.duration", Unit: "s", Kind: metrics.Histogram}, "apguard_request_duration_seconds"},
		"a gauge with an annotation":    {metrics.Metric{Name: "apguard.store.calls_waiting", Unit: "{call}", Kind: metrics.Gauge}, "apguard_store_calls_waiting"},
		"that of a client library":      {metrics.Metric{Name: "process.cpu", Unit: "s", Kind: metrics.Counter}, "process_cpu_seconds_total"},
		"a gauge that is true or false": {metrics.Metric{Name: "apguard.mirror.filled", Kind: metrics.Gauge}, "apguard_mirror_filled"},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, c.metric.PrometheusName())
		})
	}
}

// The guide for operators has both names of each metric, its unit and its attributes.
func TestAll_Documented(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile(filepath.Join("..", "docs", "operate.md"))
	require.NoError(t, err)
	for _, m := range metrics.All() {
		require.True(t, strings.Contains(string(guide), "\n"+documented(m)+"\n"), "docs/operate.md lacks %s", documented(m)) //nolint:testifylint // the guide is long
	}
}

// documented returns the row of a metric in the guide.
func documented(m metrics.Metric) string {
	labels := make([]string, 0, len(m.Labels))
	for _, label := range m.Labels {
		labels = append(labels, "`"+label.Attribute+"`")
	}
	unit := ""
	if m.Unit != "" {
		unit = "`" + m.Unit + "`"
	}
	cells := []string{"`" + m.PrometheusName() + "`", "`" + m.Name + "`", string(m.Kind), unit, strings.Join(labels, ", ")}
	return regexp.MustCompile(` +\|`).ReplaceAllString("| "+strings.Join(cells, " | ")+" |", " |")
}
