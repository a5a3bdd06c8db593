package httpapi_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/classify"
)

func TestDocuments_RulesVersion(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"openapi.json", "operator.json"} {
		file, err := os.ReadFile(name)
		require.NoError(t, err)
		var document struct {
			Info struct {
				Rules int `json:"x-rules-version"`
			} `json:"info"`
		}
		require.NoError(t, json.Unmarshal(file, &document))
		require.Equal(t, classify.Version, document.Info.Rules, name)
	}
}
