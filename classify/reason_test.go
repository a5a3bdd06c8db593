package classify_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/classify"
)

func TestReason_Text(t *testing.T) {
	t.Parallel()
	seen := map[string]classify.Reason{}
	for _, reason := range classify.Reasons() {
		text := (&classify.Error{Reason: reason}).Error()
		require.NotContains(t, seen, text, "%s and %s", reason, seen[text])
		require.Equal(t, reason.Text(), text)
		seen[text] = reason
	}
}

func TestReasons(t *testing.T) {
	t.Parallel()
	seen := map[classify.Reason]bool{
		// The golden table contains neither long lines nor invalid UTF-8.
		classify.ReasonTooLong:  true,
		classify.ReasonEncoding: true,
	}
	for _, rows := range goldenRows(t) {
		for _, row := range rows {
			if row.Reason != "" {
				seen[row.Reason] = true
			}
		}
	}
	require.ElementsMatch(t, classify.Reasons(), slices.Collect(maps.Keys(seen)))
}
