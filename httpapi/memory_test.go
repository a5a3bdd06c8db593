package httpapi_test

import (
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMemory_HostileRequests is not parallel, because it measures allocations.
func TestMemory_HostileRequests(t *testing.T) { //nolint:paralleltest // see above
	const size = 1 << 20
	s := start(t)
	s.Handler = http.StripPrefix(base, s.api) // without conformance checks, which allocate
	list := func(before, element, after string) string {
		return before + strings.Repeat(element, size/len(element)) + after
	}
	var names strings.Builder
	names.WriteString(`{"":0`)
	for i := 0; names.Len() < size; i++ {
		fmt.Fprintf(&names, `,"%x":0`, i)
	}
	names.WriteString(`}`)
	for reason, c := range map[string]struct {
		request *http.Request
		status  int
		// times is the limit of the allocations, in sizes of the request.
		times uint64
	}{
		"white space":            {newPost(changelogPath, acmeKey, strings.NewReader(list(`{`, " ", `}`))), 200, 8},
		"a million parameters":   {newGet(newReports+"?"+strings.Repeat("a=1&", 1_000_000), acmeKey), 400, 1},
		"two million separators": {newGet(newReports+"?"+strings.Repeat("&", 2_000_000), acmeKey), 400, 1},
		"a list in the query":    {newGet(newReports+"?brandIds="+strings.Repeat("1,", 1_000_000), acmeKey), 400, 1},
		"a list in a body":       {newPost(oldReports, acmeKey, strings.NewReader(list(`{"slug":"acme","limit":1,"brandIds":[`, "1,", `1]}`))), 400, 8},
		"a million assets":       {newPost(assetsPath, acmeKey, strings.NewReader(list(`{"assets":[`, "{},", `{}]}`))), 400, 8},
		"open brackets":          {newPost(changelogPath, acmeKey, strings.NewReader(list(`{"x":`, "[", ``))), 400, 8},
		"small objects":          {newPost(changelogPath, acmeKey, strings.NewReader(list(`{"x":[`, `{"a":0},`, `0]}`))), 200, 8},
		"many names":             {newPost(changelogPath, acmeKey, strings.NewReader(names.String())), 200, 32},
		"a number of digits":     {newPost(oldReports, acmeKey, strings.NewReader(list(`{"slug":"acme","limit":1`, "0", `}`))), 400, 16},
		"a text of escapes":      {newPost(disputePath, acmeKey, strings.NewReader(list(`{"content":"`, `\u0041`, `"}`))), 404, 16},
		"a content":              {newPost(assetsPath, acmeKey, strings.NewReader(list(`{"assets":[{"content":"https://`, "a", `.example"}]}`))), 200, 32},
	} {
		sent := uint64(max(c.request.ContentLength, int64(len(c.request.URL.RawQuery))))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got := s.do(c.request)
		runtime.ReadMemStats(&after)
		require.Equal(t, c.status, got.Status, "%s: %.200s", reason, got.Body)
		taken := after.TotalAlloc - before.TotalAlloc
		t.Logf("%s: %d bytes of a request took %d", reason, sent, taken)
		require.Less(t, taken, c.times*sent+1<<20, reason)
	}
	require.Empty(t, s.log.String())
}
