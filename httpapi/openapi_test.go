package httpapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/idempotency"
	"github.com/apguard/apguard/internal/request"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage"
)

// document returns the document for a server URL and a path of the deprecated listing.
func document(tb testing.TB, server, deprecated string) string {
	tb.Helper()
	file, err := os.ReadFile("openapi.json")
	require.NoError(tb, err)
	text := string(file)
	for old, this := range map[string]string{"/api/v2": server, httpapi.DefaultDeprecatedReportsPath: deprecated} {
		require.Equal(tb, 1, strings.Count(text, quote(old)), "it occurs once")
		text = strings.Replace(text, quote(old), quote(this), 1)
	}
	return text
}

func TestGetDocument_NoKey(t *testing.T) {
	t.Parallel()
	s := start(t)
	want := document(t, base, httpapi.DefaultDeprecatedReportsPath)
	for reason, r := range map[string]*http.Request{
		"no key":         newRequest(http.MethodGet, documentPath, nil),
		"an unknown key": newGet(documentPath, unknownKey),
		"HEAD":           newRequest(http.MethodHead, documentPath, nil),
		"a query":        newRequest(http.MethodGet, documentPath+"?%zz", nil),
	} {
		got := s.do(r)
		require.Equal(t, http.StatusOK, got.Status, reason)
		require.Equal(t, want, got.Body, reason)
		require.Equal(t, "application/json", got.Header.Get("Content-Type"))
		require.Equal(t, strconv.Itoa(len(want)), got.Header.Get("Content-Length"))
	}
	// The authenticator is not called.
	recorder := httptest.NewRecorder()
	newAPI(t, panickingAuthenticator{}, httpapi.Options{}).ServeHTTP(recorder, newRequest(http.MethodGet, "/openapi.json", nil))
	require.Equal(t, http.StatusOK, recorder.Code)
}

func TestGetDocument_Server(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct{ uri, want string }{
		"at the root":                   {"/openapi.json", "/"},
		"below a base":                  {"/deep/base/openapi.json?x=1", "/deep/base"},
		"an absolute address":           {"http://h.test/b/openapi.json", "/b"},
		"a letter written as a code":    {"/b/%6fpenapi.json", "/b"},
		"a base that ends the text":     {"/a%22,%22x%22:%22/openapi.json", "/a%22,%22x%22:%22"},
		"a base that escapes":           {"/a%5C%0d%0a/openapi.json", "/a%5C%0D%0A"},
		"a base that is a template":     {"/%7Bhost%7D/openapi.json", "/%7Bhost%7D"},
		"a base that looks like a host": {"//evil.test/openapi.json", "/evil.test"},
		"one that browsers take for it": {"/%5Cevil.test/openapi.json", "/%5Cevil.test"},
		"a base that is not ASCII":      {"/%C3%A9/openapi.json", "/%C3%A9"},
		"another path":                  {"/rewritten", "."},
		"no address":                    {"", "/"},
		"no address that can be read":   {"%zz", "/"},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			r := newRequest(http.MethodGet, "/openapi.json", nil)
			r.RequestURI = c.uri
			r.Host = `evil.test","x":"`
			r.Header.Set("X-Forwarded-Host", "evil.test")
			recorder := httptest.NewRecorder()
			newAPI(t, fullAccess(), httpapi.Options{}).ServeHTTP(recorder, r)
			require.Equal(t, document(t, c.want, httpapi.DefaultDeprecatedReportsPath), recorder.Body.String())
		})
	}
}

func TestGetDocument_AnyTarget(t *testing.T) {
	t.Parallel()
	api := newAPI(t, fullAccess(), httpapi.Options{})
	rapid.Check(t, func(t *rapid.T) {
		prefix := rapid.OneOf(
			rapid.String(),
			rapid.StringMatching(`[/\\.{}"'<>?#%a:@]{0,12}`),
			rapid.Map(rapid.String(), func(text string) string { return "/" + url.PathEscape(text) }),
		).Draw(t, "prefix")
		r := newRequest(http.MethodGet, "/openapi.json", nil)
		r.RequestURI = prefix + "/openapi.json"
		recorder := httptest.NewRecorder()
		api.ServeHTTP(recorder, r)
		var got struct{ Servers []struct{ URL string } }
		require.NoError(t, json.Unmarshal(recorder.Body.Bytes(), &got))
		require.Len(t, got.Servers, 1)
		if server := got.Servers[0].URL; server != "." {
			require.Regexp(t, `^/([^/{}"\\][^{}"\\]*)?$`, server, "a path of this host")
		}
	})
}

func TestGetDocument_DeprecatedReportsPath(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	newAPI(t, fullAccess(), httpapi.Options{DeprecatedReportsPath: "/a/b.c"}).Mount(mux, "/v2")
	recorder := httptest.NewRecorder()
	mux.ServeHTTP(recorder, newRequest(http.MethodGet, "/v2/openapi.json", nil))
	require.Equal(t, document(t, "/v2", "/a/b.c"), recorder.Body.String())
	var got struct {
		Paths map[string]struct{ Post struct{ Deprecated bool } }
	}
	require.NoError(t, json.Unmarshal(recorder.Body.Bytes(), &got))
	require.True(t, got.Paths["/a/b.c"].Post.Deprecated)
	require.NotContains(t, got.Paths, httpapi.DefaultDeprecatedReportsPath)
}

func TestGetDocument_SecurityScheme(t *testing.T) {
	t.Parallel()
	definition := `{"type":"oauth2","description":"},\n    \"parameters\": { \"url\": \"/api/v2\"","flows":{}}`
	api := newAPI(t, fullAccess(), httpapi.Options{SecurityScheme: httpapi.SecurityScheme{Name: "staff-token_1.0", Definition: definition}})
	recorder := httptest.NewRecorder()
	api.ServeHTTP(recorder, newRequest(http.MethodGet, "/openapi.json", nil))
	got := decode(t, recorder.Body.String())
	want := decode(t, document(t, "/", httpapi.DefaultDeprecatedReportsPath))
	require.Equal(t, []any{map[string]any{"staff-token_1.0": []any{}}}, got["security"])
	components := got["components"].(map[string]any)
	require.Equal(t, map[string]any{"staff-token_1.0": decode(t, definition)}, components["securitySchemes"])

	// Nothing else is different.
	got["security"] = want["security"]
	components["securitySchemes"] = want["components"].(map[string]any)["securitySchemes"]
	require.Equal(t, want, got)
}

// operations calls yield for each operation of the document.
func (o *openapi) operations(yield func(method, path string, operation node)) {
	for _, path := range o.at("paths").keys() {
		for _, method := range o.at("paths", path).keys() {
			yield(strings.ToUpper(method), path, o.at("paths", path, method))
		}
	}
}

func TestDocument_EveryRoute(t *testing.T) {
	t.Parallel()
	api := newAPI(t, fullAccess(), httpapi.Options{})
	var routed, documented, formats []string
	for _, route := range api.Routes() {
		if folder, format, found := strings.Cut(route.Path, "/export/"); found {
			formats = append(formats, format)
			route.Path = folder + "/export/{format}"
		}
		line := route.Method + " " + route.Path
		if route.Method != http.MethodHead && !slices.Contains(routed, line) { // it is what GET is, without the body
			routed = append(routed, line)
		}
	}
	served().operations(func(method, path string, operation node) {
		documented = append(documented, method+" "+path)
		deprecated := operation.at("deprecated").value == true
		require.Equal(t, path == httpapi.DefaultDeprecatedReportsPath, deprecated, path)
		open := operation.at("security").value != nil
		require.Equal(t, path == "/openapi.json", open, path)
	})
	require.ElementsMatch(t, routed, documented)
	parameter := served().at("paths", "/asset/export/{format}", "get").parameter("format")
	for _, format := range lists.Writable() {
		require.Contains(t, formats, string(format))
		require.NoError(t, parameter.at("schema").validate(string(format)))
	}
}

func TestDocument_Scopes(t *testing.T) {
	t.Parallel()
	o := served()
	needs := map[string]account.Scope{
		"/asset/check": account.ScopeCheck, "/asset/check/batch": account.ScopeCheck,
		"/asset/list": account.ScopeChangelog, "/asset/export/{format}": account.ScopeChangelog,
		"/asset/hashes":    account.ScopeCheck,
		"/asset/changelog": account.ScopeChangelog, "/asset/feed": account.ScopeChangelog, "/dispute/create": account.ScopeDispute,
		"/dispute/get": account.ScopeDispute, "/report/create": account.ScopeReportWrite,
		"/organization/assets": account.ScopeAllowlist, "/organization/assets/remove": account.ScopeAllowlist,
		"/organization/reports":              account.ScopeReports,
		httpapi.DefaultDeprecatedReportsPath: account.ScopeReports,
	}
	o.operations(func(_, path string, operation node) {
		description, _ := operation.text("description")
		if scope := needs[path]; scope != "" {
			require.Contains(t, description, fmt.Sprintf("The key needs the scope `%s`", scope), path)
		} else {
			require.Contains(t, description, map[bool]string{true: "The key needs no scope", false: "It needs no key"}[path == "/caller/get"], path)
		}
	})
	explained, _ := o.at("components", "securitySchemes", "apiKey").text("description")
	for _, scope := range account.Scopes() {
		require.Contains(t, explained, fmt.Sprintf("`%s`", scope))
	}
}

func TestDocument_Enumerations(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{
		"AssetType":    texts(asset.Types()),
		"AssetStatus":  texts(asset.Statuses()),
		"DisputeState": texts(dispute.States()),
		"ReportStatus": texts(report.Statuses()),
		"ReviewStatus": texts(report.ReviewStatuses()),
	} {
		var got []string
		for _, element := range served().at("components", "schemas", name, "enum").list() {
			got = append(got, element.value.(string))
		}
		require.Equal(t, want, got, name)
	}
}

func texts[T ~string](values []T) []string {
	list := make([]string, len(values))
	for i, value := range values {
		list[i] = string(value)
	}
	return list
}

func TestDocument_Limits(t *testing.T) {
	t.Parallel()
	o := served()
	schema := func(path ...string) node { return o.at(append([]string{"components", "schemas"}, path...)...) }
	slug := func(name string) node { return schema("SlugReportsRequest", "properties", name) }
	parameter := func(name string) node {
		return o.at("paths", "/organization/reports", "get").parameter(name).at("schema")
	}
	entries := o.at("paths", "/organization/assets", "get").parameter("limit").at("schema")
	for _, c := range []struct {
		place   node
		keyword string
		want    int
	}{
		{schema("Id"), "minimum", 1},
		{schema("Id"), "maximum", asset.MaxID},
		{schema("Cursor"), "minimum", 1},
		{schema("BatchAddRequest", "properties", "assets"), "minItems", 1},
		{schema("BatchAddRequest", "properties", "assets"), "maxItems", allowlist.MaxItems},
		{schema("BatchAddResponse", "properties", "results"), "maxItems", allowlist.MaxItems},
		{schema("BatchAddResponse", "properties", "successCount"), "maximum", allowlist.MaxItems},
		{schema("BatchAddResponse", "properties", "errorCount"), "maximum", allowlist.MaxItems},
		{schema("DryRunResponse", "properties", "results"), "maxItems", allowlist.MaxItems},
		{schema("DryRunResponse", "properties", "successCount"), "maximum", allowlist.MaxItems},
		{schema("DryRunResponse", "properties", "errorCount"), "maximum", allowlist.MaxItems},
		{schema("CheckBatchRequest", "properties", "contents"), "minItems", 1},
		{schema("CheckBatchRequest", "properties", "contents"), "maxItems", check.MaxItems},
		{schema("CheckBatchResponse", "properties", "results"), "maxItems", check.MaxItems},
		{schema("RemoveRequest", "properties", "ids"), "minItems", 1},
		{schema("RemoveRequest", "properties", "ids"), "maxItems", allowlist.MaxItems},
		{schema("RemoveResponse", "properties", "results"), "maxItems", allowlist.MaxItems},
		{schema("RemoveResponse", "properties", "successCount"), "maximum", allowlist.MaxItems},
		{schema("RemoveResponse", "properties", "errorCount"), "maximum", allowlist.MaxItems},
		{schema("ReportsResponse", "properties", "reports"), "maxItems", report.MaxLimit},
		{schema("EntriesResponse", "properties", "assets"), "maxItems", allowlist.MaxLimit},
		{entries, "minimum", 1},
		{entries, "maximum", allowlist.MaxLimit},
		{entries, "default", allowlist.DefaultLimit},
		{schema("AssetsResponse", "properties", "assets"), "maxItems", asset.MaxListLimit},
		{o.at("paths", "/asset/list", "get").parameter("limit").at("schema"), "maximum", asset.MaxListLimit},
		{o.at("paths", "/asset/list", "get").parameter("limit").at("schema"), "default", asset.DefaultListLimit},
		{schema("FeedResponse", "properties", "changes"), "maxItems", asset.MaxLimit},
		{o.at("paths", "/asset/feed", "get").parameter("limit").at("schema"), "maximum", asset.MaxLimit},
		{o.at("paths", "/asset/feed", "get").parameter("limit").at("schema"), "default", asset.MaxLimit},
		{o.at("paths", "/asset/feed", "get").parameter("wait").at("schema"), "maximum", int(request.MaxWait.Seconds())},
		{schema("DisputeRequest", "properties", "description"), "maxLength", dispute.MaxDescription},
		{schema("AllowlistAsset", "properties", "name"), "maxLength", allowlist.MaxName},
		{schema("AllowlistAsset", "properties", "description"), "maxLength", allowlist.MaxDescription},
		{schema("ReportRequest", "properties", "title"), "maxLength", report.MaxTitle},
		{schema("ReportRequest", "properties", "description"), "maxLength", report.MaxDescription},
		{schema("ReportRequest", "properties", "proposals"), "maxItems", report.MaxProposals},
		{slug("limit"), "minimum", 1},
		{slug("limit"), "maximum", request.MaxSlugLimit},
		{slug("searchQuery"), "maxLength", report.MaxQuery},
		{slug("reporterQuery"), "maxLength", report.MaxQuery},
		{slug("reviewStatuses"), "maxItems", report.MaxValues},
		{slug("brandIds"), "maxItems", report.MaxValues},
		{parameter("limit"), "minimum", 1},
		{parameter("limit"), "maximum", report.MaxLimit},
		{parameter("limit"), "default", report.DefaultLimit},
		{parameter("searchQuery"), "maxLength", report.MaxQuery},
		{parameter("reporterQuery"), "maxLength", report.MaxQuery},
		{parameter("reviewStatuses"), "maxItems", report.MaxValues},
		{parameter("brandIds"), "maxItems", report.MaxValues},
	} {
		require.Equal(t, json.Number(strconv.Itoa(c.want)), c.place.at(c.keyword).value, c.place.pointer+" "+c.keyword)
	}

	// Limits in bytes are in the descriptions, because schemas count characters.
	content, _ := schema("AllowlistAsset", "properties", "content").text("description")
	require.Contains(t, content, "8,192 bytes")
	require.Equal(t, 8192, classify.MaxContent)
	for _, c := range []struct {
		place node
		want  string
	}{
		{schema("DisputeRequest", "properties", "description"), "10,000 bytes"},
		{schema("ReportRequest", "properties", "title"), "500 bytes"},
		{schema("ReportRequest", "properties", "description"), "10,000 bytes"},
		{schema("ProposalRequest", "properties", "content"), "8,192 bytes"},
		{schema("AllowlistAsset", "properties", "name"), "200 bytes"},
		{schema("AllowlistAsset", "properties", "description"), "10,000 bytes"},
	} {
		description, _ := c.place.text("description")
		require.Contains(t, description, c.want, c.place.pointer)
	}
	key := o.at("components", "parameters", "IdempotencyKey")
	description, _ := key.text("description")
	require.Contains(t, description, fmt.Sprintf("1 to %d visible ASCII characters", idempotency.MaxKeyLength))
	pattern, _ := key.at("schema").text("pattern")
	require.Contains(t, pattern, fmt.Sprintf("{1,%d}", idempotency.MaxKeyLength), "with quotes")
	require.Contains(t, pattern, fmt.Sprintf("{0,%d}", idempotency.MaxKeyLength-2), "without")
	query, _ := slug("searchQuery").text("description")
	require.Contains(t, query, "1,000 bytes")
	size, _ := o.at("components", "responses", "PayloadTooLarge").text("description")
	require.Contains(t, size, fmt.Sprintf("%d KiB", httpapi.MaxBody>>10))
	for _, path := range []string{"/organization/assets", "/organization/assets/remove"} {
		size, _ = o.at("paths", path, "post", "responses", "413").text("description")
		require.Contains(t, size, fmt.Sprintf("%d MiB", httpapi.DefaultMaxBatchBody>>20))
	}
}

// reach calls yield for every object schema at or below a node.
func (n node) reach(seen map[string]bool, yield func(node)) {
	if seen[n.pointer] {
		return
	}
	seen[n.pointer] = true
	if n.at("type").value == "object" {
		yield(n)
	}
	for _, key := range n.keys() {
		if key != "examples" {
			n.at(key).reach(seen, yield)
		}
	}
	for _, element := range n.list() {
		element.reach(seen, yield)
	}
}

// required returns the required names of an object schema.
func (n node) required() []string {
	list := n.at("required").list()
	names := make([]string, len(list))
	for i, name := range list {
		names[i] = name.value.(string)
	}
	slices.Sort(names)
	return names
}

// optionalFields has the fields that responses may lack, by the name of their schema.
var optionalFields = map[string][]string{
	"DisputeResponse": {"message"}, "DryRunAddedAsset": {"id"}, "RemovedAsset": {"content"}, "UnremovedAsset": {"content", "id"},
	"StixBundle": {"objects"}, "StixIndicator": {"description", "labels"},
}

func TestDocument_ResponseFields(t *testing.T) {
	t.Parallel()
	require.Greater(t, requireResponseFields(t, served(), optionalFields), 20)
}

func TestDocument_RequestFields(t *testing.T) {
	t.Parallel()
	require.Equal(t, 10, requireRequestFields(t, served(), specified))
}

func TestDocument_Examples(t *testing.T) {
	t.Parallel()
	requireExamples(t, served(), "2.0.0", provoke)
}

// wrong has the requests of the error examples, by path and name of the example.
var wrong = map[string]string{
	changelogPath + " badRequest":   `{"startDate":"2025-02-30"}`,
	checkPath + " badRequest":       `{"content":"no asset"}`,
	batchPath + " badRequest":       `{"contents":["https://good.example.com",5]}`,
	batchPath + " tooMany":          `{"contents":[` + strings.Repeat(`"",`, check.MaxItems) + `""]}`,
	disputePath + " badRequest":     `{"content":"https://bad.example.com","email":"ada"}`,
	disputePath + " notFound":       `{"content":"https://never.example.com"}`,
	assetsPath + " badLimit":        `limit=1001`,
	assetsPath + " badRequest":      `{"assets":[{"content":"a","name":5}]}`,
	assetsPath + " tooMany":         `{"assets":[` + strings.Repeat(`{},`, allowlist.MaxItems) + `{}]}`,
	assetsPath + " notFound":        `{"assets":[{"content":"https://new.example.com","groupId":999}]}`,
	removePath + " badRequest":      `{"ids":["1"]}`,
	removePath + " tooMany":         `{"ids":[` + strings.Repeat(`1,`, allowlist.MaxItems) + `1]}`,
	assetListPath + " badRequest":   `limit=10001`,
	base + "/caller/get badRequest": `id=9`,
	feedPath + " badRequest":        `cursor=begin`,
	hashesPath + " badRequest":      `version=a&version=b`,
	hashesPath + " notFound":        ``,
	exportPath + " badRequest":      `status=UNKNOWN`,
	oldReports + " badRequest":      `{"slug":"acme","limit":21}`,
	newReports + " badRequest":      `limit=101`,
	ownPath + " badRequest":         ``,
	ownPath + " notFound":           `id=1`,
	reportPath + " badRequest": `{"proposals":[{"content":"bad.example.com","proposedStatus":"BLOCKED"},` +
		`{"content":"BAD.example.com","proposedStatus":"ALLOWED"}]}`,
	reportPath + " notFound": posts[reportPath],
}

// provoke sends a request to the public API that is answered with the example.
func provoke(t *testing.T, e example) response {
	t.Helper()
	path := base + strings.Replace(e.path, "{format}", "csv", 1)
	a := attempt{
		server:  setup{guard: apguard.Options{ExternalLists: check.ExternalLists{externalList{word: "bad"}}}},
		method:  e.method,
		key:     acmeKey,
		maxBody: httpapi.DefaultMaxBatchBody,
	}
	if e.method == http.MethodPost {
		a.text = posts[path]
	}
	switch e.status {
	case "200":
		if path == feedPath {
			a.server.wrap = func(store storage.Store) storage.Store { return exampleFeed{store} }
		}
		a.text = exampleRequest(t, e.operation, e.name)
		path = base + strings.Replace(e.path, "{format}", e.name, 1)
	case "400", "404":
		require.Contains(t, wrong, path+" "+e.name)
		a.text = wrong[path+" "+e.name]
	case "409":
		a.server.wrap = failingWith(idempotency.ErrInProgress)
	case "410":
		a.server.wrap = func(store storage.Store) storage.Store { return feedWithout{store, asset.ErrPrunedCursor} }
	case "422":
		a.server.wrap = failingWith(idempotency.ErrReused)
	default:
		a.fail(e.status)
	}
	switch {
	case path == ownPath && a.text == "" && e.status != "400":
		a.text = "id=1"
	case path == reportPath && e.status == "404":
		a.server.wrap = failingWith(report.ErrNotFound)
	}
	if path == hashesPath {
		a.server.hashes = e.status != "404" // they are not filled
	}
	if path == hashesPath && e.status == "500" { // only the keys are read from the store
		a.server.wrap = func(store storage.Store) storage.Store {
			return hookedStore{Store: store, beforeKey: func(context.Context) error { return errDisk }}
		}
	}
	s := startWith(t, a.server)
	if e.status == "200" && (path == removePath || e.name == "page") {
		require.Contains(t, s.post(assetsPath, acmeKey, posts[assetsPath]).Body, `"id":4`)
	}
	if e.status == "200" && path == ownPath {
		require.Equal(t, http.StatusOK, s.post(disputePath, acmeKey, posts[disputePath]).Status)
		_, err := s.guard.DisputeQueue.Resolve(t.Context(), dispute.ResolveRequest{
			DisputeID: 1, State: dispute.StateRejected, Reason: "It copies a login page.",
		})
		require.NoError(t, err)
	}
	return s.do(a.request(path))
}
