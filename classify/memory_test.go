package classify_test

import (
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/classify"
)

// bytesPerContent returns the average memory in bytes to classify a content. It must not
// run in parallel with other code.
func bytesPerContent(contents []string) uint64 {
	_, _ = classify.Classify(contents[0]) // leaves out initialization
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	classifying(contents...)()
	runtime.ReadMemStats(&after)
	return (after.TotalAlloc - before.TotalAlloc) / uint64(len(contents))
}

// times returns n different contents with the same start and end.
func times(n int, start, end string) []string {
	contents := make([]string, n)
	for i := range contents {
		contents[i] = start + strconv.Itoa(i) + end
	}
	return contents
}

// A host in brackets that is too long for an IPv6 address is refused without a copy.
func TestParseHost_longBrackets(t *testing.T) {
	tests := []struct {
		name       string
		start, end string
	}{
		{"too many pieces", "http://[" + strings.Repeat("1:", 4000), "]"},
		{"no closing bracket", "http://[" + strings.Repeat("a", 8000), ""},
		{"a zone without end", "http://[::1%" + strings.Repeat("a", 8000), "]"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			require.Less(t, bytesPerContent(times(20, test.start, test.end)), uint64(1024))
		})
	}
}

// A path that is too long for a name is not normalized.
func TestFoldName_longNames(t *testing.T) {
	marks := strings.Repeat("\u0301\u0316", 1000)
	limit := bytesPerContent(times(20, "youtube.com/of/a"+marks, "")) + 1024
	for _, start := range []string{"youtube.com/c/a", "youtube.com/user/a", "youtube.com/@a", "linkedin.com/in/a"} {
		t.Run(start, func(t *testing.T) {
			require.LessOrEqual(t, bytesPerContent(times(20, start+marks, "")), limit)
		})
	}
}

func TestRules_copy(t *testing.T) {
	t.Parallel()
	reasons, rules, rewrites := classify.Reasons(), classify.Rules(), classify.Rewrites()
	clear(reasons)
	clear(rules)
	clear(rewrites)
	require.NotContains(t, classify.Reasons(), classify.Reason(""))
	require.NotContains(t, classify.Rules(), classify.Rule(""))
	require.NotContains(t, classify.Rewrites(), classify.Rewrite(""))
}
