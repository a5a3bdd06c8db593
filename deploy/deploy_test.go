// Package deploy has files with which the server is deployed. README.md describes them.
package deploy_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// compose is what the tests need of compose.yaml.
type compose struct {
	Services map[string]struct {
		Entrypoint []string
		Command    []string
	}
}

func readCompose(tb testing.TB) compose {
	tb.Helper()
	text, err := os.ReadFile("compose.yaml")
	require.NoError(tb, err)
	var c compose
	require.NoError(tb, yaml.Unmarshal(text, &c))
	return c
}
