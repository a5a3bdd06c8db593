package httpapi_test

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/storage"
)

const (
	badAsset   = `{"id":1,"type":"URL","content":"https://bad.example.com","canonical":"https://bad.example.com","status":"BLOCKED","updatedAt":"2025-01-05T10:00:00.000Z",` + badBasis + `}`
	goodAsset  = `{"id":2,"type":"PAGE","content":"good.example.com","canonical":"good.example.com","status":"ALLOWED","updatedAt":"2025-01-06T23:59:59.999Z",` + goodBasis + `}`
	quietAsset = `{"id":3,"type":"URL","content":"https://quiet.example.com","canonical":"https://quiet.example.com","status":"UNKNOWN","updatedAt":null,` + quietBasis + `}`
)

func TestListAssets(t *testing.T) {
	t.Parallel()
	s := start(t)
	for reason, c := range map[string]struct{ query, assets, next string }{
		"everything":             {"", badAsset + "," + goodAsset + "," + quietAsset, "null"},
		"empty parameters":       {"status=&type=&prefix=&changedSince=&limit=&cursor=", badAsset + "," + goodAsset + "," + quietAsset, "null"},
		"a status":               {"status=UNKNOWN", quietAsset, "null"},
		"a type":                 {"type=PAGE", goodAsset, "null"},
		"a prefix":               {"prefix=https%3A%2F%2Fq", quietAsset, "null"},
		"a day, included":        {"changedSince=2025-01-06", goodAsset, "null"},
		"a time, included":       {"changedSince=2025-01-05T10:00:00Z", badAsset + "," + goodAsset, "null"},
		"a time after a change":  {"changedSince=2025-01-06T23:59:59.9990001Z", "", "null"},
		"a time of another zone": {"changedSince=2025-01-05T12:00:00%2B02:00", badAsset + "," + goodAsset, "null"},
		"the first page":         {"limit=1", badAsset, `"1"`},
		"the next page":          {"limit=1&cursor=1", goodAsset, `"2"`},
		"the last page":          {"limit=2&cursor=1", goodAsset + "," + quietAsset, "null"},
		"the end":                {"cursor=3", "", "null"},
	} {
		got := s.get(assetListPath+"?"+c.query, globexKey)
		require.Equal(t, http.StatusOK, got.Status, reason)
		require.Equal(t, `{"assets":[`+c.assets+`],"nextCursor":`+c.next+`}`, got.Body, reason)
	}
}

func TestListAssets_InvalidInput(t *testing.T) {
	t.Parallel()
	const noTime = "changedSince: must be a date, written YYYY-MM-DD, or a time of RFC 3339"
	s := start(t)
	for query, issue := range map[string]string{
		"status=blocked":                   "status: must be UNKNOWN, ALLOWED or BLOCKED",
		"status=any":                       "status: must be UNKNOWN, ALLOWED or BLOCKED",
		"type=url":                         "type: must be an asset type",
		"prefix=%00":                       "prefix: must be valid UTF-8 without NUL",
		"prefix=%ff":                       "prefix: must be valid UTF-8 without NUL",
		"changedSince=2025-02-30":          noTime,
		"changedSince=0000-01-01":          noTime,
		"changedSince=yesterday":           noTime,
		"changedSince=2025-01-05T10:00:00": noTime,
		"limit=0":                          "limit: must be from 1 to 10000",
		"limit=10001":                      "limit: must be from 1 to 10000",
		"limit=x":                          "limit: must be a whole number from 1 to 10000",
		"cursor=0":                         "cursor: must be a whole number from 1",
		"cursor=x":                         "cursor: must be a whole number from 1",
		"cursor=9007199254740992":          "cursor: must be from 1 to 2^53-1",
		"status=BLOCKED&status=ALLOWED":    "status: must be given once",
		"%zz":                              "the query must be parameters in URL encoding",
	} {
		requireInvalid(t, s.get(assetListPath+"?"+query, acmeKey), issue)
	}
}

// A list of any limit has as many assets as it says, although pages of the store are shorter.
func TestListAssets_Many(t *testing.T) {
	t.Parallel()
	testsize.NotShort(t)
	s := start(t)
	fill(t, s, 11_000)
	cursor, seen := "", make(map[any]bool)
	for _, want := range []int{10_000, 1003} {
		got := s.get(assetListPath+"?limit=10000&cursor="+cursor, acmeKey)
		require.Equal(t, http.StatusOK, got.Status)
		page := decode(t, got.Body)
		assets := page["assets"].([]any)
		require.Len(t, assets, want)
		for _, one := range assets {
			seen[one.(map[string]any)["id"]] = true
		}
		cursor, _ = page["nextCursor"].(string)
	}
	require.Empty(t, cursor)
	require.Len(t, seen, 11_003)
}

func exportOf(format string) string { return strings.TrimSuffix(exportPath, "csv") + format }

func TestExportAssets(t *testing.T) {
	t.Parallel()
	s := start(t)
	const header = "id,type,content,canonical,status,updatedAt,reason,note,since,by,list\n"
	const bad = "1,URL,https://bad.example.com,https://bad.example.com,BLOCKED,2025-01-05T10:00:00.000Z,OTHER,,2025-01-05T10:00:00.000Z,OPERATOR,\n"
	const good = "2,PAGE,good.example.com,good.example.com,ALLOWED,2025-01-06T23:59:59.999Z,,,2025-01-06T23:59:59.999Z,OPERATOR,\n"
	const stix = `{"type":"bundle","objects":[` + "\n" +
		`{"type":"indicator","spec_version":"2.1","id":"indicator--d3584781-51d4-5b36-87cd-01f13fa8ef80","created":"2025-01-05T10:00:00.000Z","modified":"2025-01-05T10:00:00.000Z",` +
		`"name":"https://bad.example.com","indicator_types":["malicious-activity"],"labels":["other"],"pattern":"[url:value = 'https://bad.example.com/']","pattern_type":"stix","valid_from":"2025-01-05T10:00:00.000Z"}` + "\n" +
		`],"id":"bundle--3a1324f3-4a7a-58ba-95f8-2fe58b63a75b"}` + "\n"
	for target, c := range map[string]struct{ mediaType, body string }{
		"csv":                 {"text/csv; charset=utf-8", header + bad},
		"csv?status=":         {"text/csv; charset=utf-8", header + bad},
		"csv?status=ALLOWED":  {"text/csv; charset=utf-8", header + good},
		"csv?status=any":      {"text/csv; charset=utf-8", header + bad + good},
		"jsonl":               {"application/x-ndjson", badAsset + "\n"},
		"jsonl?status=any":    {"application/x-ndjson", badAsset + "\n" + goodAsset + "\n"},
		"domains":             {"text/plain; charset=utf-8", "# blocked domains\nbad.example.com\n"},
		"hosts":               {"text/plain; charset=utf-8", "# blocked hosts\n0.0.0.0 bad.example.com\n"},
		"adblock":             {"text/plain; charset=utf-8", "[Adblock Plus 2.0]\n! Title: blocked hosts\n||bad.example.com^\n"},
		"rpz?status=BLOCKED":  {"text/plain; charset=utf-8", "$TTL 300\n@ SOA localhost. hostmaster.localhost. 2 3600 600 86400 300\n@ NS localhost.\nbad.example.com CNAME .\n*.bad.example.com CNAME .\n"},
		"eth-phishing-detect": {"application/json", "{\n  \"version\": 2,\n  \"tolerance\": 0,\n  \"fuzzylist\": [],\n  \"whitelist\": [\n    \"good.example.com\"\n  ],\n  \"blacklist\": [\n    \"bad.example.com\"\n  ],\n  \"leftOut\": []\n}\n"},
		"misp-warninglist": {"application/json", "{\n  \"name\": \"Hosts that apguard allows\",\n  \"version\": 2,\n  \"type\": \"hostname\",\n" +
			"  \"matching_attributes\": [\"domain\", \"domain|ip\", \"hostname\", \"hostname|port\", \"url\"],\n  \"list\": [\n    \"good.example.com\"\n  ],\n" +
			"  \"description\": \"ALLOWED hosts, with everything on and below them.\"\n}\n"},
		"stix": {"application/stix+json;version=2.1", stix},
	} {
		got := s.get(exportOf(target), globexKey)
		require.Equal(t, http.StatusOK, got.Status, target)
		require.Equal(t, c.body, got.Body, target)
		require.Equal(t, c.mediaType, got.Header.Get("Content-Type"), target)
		require.Equal(t, "private, no-cache", got.Header.Get("Cache-Control"), target)
		require.Equal(t, strconv.Itoa(len(c.body)), got.Header.Get("Content-Length"), target)

		r := newGet(exportOf(target), globexKey)
		r.Method = http.MethodHead
		head := s.do(r)
		require.Equal(t, http.StatusOK, head.Status, target)
		require.Equal(t, got.Header.Get("ETag"), head.Header.Get("ETag"), target)
		require.Empty(t, head.Body, target)
	}
}

func TestExportAssets_ETag(t *testing.T) {
	t.Parallel()
	s := start(t)
	get := func(tags ...string) response {
		r := newGet(exportPath, acmeKey)
		r.Header["If-None-Match"] = tags
		return s.do(r)
	}
	first := get()
	tag := first.Header.Get("ETag")
	require.Regexp(t, `^W/"csv\.BLOCKED\.[A-Za-z0-9_-]+"$`, tag)
	strong := strings.TrimPrefix(tag, "W/")
	for _, tags := range [][]string{{tag}, {strong}, {`"other", ` + tag}, {`"other"`, tag}, {"*"}} {
		got := get(tags...)
		require.Equal(t, http.StatusNotModified, got.Status, tags)
		require.Empty(t, got.Body)
		require.Equal(t, tag, got.Header.Get("ETag"))
		require.NotContains(t, got.Header, "Content-Type")
	}
	for _, tags := range [][]string{{`"other"`}, {""}, {strings.Trim(strong, `"`)}, {`W/"" ,`}} {
		require.Equal(t, http.StatusOK, get(tags...).Status, tags)
	}
	for _, target := range []string{"jsonl", "csv?status=any", "csv?status=ALLOWED"} {
		other := newGet(exportOf(target), acmeKey)
		other.Header.Set("If-None-Match", tag)
		require.Equal(t, http.StatusOK, s.do(other).Status, "%s is another list", target)
	}
	fill(t, s, 1)
	changed := get(tag)
	require.Equal(t, http.StatusOK, changed.Status, "a status has changed")
	require.NotEqual(t, tag, changed.Header.Get("ETag"))
}

// unpublishedStore has changes that are not in the feed.
type unpublishedStore struct{ storage.Store }

func (s unpublishedStore) Feed(ctx context.Context) (asset.Feed, error) {
	feed, err := s.Store.Feed(ctx)
	feed.Unpublished = true
	return feed, err
}

// The tag of a list does not change before the changes are published.
func TestExportAssets_Unpublished(t *testing.T) {
	t.Parallel()
	s := startWith(t, setup{wrap: func(store storage.Store) storage.Store { return unpublishedStore{store} }})
	r := newGet(exportPath, acmeKey)
	r.Header.Set("If-None-Match", s.get(exportPath, acmeKey).Header.Get("ETag"))
	require.Equal(t, http.StatusOK, s.do(r).Status)
}

func TestExportAssets_Errors(t *testing.T) {
	t.Parallel()
	s := start(t)
	for target, issue := range map[string]string{
		"csv?status=UNKNOWN":              "status: must be BLOCKED, ALLOWED or any",
		"jsonl?status=blocked":            "status: must be BLOCKED, ALLOWED or any",
		"hosts?status=ALLOWED":            "status: must be BLOCKED",
		"rpz?status=any":                  "status: must be BLOCKED",
		"stix?status=ALLOWED":             "status: must be BLOCKED",
		"misp-warninglist?status=BLOCKED": "status: must be ALLOWED",
		"csv?status=any&status=x":         "status: must be given once",
		"csv?%zz":                         "the query must be parameters in URL encoding",
	} {
		got := s.get(exportOf(target), acmeKey)
		requireInvalid(t, got, issue)
		require.NotContains(t, got.Header, "Etag", target)
	}
	for _, format := range []string{"", "xml", "lines", "CSV", "csv/", "csv/x"} {
		require.Equal(t, http.StatusNotFound, s.get(exportOf(format), acmeKey).Status, format)
	}
	require.Equal(t, http.StatusForbidden, s.get(exportPath, powerlessKey).Status)
	require.Equal(t, http.StatusForbidden, s.get(assetListPath, powerlessKey).Status)
	require.Equal(t, http.StatusUnauthorized, s.get(exportPath, unknownKey).Status)
}

func TestExportAssets_Many(t *testing.T) {
	t.Parallel()
	s := start(t)
	fill(t, s, 5000)
	got := s.get(exportPath+"?status=any", acmeKey)
	require.Equal(t, http.StatusOK, got.Status)
	require.Equal(t, 5003, strings.Count(got.Body, "\n"))
	require.Contains(t, got.Body, fmt.Sprintf("\n%d,", 5003))
}
