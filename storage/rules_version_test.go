package storage_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/storage"
)

func TestCheckRules(t *testing.T) {
	t.Parallel()
	for reason, test := range map[string]struct {
		version    int
		reclassify bool
		remedy     string
	}{
		"the same rules":                        {version: classify.Version},
		"the same rules, to be reclassified":    {version: classify.Version, reclassify: true},
		"older rules":                           {version: classify.Version - 1, remedy: `run "apguard reclassify"`},
		"older rules, to be reclassified":       {version: classify.Version - 1, reclassify: true},
		"newer rules":                           {version: classify.Version + 1, remedy: "use a newer program"},
		"newer rules cannot be reclassified":    {version: classify.Version + 1, reclassify: true, remedy: "use a newer program"},
		"a version that no program has written": {version: -1, remedy: `run "apguard reclassify"`},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			err := storage.CheckRules(test.version, test.reclassify)
			if test.remedy == "" {
				require.NoError(t, err)
				return
			}
			var rules *storage.RulesError
			require.ErrorAs(t, err, &rules)
			require.Equal(t, storage.RulesError{Have: test.version, Want: classify.Version}, *rules)
			require.ErrorContains(t, err, test.remedy)
		})
	}
}
