package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
)

var mirrorMetric = regexp.MustCompile(`\bapguard_mirror_\w+`)

// The metrics are those that the alerts and the dashboard ask for, and Prometheus accepts them.
func TestMirror_metrics(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "assets.db")
	store, err := openFile(t.Context(), db)
	require.NoError(t, err)
	defer func() { require.NoError(t, store.Close()) }()
	_, err = apguard.New(store, apguard.Options{}).SetStatus(t.Context(), "bad.example.com", asset.StatusBlocked, asset.Origin{})
	require.NoError(t, err)

	ctx, stop := context.WithCancel(t.Context())
	reader, log := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- program{noVariables, nil, io.Discard, log}.run(ctx, onFreePort("mirror", []string{"-db", db, "-metrics", "127.0.0.1:0"}))
		_ = log.Close()
	}()
	lines := bufio.NewScanner(reader)
	address := func() string {
		require.True(t, lines.Scan())
		_, address, found := strings.Cut(lines.Text(), "address=")
		require.True(t, found, lines.Text())
		return "http://" + address
	}
	checks, metrics := address(), address()
	require.True(t, lines.Scan())
	require.Contains(t, lines.Text(), "the mirror is filled")
	go func() { _, _ = io.Copy(io.Discard, reader) }()
	for _, content := range []string{"bad.example.com", "https://bad.example.com/x", "good.example.com", "no asset"} {
		request(t, checks+defaultBase, "", call{path: "/asset/check", body: fmt.Sprintf(`{"content":%q}`, content)})
	}
	code, text := getText(t, metrics+"/metrics")
	require.Equal(t, http.StatusOK, code)
	for _, sample := range []string{
		"apguard_mirror_filled 1",
		"apguard_mirror_assets 1",
		`apguard_checks_total{status="ALLOWED",source="ASSET"} 0`,
		`apguard_checks_total{status="BLOCKED",source="ASSET"} 2`,
		`apguard_checks_total{status="UNKNOWN",source="NONE"} 1`,
		`apguard_checks_refused_total{reason="FORBIDDEN_CHARACTER"} 1`,
	} {
		require.Contains(t, text+"\n", sample+"\n")
	}
	code, _ = getText(t, checks+"/metrics")
	require.Equal(t, http.StatusNotFound, code, "clients who check do not see what others do")
	code, _ = request(t, metrics+defaultBase, "", call{path: "/asset/check", body: `{"content":"bad.example.com"}`})
	require.Equal(t, http.StatusNotFound, code)
	stop()
	require.NoError(t, <-ended)

	watched := make(map[string]bool)
	for _, file := range []string{"alerts.yaml", "grafana.json"} {
		content, err := os.ReadFile(filepath.Join("..", "..", "deploy", file))
		require.NoError(t, err)
		for _, name := range mirrorMetric.FindAllString(string(content), -1) {
			watched[name] = true
		}
	}
	exist := make(map[string]bool)
	for _, family := range metricFamily.FindAllStringSubmatch(text, -1) {
		if mirrorMetric.MatchString(family[1]) {
			exist[family[1]] = true
		}
	}
	require.Equal(t, exist, watched)

	if _, err := exec.LookPath("promtool"); err != nil {
		t.Skipf("NOT RUN: %v; promtool is in the Debian package prometheus", err)
	}
	check := exec.CommandContext(t.Context(), "promtool", "check", "metrics")
	check.Stdin = strings.NewReader(text + "\n")
	out, err := check.CombinedOutput()
	require.NoError(t, err, "%s", out)
}
