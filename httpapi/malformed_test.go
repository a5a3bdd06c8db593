package httpapi_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// malformedContents are JSON strings that are no text, as clients write them, with what a response
// shows of them.
func malformedContents() map[string]struct{ literal, shown string } {
	return map[string]struct{ literal, shown string }{
		"a lone high surrogate":          {`"\ud800"`, "\ufffd"},
		"a lone low surrogate":           {`"https://evil.example.com/\uDC00"`, "https://evil.example.com/\ufffd"},
		"surrogates in the wrong order":  {`"\ude00\ud83d x"`, "\ufffd x"},
		"a surrogate behind an escape":   {`"\"\\\ud800"`, "\"\\\ufffd"},
		"a surrogate beside U+FFFD":      {`"\ufffd a \ud800"`, "\ufffd a \ufffd"},
		"a byte of Latin-1":              {"\"https://bad.example.com/\xe9\"", "https://bad.example.com/\ufffd"},
		"a surrogate in UTF-8":           {"\"\xed\xa0\x80\"", "\ufffd"},
		"an overlong encoding":           {"\"a\xc0\xafb\"", "a\ufffdb"},
		"invalid UTF-8 beside an escape": {"\"\\u0041\xff\"", "A\ufffd"},
	}
}

// A malformed content refuses its element of a batch, and no other.
func TestBatches_MalformedContent(t *testing.T) {
	t.Parallel()
	for reason, c := range malformedContents() {
		s := start(t)
		got := s.post(batchPath, acmeKey, `{"contents":["https://bad.example.com",`+c.literal+`,"good.example.com"]}`)
		require.Equal(t, http.StatusOK, got.Status, "%s: %s", reason, got.Body)
		results := decode(t, got.Body)["results"].([]any)
		require.Len(t, results, 3, reason)
		require.Equal(t, "BLOCKED", results[0].(map[string]any)["status"], reason)
		require.Equal(t, "ALLOWED", results[2].(map[string]any)["status"], reason)
		refused := results[1].(map[string]any)
		require.Equal(t, "Invalid asset format", refused["error"], reason)
		require.Equal(t, c.shown, refused["content"], reason)

		got = s.post(assetsPath, acmeKey, `{"assets":[{"content":`+c.literal+`},{"name":"n","content":"new.example.com"}]}`)
		require.Equal(t, http.StatusOK, got.Status, "%s: %s", reason, got.Body)
		added := decode(t, got.Body)
		require.Equal(t, json.Number("1"), added["successCount"], reason)
		require.Equal(t, map[string]any{"content": c.shown, "success": false, "error": "Invalid asset format"}, added["results"].([]any)[0], reason)

		got = s.post(removePath, acmeKey, `{"contents":["new.example.com",`+c.literal+`]}`)
		require.Equal(t, http.StatusOK, got.Status, "%s: %s", reason, got.Body)
		removed := decode(t, got.Body)
		require.Equal(t, json.Number("1"), removed["successCount"], reason)
		require.Equal(t, map[string]any{"content": c.shown, "success": false, "error": "Invalid asset format"}, removed["results"].([]any)[1], reason)
	}
}

// Every other string of a request must be text.
func TestBatches_MalformedElsewhere(t *testing.T) {
	t.Parallel()
	s := start(t)
	for reason, c := range map[string]struct{ path, body, message string }{
		"the content of one check":        {checkPath, `{"content":"\ud800"}`, "content: must be valid JSON; it is not at byte 12"},
		"its bytes":                       {checkPath, "{\"content\":\"\xff\"}", "the body must be UTF-8"},
		"another name":                    {batchPath, `{"contents":["\ud800"],"x":"\ud800"}`, "x: must be valid JSON; it is not at byte 28"},
		"the bytes of another name":       {batchPath, "{\"contents\":[\"\xff\"],\"x\":\"\xff\"}", "the body must be UTF-8"},
		"a name":                          {batchPath, `{"contents":["\ud800"],"\ud800":1}`, "must be valid JSON; it is not at byte 24"},
		"a text that is no content":       {batchPath, `{"contents":[["\ud800"]]}`, "contents[0][0]: must be valid JSON; it is not at byte 15"},
		"contents that are no array":      {batchPath, `{"contents":"\ud800"}`, "contents: must be valid JSON; it is not at byte 13"},
		"an error behind a content":       {batchPath, `{"contents":["\ud800",x]}`, "contents[1]: must be valid JSON; it is not at byte 22"},
		"an end behind a content":         {batchPath, `{"contents":["\ud800"`, "contents: the JSON ends too early"},
		"a name twice behind a content":   {batchPath, `{"contents":["\ud800"],"contents":[]}`, "contents: must not be given twice"},
		"the contents of another request": {disputePath, `{"contents":["\ud800"]}`, "contents[0]: must be valid JSON; it is not at byte 14"},
	} {
		got := s.post(c.path, acmeKey, c.body)
		require.Equal(t, http.StatusBadRequest, got.Status, reason)
		require.Contains(t, got.Body, c.message, reason)
	}
	for reason, asset := range map[string]string{
		"a name of an asset": `{"content":"\ud800","name":"\ud800"}`,
		"an unknown member":  `{"content":"\ud800","x":{"content":"\ud800"}}`,
		"a nested content":   `{"content":{"content":"\ud800"}}`,
	} {
		got := s.post(assetsPath, acmeKey, `{"assets":[`+asset+`]}`)
		require.Equal(t, http.StatusBadRequest, got.Status, reason)
	}
}

// A batch answers for each of its contents what it answers without the malformed ones.
func TestBatches_MalformedContentLaw(t *testing.T) {
	t.Parallel()
	s := start(t)
	cases := malformedContents()
	malformed := make([]string, 0, len(cases))
	for _, c := range cases {
		malformed = append(malformed, c.literal)
	}
	valid := rapid.SampledFrom([]string{`"https://bad.example.com"`, `"good.example.com"`, `"\ud83d\ude00"`, `""`, `"x"`, `"\u0000"`, `"\ufffd"`})
	rapid.Check(t, func(t *rapid.T) {
		contents := rapid.SliceOfN(rapid.OneOf(valid, rapid.SampledFrom(malformed)), 1, 12).Draw(t, "contents")
		results := func(contents []string) []json.RawMessage {
			got := s.post(batchPath, acmeKey, `{"contents":[`+strings.Join(contents, ",")+`]}`)
			require.Equal(t, http.StatusOK, got.Status, got.Body)
			var body struct{ Results []json.RawMessage }
			require.NoError(t, json.Unmarshal([]byte(got.Body), &body))
			return body.Results
		}
		all := results(contents)
		require.Len(t, all, len(contents))
		for i, content := range contents {
			if !slices.Contains(malformed, content) {
				require.JSONEq(t, string(results([]string{content})[0]), string(all[i]))
			} else {
				require.Contains(t, string(all[i]), `"error":"Invalid asset format"`)
			}
		}
	})
}
