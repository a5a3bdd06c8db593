package httpapi_test

import (
	"bufio"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/httpapi"
)

// requireResponse requires a response that is possible for any request: not a 500, and
// with a JSON body of the right shape.
func requireResponse(t *testing.T, got response, path string, success ...string) {
	t.Helper()
	require.Less(t, got.Status, http.StatusInternalServerError, got.Body)
	require.True(t, utf8.ValidString(got.Body))
	object := decode(t, got.Body)
	if got.Status == http.StatusOK {
		for _, name := range success {
			require.Contains(t, object, name)
		}
		return
	}
	if path == assetsPath {
		require.Len(t, object, 1)
		object = object["error"].(map[string]any)
		require.Len(t, object, 2)
	} else {
		require.Len(t, object, 3)
		for _, issue := range object["issues"].([]any) {
			require.NotEmpty(t, issue.(map[string]any)["message"])
		}
	}
	require.NotEmpty(t, object["code"])
	require.NotEmpty(t, object["message"])
}

// fuzzPost fuzzes the body of an operation, with all malformed bodies and the given
// valid ones as seeds.
func fuzzPost(f *testing.F, path string, check func(t *testing.T, body string, got response), success []string, right ...string) {
	f.Helper()
	for _, body := range right {
		f.Add(body)
		require.Equal(f, http.StatusOK, start(f).post(path, acmeKey, body).Status, body)
	}
	for _, c := range badBodies() {
		if len(c.body) < 1000 {
			f.Add(c.body)
		}
	}
	f.Fuzz(func(t *testing.T, body string) {
		got := start(t).post(path, acmeKey, body)
		requireResponse(t, got, path, success...)
		if got.Status == http.StatusOK {
			require.True(t, json.Valid([]byte(body)), "encoding/json refuses it")
			check(t, body, got)
		}
	})
}

func FuzzChangelog(f *testing.F) {
	fuzzPost(f, changelogPath, func(t *testing.T, _ string, got response) {
		t.Helper()
		require.Subset(t, []any{badEntry, goodEntry}, entries(got.Body))
	}, []string{"changelog"},
		`{}`,
		`{"type":"URL","content":"https://bad.example.com","fromStatus":"UNKNOWN","toStatus":"BLOCKED","startDate":"2025-01-05","endDate":"2025-01-06"}`,
	)
}

// entries splits a changelog into its entries.
func entries(body string) []any {
	list := strings.TrimSuffix(strings.TrimPrefix(body, `{"changelog":[`), `]}`)
	if list == "" {
		return nil
	}
	var cut []any
	for entry := range strings.SplitSeq(list, "},{") {
		cut = append(cut, "{"+strings.Trim(entry, "{}")+"}")
	}
	return cut
}

func FuzzDispute(f *testing.F) {
	fuzzPost(f, disputePath, func(t *testing.T, body string, got response) {
		t.Helper()
		require.Equal(t, "1", decode(t, got.Body)["id"])
		require.Equal(t, decode(t, body)["content"], decode(t, got.Body)["content"])
	}, []string{"id", "content"},
		`{"content":"https://bad.example.com"}`,
		`{"content":"good.example.com","email":"eve@other.test","description":"Why \u00e9"}`,
	)
}

func FuzzAddAssets(f *testing.F) {
	fuzzPost(f, assetsPath, func(t *testing.T, body string, got response) {
		t.Helper()
		object := decode(t, got.Body)
		submitted := decode(t, body)["assets"].([]any)
		results := object["results"].([]any)
		require.Len(t, results, len(submitted))
		successes := 0
		for i, result := range results {
			result := result.(map[string]any)
			require.Len(t, result, 3)
			content, given := submitted[i].(map[string]any)["content"].(string)
			require.Equal(t, content, result["content"])
			if result["success"] == true {
				require.True(t, given)
				successes++
			}
		}
		require.Equal(t, json.Number(strconv.Itoa(successes)), object["successCount"])
		require.Equal(t, json.Number(strconv.Itoa(len(results)-successes)), object["errorCount"])
	}, []string{"results", "successCount", "errorCount"},
		`{"assets":[{"content":"https://new.example.com","name":"Shop","description":"Ours","groupId":7}]}`,
		`{"assets":[{"content":"@handle_x"},{"content":"a@b.example.com","groupId":null},{}]}`,
	)
}

func FuzzReportsOfSlug(f *testing.F) {
	fuzzPost(f, oldReports, func(t *testing.T, body string, _ response) {
		t.Helper()
		require.Equal(t, "acme", decode(t, body)["slug"])
	}, []string{"reports", "nextCursor"},
		`{"slug":"acme","limit":20}`,
		`{"slug":"acme","limit":1,"cursor":4,"status":"TODO","searchQuery":"bad","reporterQuery":"ada","excludeAutomation":true,`+
			`"onlyRejected":false,"reviewStatuses":["APPROVE","SKIP"],"reviewedByUserId":1,"startDate":"2025-01-01","endDate":"2025-02-01T00:00:00Z","brandIds":[3,1e1]}`,
	)
}

func FuzzReports(f *testing.F) {
	for _, query := range []string{
		"",
		"limit=1&cursor=4&status=TODO&searchQuery=bad&reporterQuery=ada&excludeAutomation=true&onlyRejected=false",
		"reviewStatuses=APPROVE,SKIP&reviewedByUserId=1&startDate=2025-01-01&endDate=2025-02-01T00:00:00Z&brandIds=3&brandIds=1e1",
		"limit=0&limit=1;%zz%00%ff",
	} {
		f.Add(query)
	}
	f.Fuzz(func(t *testing.T, query string) {
		r := newGet(newReports, acmeKey)
		r.URL.RawQuery = query
		got := start(t).do(r)
		requireResponse(t, got, newReports, "reports", "nextCursor")
		require.NotContains(t, got.Body, "Of Globex")
	})
}

// FuzzRawRequest fuzzes the head of a request: the method, the target and the headers
// that net/http accepts.
func FuzzRawRequest(f *testing.F) {
	for path, body := range posts {
		f.Add("POST "+path+" HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nX-API-KEY: "+acmeKey, body)
		f.Add("POST http://h"+path+"?q HTTP/1.0\r\nX-Request-Id: a b\r\nContent-Encoding: gzip\r\nContent-Type: application/json\r\nX-API-KEY: "+acmeKey, body)
	}
	f.Add("GET "+newReports+"?limit=1 HTTP/1.1\r\nHost: h\r\nX-API-KEY: "+acmeKey+"\r\nX-Request-Id: 7", "")
	f.Add("HEAD //"+base+"//../%2e%2e/%00 HTTP/1.1\r\nHost: h\r\nX-API-KEY: a\r\nX-API-KEY: b", "")
	f.Add("OPTIONS * HTTP/1.1\r\nHost: h", "")
	f.Add("CONNECT h:80 HTTP/1.1\r\nHost: h", "")
	f.Fuzz(func(t *testing.T, head, body string) {
		r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(head + "\r\n\r\n")))
		if err != nil {
			return
		}
		r.Body = http.NoBody
		if body != "" {
			r.Body, r.ContentLength = readCloser{strings.NewReader(body)}, int64(len(body))
		}
		seen := new(recordingObserver)
		s := startWith(t, setup{options: httpapi.Options{Observer: seen}})
		s.Handler = http.StripPrefix(base, s.api)
		if !strings.HasPrefix(r.URL.Path, base+"/") {
			s.Handler = s.api
		}
		got := s.do(r)
		require.Less(t, got.Status, http.StatusInternalServerError, got.Body)
		require.Empty(t, s.log.String())
		require.Equal(t, got.Status, seen.only(t).Status)
		require.Regexp(t, `^[0-9A-Za-z.~:/+=_-]{1,128}$`, got.Header.Get("X-Request-Id"))
		for name, values := range got.Header {
			require.Len(t, values, 1, name)
			require.NotContains(t, values[0], "\n", name)
		}
		if r.Method != http.MethodHead || got.Status != http.StatusOK {
			require.True(t, json.Valid([]byte(got.Body)), got.Body)
		}
	})
}

type readCloser struct{ *strings.Reader }

func (readCloser) Close() error { return nil }
