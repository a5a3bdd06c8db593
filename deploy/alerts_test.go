package deploy_test

import (
	"os"
	"os/exec"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// Each alert has a unit test, and Prometheus runs them.
func TestAlerts(t *testing.T) {
	t.Parallel()
	rules, err := os.ReadFile("alerts.yaml")
	require.NoError(t, err)
	tests, err := os.ReadFile("alerts_test.yaml")
	require.NoError(t, err)
	alerts := regexp.MustCompile(`- alert: (\w+)\n`).FindAllStringSubmatch(string(rules), -1)
	require.NotEmpty(t, alerts)
	for _, alert := range alerts {
		require.Regexp(t, `alertname: `+alert[1]+`\n\s+eval_time: \w+\n\s+exp_alerts: \[{exp_labels`, string(tests))
	}
	if _, err := exec.LookPath("promtool"); err != nil {
		t.Skipf("NOT RUN: %v; promtool is in the Debian package prometheus", err)
	}
	for _, args := range [][]string{{"check", "rules", "alerts.yaml"}, {"test", "rules", "alerts_test.yaml"}} {
		out, err := exec.CommandContext(t.Context(), "promtool", args...).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
}
