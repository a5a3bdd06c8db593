package httpapi_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/internal/test/testsize"
)

// allocated returns the number of bytes that a call allocates.
func allocated(call func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	call()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestMemory_HostileRequests is not parallel, because it measures allocations.
func TestMemory_HostileRequests(t *testing.T) { //nolint:paralleltest // see above
	testsize.NotShort(t)
	s := start(t)
	s.Handler = http.StripPrefix(base, s.api) // without conformance checks, which allocate
	full := func(path, before, element, after string) *http.Request {
		size := limitOf(path) - len(before) - len(after)
		return newPost(path, acmeKey, strings.NewReader(before+strings.Repeat(element, size/len(element))+after))
	}
	names := func(size int) *http.Request {
		var text strings.Builder
		text.WriteString(`{"":0`)
		for i := 0; text.Len() < size-15; i++ {
			fmt.Fprintf(&text, `,"%x":0`, i)
		}
		return newPost(assetsPath, acmeKey, strings.NewReader(text.String()+`}`))
	}
	for reason, c := range map[string]struct {
		request *http.Request
		status  int
		// times is the limit of the allocations, in sizes of the request.
		times uint64
	}{
		"white space":            {full(assetsPath, `{`, " ", `}`), 400, 5},
		"a million parameters":   {newGet(newReports+"?"+strings.Repeat("a=1&", 1_000_000), acmeKey), 400, 1},
		"two million separators": {newGet(newReports+"?"+strings.Repeat("&", 2_000_000), acmeKey), 400, 1},
		"a list in the query":    {newGet(newReports+"?brandIds="+strings.Repeat("1,", 1_000_000), acmeKey), 400, 1},
		"a list in a body":       {full(oldReports, `{"slug":"acme","limit":1,"brandIds":[`, "1,", `1]}`), 400, 8},
		"a million assets":       {full(assetsPath, `{"assets":[`, "{},", `{}]}`), 400, 5},
		"open brackets":          {full(assetsPath, `{"x":`, "[", ``), 400, 5},
		"open objects":           {full(assetsPath, ``, `{"x":`, ``), 400, 8},
		"small objects":          {full(assetsPath, `{"x":[`, `{"a":0},`, `0]}`), 400, 5},
		"1.9 million names":      {names(16 << 20), 413, 0},
		"500,000 names":          {names(4 << 20), 400, 5},
		"an unfinished name":     {full(assetsPath, `{"`, "a", ``), 400, 5},
		"a long name":            {full(assetsPath, `{"`, "a", `":0}`), 400, 12},
		"a long name of escapes": {full(assetsPath, `{"`, `\u0041`, `":0}`), 400, 12},
		"two long names":         {full(assetsPath, `{"`, "a", `":0,"a":0}`), 400, 12},
		"a number of digits":     {full(oldReports, `{"slug":"acme","limit":1`, "0", `}`), 400, 16},
		"a text of escapes":      {full(disputePath, `{"content":"`, `\u0041`, `"}`), 404, 16},
		"a description":          {full(disputePath, `{"content":"https://bad.example.com","description":"`, `d`, `"}`), 400, 8},
		"a content":              {full(assetsPath, `{"assets":[{"content":"https://`, "a", `.example"}]}`), 200, 32},
		"a name of an asset":     {full(assetsPath, `{"assets":[{"content":"https://a.example","name":"`, "a", `"}]}`), 400, 12},
	} {
		sent := uint64(max(c.request.ContentLength, int64(len(c.request.URL.RawQuery))))
		var got response
		taken := allocated(func() { got = s.do(c.request) })
		require.Equal(t, c.status, got.Status, "%s: %.200s", reason, got.Body)
		t.Logf("%s: %d bytes of a request took %d", reason, sent, taken)
		require.Less(t, taken, c.times*sent+1<<20, reason)
	}
	require.Empty(t, s.log.String())
}

// TestMemory_LargeResponse is not parallel, because it measures allocations.
func TestMemory_LargeResponse(t *testing.T) { //nolint:paralleltest // see above
	testsize.NotShort(t)
	s := start(t)
	content := `"https://a.example/` + strings.Repeat("a", 4000) + `"`
	body := `{"contents":[` + strings.Repeat(content+",", check.MaxItems-1) + content + `]}`
	recorder := &httptest.ResponseRecorder{} // without a Body, which would grow
	taken := allocated(func() {
		http.StripPrefix(base, s.api).ServeHTTP(recorder, newPost(batchPath, acmeKey, strings.NewReader(body)))
	})
	require.Equal(t, http.StatusOK, recorder.Code)
	t.Logf("%d bytes of a request took %d", len(body), taken)
	require.Less(t, taken, uint64(9*len(body)), "a response of twice the size, with the body and the contents")
}

// TestMemory_UnfinishedBodies is not parallel, because it measures allocations.
func TestMemory_UnfinishedBodies(t *testing.T) { //nolint:paralleltest // see above
	const count = 100
	e := serveLive(t)
	taken := allocated(func() {
		for range count {
			unfinished(t, e, assetsPath, acmeKey, httpapi.DefaultMaxBatchBody)
		}
	})
	t.Logf("%d bodies took %d bytes", count, taken)
	require.Less(t, taken, uint64(count*100<<10), "a body takes little memory until it arrives")
}
