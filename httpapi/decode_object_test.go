package httpapi_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/internal/test/testsize"
)

// badBodies returns bodies that every operation refuses, with their issues.
func badBodies() map[string]struct{ body, issue string } {
	return map[string]struct{ body, issue string }{
		"nothing":                       {"", "the body must be a JSON object, but is empty"},
		"white space":                   {" \r\n\t", "the body must be a JSON object, but is empty"},
		"an array":                      {`[]`, "the body must be a JSON object"},
		"a string":                      {`"{}"`, "the body must be a JSON object"},
		"a number":                      {`1`, "the body must be a JSON object"},
		"null":                          {`null`, "the body must be a JSON object"},
		"two objects":                   {`{}{}`, "the body must end with the JSON object"},
		"a comma behind it":             {`{},`, "the body must end with the JSON object"},
		"text behind it":                {`{} x`, "the body must end with the JSON object"},
		"NUL behind it":                 {"{}\x00", "the body must end with the JSON object"},
		"a byte order mark":             {"\ufeff{}", "must be valid JSON; it is not at byte 0"},
		"UTF-16":                        {"\xff\xfe{\x00}\x00", "the body must be UTF-8"},
		"Latin-1 in a text":             {"{\"content\":\"\xe9\"}", "the body must be UTF-8"},
		"an overlong encoding":          {"{\"content\":\"\xc0\xaf\"}", "the body must be UTF-8"},
		"a surrogate in UTF-8":          {"{\"content\":\"\xed\xa0\x80\"}", "the body must be UTF-8"},
		"a lone high surrogate":         {`{"content":"\ud800"}`, "content: must be valid JSON; it is not at byte 12"},
		"a lone low surrogate":          {`{"content":"\udc00 "}`, "content: must be valid JSON; it is not at byte 12"},
		"surrogates in the wrong order": {`{"a":{"b":["\udc00\ud800"]}}`, "a.b[0]: must be valid JSON; it is not at byte 12"},
		"an unknown escape":             {`{"content":"\x41"}`, "content: must be valid JSON; it is not at byte 12"},
		"a line break in a text":        {"{\"content\":\"a\nb\"}", "content: must be valid JSON; it is not at byte 13"},
		"no end":                        {`{"content":"a"`, "the JSON ends too early"},
		"no end of a text":              {`{"content":"a`, "content: the JSON ends too early"},
		"a comma too many":              {`{"a":1,}`, "must be valid JSON; it is not at byte 6"},
		"a comma too few":               {`{"a":1 "b":2}`, "must be valid JSON; it is not at byte 7"},
		"a name without quotes":         {`{a:1}`, "must be valid JSON; it is not at byte 1"},
		"single quotes":                 {`{'a':1}`, "must be valid JSON; it is not at byte 1"},
		"a comment":                     {`{/**/}`, "must be valid JSON; it is not at byte 1"},
		"not a number":                  {`{"a":NaN}`, "a: must be valid JSON; it is not at byte 5"},
		"a number with a plus":          {`{"a":+1}`, "a: must be valid JSON; it is not at byte 5"},
		"a number with a leading zero":  {`{"a":01}`, "must be valid JSON; it is not at byte 6"},
		"a literal in capitals":         {`{"a":True}`, "a: must be valid JSON; it is not at byte 5"},
		"a name twice":                  {`{"content":"a","content":"a"}`, "content: must not be given twice"},
		"a name twice, in two ways":     {`{"content":"a","\u0063ontent":"b"}`, "content: must not be given twice"},
		"an unknown name twice":         {`{"x":1,"x":1}`, "x: must not be given twice"},
		"a name twice, deeper":          {`{"assets":[{},{"name":"a","name":"b"}]}`, "assets[1].name: must not be given twice"},
		"a long name twice": {
			`{"` + strings.Repeat("\u00e9", 200) + `":1,"` + strings.Repeat("\u00e9", 200) + `":2}`,
			strings.Repeat("\u00e9", 50) + "...: must not be given twice",
		},
		"10,000 levels": {
			`{"x":` + strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000) + `}`,
			"x" + strings.Repeat("[0]", 33) + "...: must be valid JSON; it is not at byte 10004",
		},
		"60,000 open brackets": {
			strings.Repeat("[", 60_000),
			"0" + strings.Repeat("[0]", 33) + "...: must be valid JSON; it is not at byte 10000",
		},
	}
}

func TestDecodeBody_Malformed(t *testing.T) {
	t.Parallel()
	s := start(t)
	for reason, c := range badBodies() {
		for path := range posts {
			t.Run(reason+path, func(t *testing.T) {
				got := s.post(path, acmeKey, c.body)
				require.Equal(t, http.StatusBadRequest, got.Status)
				if changesAllowlist(path) {
					said := strings.Replace(c.issue, ": ", " ", 1)
					require.Equal(t, wrapped("BAD_REQUEST", "Invalid input data: "+said), got.Body)
				} else {
					require.Equal(t, invalid(c.issue), got.Body)
				}
			})
		}
	}
	require.Empty(t, s.log.String())
}

func TestDecodeBody_Valid(t *testing.T) {
	t.Parallel()
	s := start(t)
	deep := strings.Repeat("[", 1_000) + strings.Repeat("]", 1_000)
	for reason, body := range map[string]string{
		"white space around":            " \r\n{}\t",
		"unknown names":                 `{"x":1,"y":{"z":[null,true]},"":""}`,
		"a name that is NUL":            `{"\u0000":0}`,
		"all null":                      `{"type":null,"content":null,"fromStatus":null,"toStatus":null,"startDate":null,"endDate":null}`,
		"a thousand levels":             `{"x":` + deep + `}`,
		"the same name in two places":   `{"x":{"type":1},"y":{"type":2}}`,
		"a number that no float can be": `{"x":1e400}`,
		"a pair of surrogates":          `{"content":"\ud83d\ude00"}`,
	} {
		got := s.post(changelogPath, acmeKey, body)
		require.Equal(t, http.StatusOK, got.Status, "%s: %s", reason, got.Body)
	}
}

func TestDecodeBody_DuplicateNamesAtAnyDepth(t *testing.T) {
	t.Parallel()
	s := start(t)
	for depth := range testsize.OfShort(10, 100) {
		for open, shut := range map[string]string{`{"x":`: `}`, `[`: `]`, `[{"x":`: `}]`} {
			wrap := func(inner string) string {
				return `{"y":` + strings.Repeat(open, depth) + inner + strings.Repeat(shut, depth) + `}`
			}
			require.Equal(t, http.StatusOK, s.post(changelogPath, acmeKey, wrap(`{"a":1,"b":2}`)).Status, depth)
			got := s.post(changelogPath, acmeKey, wrap(`{"a":1,"a":2}`))
			require.Equal(t, http.StatusBadRequest, got.Status, depth)
			require.Contains(t, got.Body, "must not be given twice")
			require.Less(t, len(got.Body), 1000)
		}
	}
}
