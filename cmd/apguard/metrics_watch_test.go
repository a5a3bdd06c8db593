package main

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/publish"
)

var (
	metricName   = regexp.MustCompile(`\b(?:apguard|process)_\w+`)
	metricFamily = regexp.MustCompile(`(?m)^# TYPE (\w+) (\w+)$`)
)

// The alerts and the dashboard use only metrics of the server that exist, and all of them are watched.
// Prometheus accepts the metrics. Those of mirrors have a test of their own. Prometheus itself makes up,
// the metric of ApguardDown.
func TestMetrics_Watched(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	key, err := publish.GenerateKey("lists.example.com")
	require.NoError(t, err)
	keyFile := filepath.Join(dir, "signing.key")
	require.NoError(t, os.WriteFile(keyFile, []byte(key), 0o600))
	s := start(t, "-db", filepath.Join(dir, "test.db"), "-metrics", "127.0.0.1:0", "-publish", filepath.Join(dir, "published"), "-signing-key-file", keyFile)
	address := metricsOn.FindStringSubmatch(s.printed)[1]
	_, _, body := send(t, http.MethodGet, address, "", call{path: "/metrics"})

	exist := make(map[string]bool)
	for _, family := range metricFamily.FindAllStringSubmatch(body, -1) {
		exist[family[1]] = true
	}
	watched := make(map[string]bool)
	for _, file := range []string{"alerts.yaml", "grafana.json"} {
		text, err := os.ReadFile(filepath.Join("..", "..", "deploy", file))
		require.NoError(t, err)
		for _, name := range metricName.FindAllString(string(text), -1) {
			if !strings.HasPrefix(name, "apguard_mirror_") {
				watched[strings.TrimSuffix(name, "_bucket")] = true
			}
		}
	}
	for name := range watched {
		require.Contains(t, exist, name)
	}
	for name := range exist {
		require.Contains(t, watched, name)
	}

	requirePrograms(t, "promtool")
	check := exec.CommandContext(t.Context(), "promtool", "check", "metrics")
	check.Stdin = strings.NewReader(body)
	out, err := check.CombinedOutput()
	require.NoError(t, err, "%s", out)
}
