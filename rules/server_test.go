package rules_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/rules"
	"github.com/apguard/apguard/storage/memory"
)

// now is the time of the servers.
var now = time.Date(2025, 6, 1, 12, 0, 0, 0, time.UTC)

// fixedCaller is an Authenticator of a caller who may do everything.
type fixedCaller struct{}

func (fixedCaller) Authenticate(*http.Request) (account.Principal, error) {
	return account.Principal{
		OrganizationID: 1, OrganizationSlug: "acme", UserID: 1, Email: "ada@acme.test",
		Scopes: append(append(account.Scopes(), account.OperatorScopes()...), account.ScopeOperatorAdmin),
	}, nil
}

// servers returns both APIs on an empty store.
func servers(t require.TestingT) []*httpapi.API {
	store := memory.New()
	require.NoError(t, store.PutOrganization(context.Background(), account.Organization{ID: 1, Slug: "acme"}, audit.Entry{}))
	guard := apguard.New(store, apguard.Options{Clock: func() time.Time { return now }})
	public, err := httpapi.New(guard, fixedCaller{}, httpapi.Options{})
	require.NoError(t, err)
	operators, err := httpapi.NewOperator(guard, fixedCaller{}, httpapi.Options{})
	require.NoError(t, err)
	return []*httpapi.API{public, operators}
}

// send sends a request as its operation takes it, and returns the response.
func send(api http.Handler, route httpapi.Route, body, query, key string) (int, string) {
	r := httptest.NewRequestWithContext(context.Background(), route.Method, route.Path, strings.NewReader(body))
	r.URL.RawQuery = query
	r.Header.Set("Content-Type", "application/json")
	if key != "" {
		r.Header.Set("Idempotency-Key", key)
	}
	recorder := httptest.NewRecorder()
	api.ServeHTTP(recorder, r)
	return recorder.Code, recorder.Body.String()
}

// checkReason matches the reason of a refused content, which the rule "classify" gives.
var checkReason = regexp.MustCompile(`,"reason":"[A-Z_]+"`)

// nameOf returns the name of an operation in a [rules.Request].
func nameOf(route httpapi.Route) string {
	if route.Method == http.MethodGet && route.Path == "/organization/assets" {
		return "GET /organization/assets"
	}
	return route.Path
}

// refusal returns what a response with the status 400 says, in the form of the operation.
func refusal(operation string, validity rules.Validity) string {
	if !strings.HasPrefix(operation, "/organization/assets") {
		issues := make([]map[string]string, len(validity.Issues))
		for i, issue := range validity.Issues {
			issues[i] = map[string]string{"message": issue}
		}
		text, _ := json.Marshal(map[string]any{"code": "BAD_REQUEST", "message": validity.Message, "issues": issues})
		return string(text)
	}
	message := validity.Message
	for i, issue := range validity.Issues {
		message += []string{": ", "; "}[min(i, 1)] + strings.Replace(issue, ": ", " ", 1)
	}
	text, _ := json.Marshal(map[string]any{"error": map[string]string{"code": "BAD_REQUEST", "message": message}})
	return string(text)
}

// The law of the package: what it says before a request is what the server says after it, for
// any request to any operation that it knows.
func TestValidate_Server(t *testing.T) {
	t.Parallel()
	texts := rapid.OneOf(
		rapid.SampledFrom([]string{
			"", " ", "a.example.com", "https://bad.example.com/x", "no asset", "@handle", "ada@acme.test", "BLOCKED", "URL", "TODO", "APPROVE",
			"ACCEPTED", "REJECTED", "UNKNOWN", "2025-01-01", "2025-02-30", "2025-01-01T00:00:00Z", "acme", "1", "true", "any", "7.7", "1736071200000.7",
		}),
		rapid.String(),
		rapid.Map(rapid.IntRange(199, 10_001), func(n int) string { return strings.Repeat("x", n) }),
	)
	values := rapid.OneOf(
		rapid.Map(texts, func(text string) any { return text }),
		rapid.Map(rapid.SampledFrom([]any{nil, true, 0, 1, 1.5, 20, 21, -1, 1e30, map[string]any{}, []any{}}), func(v any) any { return v }),
		rapid.Map(rapid.SliceOfN(texts, 0, 3), func(list []string) any { return list }),
		rapid.Map(rapid.SliceOfN(rapid.IntRange(0, 9), 0, 3), func(list []int) any { return list }),
		rapid.Map(rapid.SliceOfN(rapid.MapOf(rapid.SampledFrom([]string{
			"content", "name", "description", "groupId", "expiresAt", "refuseBlocked", "proposedStatus",
		}), texts), 0, 3),
			func(list []map[string]string) any { return list }),
	)
	anyName := rapid.SampledFrom([]string{
		"content", "contents", "email", "description", "assets", "dryRun", "ids", "id", "type", "fromStatus", "toStatus", "startDate", "endDate",
		"slug", "limit", "cursor", "status", "searchQuery", "reporterQuery", "excludeAutomation", "onlyRejected", "reviewStatuses", "reviewedByUserId",
		"brandIds", "prefix", "changedSince", "organizationId", "proposalId", "reviewId", "reviewStatus", "comment", "reason", "state", "states",
		"assetStatus", "reference", "text", "oldestFirst", "ifReview", "ifStatus", "title", "proposals", "Content", "dry_run", "%FF", "",
	})
	bodies := func(names *rapid.Generator[string]) *rapid.Generator[string] {
		return rapid.OneOf(
			rapid.Map(rapid.MapOf(names, values), func(body map[string]any) string {
				text, _ := json.Marshal(body)
				return string(text)
			}),
			rapid.SampledFrom([]string{"", "{", "[]", "null", `{"id":1,"id":1}`, `{"content":"\ud800"}`}),
		)
	}
	queries := func(names *rapid.Generator[string]) *rapid.Generator[string] {
		return rapid.Map(rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string {
			return names.Draw(t, "name") + "=" + rapid.OneOf(texts, rapid.SampledFrom([]string{"%zz", "%FF", "1,2", "OPEN,CLOSED"})).Draw(t, "value")
		}), 0, 5), func(parts []string) string { return strings.Join(parts, "&") })
	}
	keys := rapid.SampledFrom([]string{"", "k", `"k"`, "a b", strings.Repeat("k", 256)})

	public := servers(t)[0]
	for path, body := range map[string]string{
		"/asset/changelog": `{"x":1}`, "/asset/check": `{"content":"a.example.com"}`, "/organization/assets": `{"assets":[{}]}`,
		"/organization/assets/remove": `{"ids":[1]}`, "/report/create": `{"proposals":[]}`,
	} {
		require.True(t, agree(t, public, httpapi.Route{Method: http.MethodPost, Path: path}, body, "", ""), path)
	}
	invalid := 0
	rapid.Check(t, func(t *rapid.T) {
		apis := servers(t)
		i := rapid.IntRange(0, 1).Draw(t, "api")
		route := rapid.SampledFrom(apis[i].Routes()).Draw(t, "route")
		if route.Path == "/openapi.json" || route.Method == http.MethodHead || unknownOperation(route.Path) {
			return
		}
		names := anyName
		if fields := fieldsOf(t, apis[i], route); len(fields) > 0 && rapid.IntRange(0, 4).Draw(t, "only fields") > 0 {
			names = rapid.SampledFrom(fields)
		}
		body, query, key := "", "", keys.Draw(t, "key")
		if route.Method == http.MethodPost {
			body = bodies(names).Draw(t, "body")
		}
		if route.Method != http.MethodPost || rapid.IntRange(0, 9).Draw(t, "with a query") == 0 {
			query = queries(names).Draw(t, "query")
		}
		if !agree(t, apis[i], route, body, query, key) {
			invalid++
		}
	})
	require.Positive(t, invalid)
}

// unknownOperation reports whether the rules do not know the operation; see [rules.Request].
func unknownOperation(path string) bool {
	return slices.ContainsFunc([]string{
		"/list/", "/webhook/", "/key/", "/user/", "/audit/", "/caller/", "/organization/list", "/organization/create",
		"/organization/rename", "/organization/deactivate", "/organization/reactivate", "/organization/remove", "/group/", "/person/", "/prune",
	}, func(prefix string) bool { return strings.HasPrefix(path, prefix) })
}

// agree requires that the rules say about a request what the server says, and reports whether it
// is valid.
func agree(t require.TestingT, api http.Handler, route httpapi.Route, body, query, key string) bool {
	argument, err := json.Marshal(rules.Request{Operation: nameOf(route), Body: body, Query: query, IdempotencyKey: key, AccountEmail: "ada@acme.test"})
	require.NoError(t, err)
	answer, err := rules.Call("validate", argument)
	require.NoError(t, err)
	var validity rules.Validity
	require.NoError(t, json.Unmarshal(answer, &validity))

	status, response := send(api, route, body, query, key)
	require.Equal(t, status != http.StatusBadRequest, validity.Valid, "%d %s, but %s", status, response, answer)
	if !validity.Valid {
		require.JSONEq(t, checkReason.ReplaceAllString(response, ""), refusal(nameOf(route), validity))
	}
	return validity.Valid
}

// fieldsOf returns the names of the fields of an operation, as the document of the API has them.
func fieldsOf(t require.TestingT, api http.Handler, route httpapi.Route) []string {
	type schema struct {
		Ref        string                     `json:"$ref"`
		Properties map[string]json.RawMessage `json:"properties"`
	}
	var document struct {
		Paths map[string]map[string]struct {
			Parameters  []struct{ Name string }
			RequestBody struct {
				Content map[string]struct{ Schema schema }
			}
		}
		Components struct{ Schemas map[string]schema }
	}
	_, text := send(api, httpapi.Route{Method: http.MethodGet, Path: "/openapi.json"}, "", "", "")
	require.NoError(t, json.Unmarshal([]byte(text), &document))
	operation := document.Paths[route.Path][strings.ToLower(route.Method)]
	var names []string
	for _, parameter := range operation.Parameters {
		if parameter.Name != "" { // not a header, which is a reference
			names = append(names, parameter.Name)
		}
	}
	body := operation.RequestBody.Content["application/json"].Schema
	if name := path.Base(body.Ref); body.Ref != "" {
		body = document.Components.Schemas[name]
	}
	return append(names, slices.Sorted(maps.Keys(body.Properties))...)
}

// goldenContents returns the contents of the golden tables of classify.
func goldenContents(tb testing.TB) []string {
	tb.Helper()
	tables, err := filepath.Glob(filepath.Join("..", "classify", "testdata", "golden", "*.jsonl"))
	require.NoError(tb, err)
	var contents []string
	for _, table := range tables {
		file, err := os.Open(table)
		require.NoError(tb, err)
		lines := bufio.NewScanner(file)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var line struct{ Content string }
			require.NoError(tb, json.Unmarshal(lines.Bytes(), &line))
			contents = append(contents, line.Content)
		}
		require.NoError(tb, errors.Join(lines.Err(), file.Close()))
	}
	require.Greater(tb, len(contents), 3000)
	return contents
}

// The plan of a batch is what the server's results say, line by line.
func TestPlan_Server(t *testing.T) {
	t.Parallel()
	for chunk := range slices.Chunk(goldenContents(t), allowlist.MaxItems) {
		var batch struct {
			Assets []map[string]string `json:"assets"`
		}
		for _, content := range chunk {
			batch.Assets = append(batch.Assets, map[string]string{"content": content})
		}
		body, err := json.Marshal(batch)
		require.NoError(t, err)

		argument, err := json.Marshal(map[string]any{"body": string(body), "at": now})
		require.NoError(t, err)
		var plan rules.Plan
		require.NoError(t, json.Unmarshal([]byte(call(t, "plan", string(argument))), &plan))
		require.True(t, plan.Valid)

		var results struct {
			Results []struct{ Content, Error string }
		}
		status, response := send(servers(t)[0], httpapi.Route{Method: http.MethodPost, Path: "/organization/assets"}, string(body), "", "")
		require.Equal(t, http.StatusOK, status, response)
		require.NoError(t, json.Unmarshal([]byte(response), &results))
		require.Len(t, plan.Assets, len(results.Results))
		for i, result := range results.Results {
			require.Equal(t, result.Error, plan.Assets[i].Error, result.Content)
		}
	}
}
