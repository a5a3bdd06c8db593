package httpapi_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/audit/trail"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/internal/request"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/pending"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/webhook"
)

func TestOperatorDocument_EveryRoute(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	var routed, documented []string
	for _, route := range s.api.Routes() {
		if route.Method != http.MethodHead {
			routed = append(routed, route.Method+" "+route.Path)
		}
	}
	servedToOperators().operations(func(method, path string, operation node) {
		documented = append(documented, method+" "+path)
		description, _ := operation.text("description")
		switch {
		case path == "/openapi.json":
			require.Contains(t, description, "It needs no key")
		case path == "/caller/get":
			require.Contains(t, description, "The key needs no scope.")
		case administers(httpapi.Route{Method: method, Path: path}):
			require.Contains(t, description, "The key needs the scope `operator:admin` and a user")
		case reads(httpapi.Route{Method: method, Path: path}):
			require.Contains(t, description, "The key needs the scope `operator:read`.")
		default:
			require.Contains(t, description, "The key needs the scope `operator:write` and a user")
		}
	})
	require.ElementsMatch(t, routed, documented)
}

func TestOperatorDocument_Server(t *testing.T) {
	t.Parallel()
	scheme := httpapi.SecurityScheme{Name: "staff", Definition: `{"type":"http","scheme":"bearer"}`}
	s := startOperatorWith(t, setup{options: httpapi.Options{SecurityScheme: scheme}})
	mux := http.NewServeMux()
	s.api.Mount(mux, "/desk/v1")
	recorder := httptest.NewRecorder()
	mux.ServeHTTP(recorder, newRequest(http.MethodGet, "/desk/v1/openapi.json", nil))
	var got struct {
		Servers    []struct{ URL string }
		Security   []map[string]any
		Components struct{ SecuritySchemes map[string]any }
	}
	require.NoError(t, json.Unmarshal(recorder.Body.Bytes(), &got))
	require.Equal(t, "/desk/v1", got.Servers[0].URL)
	require.Contains(t, got.Security[0], "staff")
	require.Equal(t, map[string]any{"staff": map[string]any{"type": "http", "scheme": "bearer"}}, got.Components.SecuritySchemes)
}

// What both documents have is the same in both.
func TestOperatorDocument_SharedComponents(t *testing.T) {
	t.Parallel()
	own := []string{"apiKey", "Report", "Proposal"}
	count := 0
	for _, kind := range servedToOperators().at("components").keys() {
		for _, name := range servedToOperators().at("components", kind).keys() {
			other := served().at("components", kind, name).value
			if other != nil && !slices.Contains(own, name) {
				count++
				require.Equal(t, other, servedToOperators().at("components", kind, name).value, name)
			}
		}
	}
	require.Greater(t, count, 25)
}

func TestOperatorDocument_Enumerations(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{
		"DisputeState": texts(dispute.States()),
		"NoteKind":     texts([]dispute.NoteKind{dispute.NoteKindAPI, dispute.NoteKindExternalList, dispute.NoteKindTransition, dispute.NoteKindComment}),
		"Cause":        texts(asset.Causes()),
		"Scope":        texts(slices.Concat(account.Scopes(), account.OperatorScopes(), []account.Scope{account.ScopeOperatorAdmin})),
		"AuditKind":    texts(audit.Kinds()),
		"AuditAction":  texts(audit.Actions()),
		"AuditChannel": texts(audit.Channels()),
		"ActState":     texts(pending.States()),
		"ActKind":      texts([]pending.Kind{pending.KindBlock, pending.KindSync, pending.KindRemoval}),
		"ProtectionReason": texts([]asset.ProtectionReason{
			asset.ProtectedSuffix, asset.ProtectedPlatform, asset.ProtectedPopular, asset.ProtectedName, asset.ProtectedEntry,
		}),
		"ListFormat":    texts(lists.Readable()),
		"Prunable":      texts(apguard.Prunables()),
		"WebhookState":  texts([]webhook.State{webhook.StateActive, webhook.StatePaused, webhook.StateDisabled}),
		"WebhookReason": texts([]webhook.Reason{webhook.ReasonGone, webhook.ReasonFailing}),
		"WebhookEvent":  texts(webhook.EventTypes()),
		"WebhookFailure": texts([]webhook.Failure{
			webhook.FailureStatus, webhook.FailureRedirect, webhook.FailureTimeout, webhook.FailureAddress, webhook.FailureTLS, webhook.FailureConnection,
		}),
	} {
		var got []string
		for _, element := range servedToOperators().at("components", "schemas", name, "enum").list() {
			got = append(got, element.value.(string))
		}
		require.Equal(t, want, got, name)
	}
}

func TestOperatorDocument_Limits(t *testing.T) {
	t.Parallel()
	o := servedToOperators()
	schema := func(names ...string) node { return o.at(append([]string{"components", "schemas"}, names...)...) }
	limit := func(path string) node { return o.at("paths", path, "get").parameter("limit").at("schema") }
	for _, c := range []struct {
		place   node
		keyword string
		want    int
	}{
		{o.at("paths", "/queues", "get").parameter("wait").at("schema"), "maximum", int(request.MaxWait.Seconds())},
		{limit("/dispute/list"), "maximum", dispute.MaxLimit},
		{limit("/dispute/list"), "default", dispute.DefaultLimit},
		{limit("/report/list"), "maximum", report.MaxLimit},
		{limit("/report/list"), "default", report.DefaultLimit},
		{limit("/decision/list"), "maximum", asset.MaxLimit},
		{limit("/decision/list"), "default", asset.DefaultLimit},
		{schema("Decisions", "properties", "changes"), "maxItems", asset.MaxLimit},
		{limit("/asset/changes"), "maximum", asset.MaxLimit},
		{limit("/asset/changes"), "default", asset.DefaultLimit},
		{schema("ChangesUnder", "properties", "changes"), "maxItems", asset.MaxLimit},
		{limit("/allowlist/list"), "maximum", allowlist.MaxLimit},
		{limit("/allowlist/list"), "default", allowlist.DefaultLimit},
		{schema("OperatorEntries", "properties", "assets"), "maxItems", allowlist.MaxLimit},
		{schema("ClearAllowlistRequest", "properties", "prefix"), "maxLength", classify.MaxContent},
		{limit("/asset/due"), "maximum", asset.MaxLimit},
		{limit("/asset/due"), "default", asset.DefaultLimit},
		{schema("Preview", "properties", "above", "properties", "assets"), "maxItems", apguard.MaxPreviewed},
		{schema("Preview", "properties", "below", "properties", "assets"), "maxItems", apguard.MaxPreviewed},
		{schema("DueAssets", "properties", "assets"), "maxItems", asset.MaxLimit},
		{limit("/asset/history"), "maximum", asset.MaxLimit},
		{limit("/asset/history"), "default", asset.DefaultLimit},
		{limit("/organization/list"), "maximum", account.MaxLimit},
		{limit("/organization/list"), "default", account.DefaultLimit},
		{limit("/user/list"), "maximum", account.MaxLimit},
		{limit("/user/list"), "default", account.DefaultLimit},
		{limit("/key/list"), "maximum", account.MaxLimit},
		{limit("/key/list"), "default", account.DefaultLimit},
		{limit("/audit/list"), "maximum", trail.MaxLimit},
		{limit("/audit/list"), "default", trail.DefaultLimit},
		{schema("CreateKeyRequest", "properties", "name"), "maxLength", account.MaxKeyName},
		{schema("CreateKeyRequest", "properties", "expiresInSeconds"), "maximum", request.MaxKeySeconds},
		{schema("RotateKeyRequest", "properties", "graceSeconds"), "maximum", request.MaxKeySeconds},
		{schema("CreateOrganizationRequest", "properties", "slug"), "maxLength", account.MaxSlug},
		{schema("RenameOrganizationRequest", "properties", "slug"), "maxLength", account.MaxSlug},
		{schema("RenameOrganizationRequest", "properties", "name"), "maxLength", account.MaxName},
		{schema("RenameUserRequest", "properties", "fullName"), "maxLength", account.MaxName},
		{schema("CreateGroupRequest", "properties", "name"), "maxLength", account.MaxName},
		{schema("RenameGroupRequest", "properties", "name"), "maxLength", account.MaxName},
		{limit("/webhook/list"), "maximum", webhook.MaxLimit},
		{limit("/webhook/list"), "default", webhook.DefaultLimit},
		{schema("Lists", "properties", "lists"), "maxItems", lists.MaxLists},
		{schema("AddListRequest", "properties", "name"), "maxLength", lists.MaxName},
		{schema("AddListRequest", "properties", "url"), "maxLength", lists.MaxURL},
		{schema("UpdateListRequest", "properties", "url"), "maxLength", lists.MaxURL},
		{schema("Explanation", "properties", "decisions"), "maxItems", apguard.MaxExplained + lists.MaxLists + 1},
		{schema("Webhooks", "properties", "webhooks"), "maxItems", webhook.MaxLimit},
		{limit("/pending/list"), "maximum", pending.MaxLimit},
		{limit("/pending/list"), "default", pending.DefaultLimit},
		{schema("Acts", "properties", "acts"), "maxItems", pending.MaxLimit},
		{schema("Act", "properties", "assets"), "maxItems", asset.MaxItems},
		{schema("DecideActRequest", "properties", "comment"), "maxLength", pending.MaxComment},
		{schema("CreateWebhookRequest", "properties", "url"), "maxLength", webhook.MaxURL},
		{schema("Disputes", "properties", "disputes"), "maxItems", dispute.MaxLimit},
		{schema("Reports", "properties", "reports"), "maxItems", report.MaxLimit},
		{schema("AssetChanges", "properties", "changes"), "maxItems", asset.MaxLimit},
		{schema("SetStatusRequest", "properties", "reference"), "maxLength", asset.MaxReference},
		{schema("SetStatusesRequest", "properties", "items"), "maxItems", asset.MaxItems},
		{schema("StatusesSet", "properties", "results"), "maxItems", asset.MaxItems},
		{schema("TransitionRequest", "properties", "reason"), "maxLength", dispute.MaxNoteBytes},
		{schema("ResolveRequest", "properties", "reason"), "maxLength", dispute.MaxNoteBytes},
		{schema("AddNoteRequest", "properties", "text"), "maxLength", dispute.MaxNoteBytes},
		{schema("ReviewRequest", "properties", "comment"), "maxLength", report.MaxComment},
		{schema("WithdrawRequest", "properties", "reason"), "maxLength", report.MaxComment},
		{schema("EscalateRequest", "properties", "comment"), "maxLength", report.MaxComment},
	} {
		require.Equal(t, json.Number(strconv.Itoa(c.want)), c.place.at(c.keyword).value, c.place.pointer+" "+c.keyword)
	}
}

func TestOperatorDocument_Fields(t *testing.T) {
	t.Parallel()
	requireResponseFields(t, servedToOperators(), nil)
	requireRequestFields(t, servedToOperators(), nil)
}

// requireResponseFields requires that the object schemas of responses have all their fields
// and no others. It returns their number.
func requireResponseFields(t *testing.T, o *openapi, optionalFields map[string][]string) int {
	t.Helper()
	count := 0
	o.operations(func(_, location string, operation node) {
		if location == "/openapi.json" { // any OpenAPI document is one
			return
		}
		operation.at("responses").reach(make(map[string]bool), func(schema node) {
			count++
			optional := optionalFields[path.Base(schema.pointer)]
			fields := slices.DeleteFunc(schema.at("properties").keys(), func(name string) bool { return slices.Contains(optional, name) })
			require.Equal(t, fields, schema.required(), schema.pointer)
			require.Equal(t, false, schema.at("additionalProperties").value, schema.pointer)
		})
	})
	return count
}

// requireRequestFields requires that the object schemas of requests allow unknown names only for
// the operations at the given paths, and accept null for optional fields. It returns their number.
func requireRequestFields(t *testing.T, o *openapi, open map[string]bool) int {
	t.Helper()
	count := 0
	o.operations(func(_, location string, operation node) {
		operation.at("requestBody").reach(make(map[string]bool), func(schema node) {
			count++
			if open[base+location] {
				require.Nil(t, schema.at("additionalProperties").value, schema.pointer)
			} else {
				require.Equal(t, false, schema.at("additionalProperties").value, schema.pointer)
			}
			for _, name := range schema.at("properties").keys() {
				err := schema.at("properties", name).validate(nil)
				if name == "ifReview" { // null says that the caller saw no review
					continue
				}
				require.Equal(t, slices.Contains(schema.required(), name), err != nil, "%s %s: %v", schema.pointer, name, err)
			}
		})
	})
	return count
}

// operatorCall is a request to the operators' API.
type operatorCall struct{ path, body string }

// earlier has the calls that come before an example, by its path and status.
var earlier = map[string][]operatorCall{
	"/dispute/release 200":         {{"/dispute/startReview", `{"id":1}`}},
	"/dispute/reopen 200":          {{"/dispute/withdraw", `{"id":1}`}},
	"/dispute/startReview 409":     {{"/dispute/startReview", `{"id":1}`}},
	"/dispute/resolve 409":         {{"/dispute/resolve", `{"id":1,"state":"REJECTED","reason":"No"}`}},
	"/dispute/withdraw 409":        {{"/dispute/withdraw", `{"id":1}`}},
	"/dispute/addNote 409":         slices.Repeat([]operatorCall{{"/dispute/addNote", `{"id":1,"text":"x"}`}}, dispute.MaxNotes-1),
	"/report/withdraw 409":         {{"/report/withdraw", `{"reviewId":1}`}},
	"/organization/reactivate 200": {{"/organization/deactivate", `{"id":1}`}},
	"/user/reactivate 200":         {{"/user/deactivate", `{"id":1}`}},
	"/key/rotate 409":              {{"/key/revoke", `{"fingerprint":"326e65cc5554"}`}},
	"/decision/list 200":           {{"/asset/setStatus", `{"content":"https://bad.example.com","status":"UNKNOWN","reference":"ticket/7"}`}},
	"/figures 200":                 {{"/asset/setStatus", `{"content":"https://phish.example.com","status":"BLOCKED","reason":"PHISHING","reviewAt":"2025-06-08T00:00:00Z"}`}, resolution("ACCEPTED", `,"assetStatus":"UNKNOWN"`), exampleList},
	"/asset/undo 200": {
		{"/asset/setStatus", `{"content":"https://bad.example.com","status":"ALLOWED","reference":"ticket/7"}`},
		{"/asset/setStatus", `{"content":"https://quiet.example.com","status":"ALLOWED"}`},
	},
	"/asset/due 200":   {{"/asset/setStatus", `{"content":"https://bad.example.com","status":"BLOCKED","reference":"ticket/7","expiresAt":"2025-09-01T00:00:00Z","reviewAt":"2025-06-08T00:00:00Z"}`}},
	"/list/list 200":   {exampleList, {"/list/sync?name=acme-feed", "phishing.example.com\nscam.example.com\n"}},
	"/list/add 409":    {exampleList},
	"/list/update 200": {exampleList},
	"/list/sync 200":   {exampleList},
	"/list/sync 409":   {exampleList},
	"/list/fetch 200":  {{"/list/add", `{"name":"acme-feed","format":"domains","url":"https://lists.example/acme"}`}},
	"/list/fetch 409":  {exampleList},
	"/list/remove 200": {exampleList},
	"/list/remove 202": {exampleList},
	"/list/sync 202":   {exampleList},
	"/list/fetch 202": {
		{"/list/add", `{"name":"acme-feed","format":"domains","url":"https://lists.example/acme"}`},
		{"/list/sync?name=acme-feed", manyDomains()},
	},
	"/pending/approve 409": {{"/pending/reject", `{"id":1}`}},
	"/pending/reject 409":  {{"/pending/reject", `{"id":1}`}},
}

// manyDomains returns a file with so many entries that a sync is stopped when they are gone.
func manyDomains() string {
	var file strings.Builder
	for n := range 101 {
		file.WriteString("d" + strconv.Itoa(n) + ".example.com\n")
	}
	return file.String()
}

var exampleList = operatorCall{"/list/add", `{"name":"acme-feed","format":"domains","reason":"PHISHING"}`}

// operatorFaults has the body or query of an error, by path and status, if it is not that of
// the example of success.
var operatorFaults = map[string]string{
	"/asset/due 400": "limit=1001", "/asset/changes 400": "limit=1001", "/decision/list 400": "limit=1001", "/asset/explain 404": "content=no+asset",
	"/allowlist/list 400": "organizationId=1&limit=1001", "/allowlist/clear 400": `{}`,
	"/asset/setStatus 400":   `{"content":"no asset","status":"BLOCKED"}`,
	"/asset/setStatuses 400": `{"items":[]}`, "/asset/undo 400": `{"items":[]}`, "/asset/preview 400": `{"content":"no asset","status":"BLOCKED"}`,
	"/dispute/list 400": "limit=101", "/dispute/backlog 400": "id=9", "/figures 400": "id=9", "/queues 400": "wait=31", "/dispute/resolve 400": `{"id":1,"state":"REJECTED"}`, "/dispute/addNote 400": `{"id":1,"text":" "}`,
	"/report/list 400": "limit=101", "/report/backlog 400": "id=9", "/report/review 400": `{"proposalId":1,"reviewStatus":"MAYBE","ifReview":null}`,
	"/dispute/get 404": "id=9", "/report/get 404": "id=9", "/organization/get 404": "id=9", "/report/reviews 404": "proposalId=9",
	"/dispute/startReview 404": `{"id":9}`, "/dispute/release 404": `{"id":9}`, "/dispute/withdraw 404": `{"id":9}`,
	"/dispute/reopen 404": `{"id":9}`, "/dispute/resolve 404": `{"id":9,"state":"REJECTED","reason":"No"}`,
	"/dispute/addNote 404": `{"id":9,"text":"x"}`, "/report/review 404": `{"proposalId":9,"reviewStatus":"SKIP","ifReview":null}`,
	"/report/review 409":   `{"proposalId":1,"reviewStatus":"SKIP","ifReview":null}`,
	"/asset/setStatus 409": `{"content":"https://bad.example.com","status":"UNKNOWN","ifStatus":"ALLOWED"}`,
	"/asset/withdraw 400":  `{"content":"no asset"}`, "/asset/withdraw 404": `{"content":"https://quiet.example.com"}`,
	"/asset/withdraw 409": `{"content":"https://bad.example.com","ifStatus":"ALLOWED"}`,
	"/webhook/list 400":   "limit=101", "/webhook/get 404": "id=9",
	"/organization/list 400": "limit=101", "/user/list 400": "limit=101", "/key/list 400": "limit=101", "/audit/list 400": "limit=101",
	"/user/get 404": "id=9", "/caller/get 400": "id=9", "/key/create 404": `{"organizationId":9,"scopes":["check"]}`,
	"/key/rotate 404": `{"fingerprint":"0123456789ab"}`, "/key/revoke 404": `{"fingerprint":"0123456789ab"}`,
	"/key/create 400": `{"scopes":[]}`, "/organization/create 409": `{"slug":"acme"}`, "/organization/create 400": `{"slug":""}`,
	"/user/create 400":         `{"fullName":" "}`,
	"/organization/rename 404": `{"id":9,"name":"Acme"}`, "/organization/rename 409": `{"id":1,"slug":"globex"}`, "/organization/rename 400": `{"name":"Acme"}`,
	"/organization/deactivate 404": `{"id":9}`, "/organization/reactivate 404": `{"id":9}`, "/organization/remove 404": `{"id":9}`,
	"/group/create 404": `{"organizationId":9,"name":"Shops"}`, "/group/rename 404": `{"id":9,"organizationId":1,"name":"Shops"}`,
	"/group/remove 404": `{"id":9,"organizationId":1}`, "/user/rename 404": `{"id":9,"fullName":"Ada"}`, "/user/rename 400": `{"fullName":"Ada"}`,
	"/user/deactivate 404": `{"id":9}`, "/user/reactivate 404": `{"id":9}`, "/user/remove 404": `{"id":9}`, "/key/revokeAll 404": `{"userId":9}`,
	"/prune 400":         `{"records":"CHANGES","before":"2099-01-01"}`,
	"/webhook/pause 404": `{"id":9}`, "/webhook/resume 404": `{"id":9}`, "/webhook/rotate 404": `{"id":9}`, "/webhook/test 404": `{"id":9}`,
	"/list/list 400": "name=acme-feed", "/list/sync 409": "# nothing", "/list/sync 202": "# nothing",
	"/asset/setStatus 202": `{"content":"github.io","status":"BLOCKED","confirmProtected":true}`,
	"/list/fetch 202":      `{"name":"acme-feed","confirm":true}`,
	"/report/review 202":   `{"proposalId":4,"reviewStatus":"APPROVE","confirmProtected":true,"ifReview":null}`,
	"/pending/list 400":    "limit=101", "/pending/approve 404": `{"id":9}`, "/pending/reject 404": `{"id":9}`,
	"/webhook/replay 404": `{"id":9}`, "/webhook/remove 404": `{"id":9}`,
	"/report/withdraw 404": `{"reviewId":9}`, "/report/escalate 404": `{"id":9}`, "/report/escalate 409": `{"id":1}`,
}

func TestOperatorDocument_Examples(t *testing.T) {
	t.Parallel()
	requireExamples(t, servedToOperators(), "1.0.0", provokeOperator)
}

// provokeOperator sends a request to the operators' API that is answered with the example.
func provokeOperator(t *testing.T, e example) response {
	t.Helper()
	a := attempt{method: e.method, key: keyFor(httpapi.Route{Method: e.method, Path: e.path}), maxBody: httpapi.MaxBody}
	fault, given := operatorFaults[e.path+" "+e.status]
	switch {
	case given:
		a.text = fault
	case e.path == "/list/sync":
		a.text = exampleFile(e.operation)
	case e.status != "400":
		names := e.operation.at("requestBody", "content", "application/json", "examples").keys()
		require.LessOrEqual(t, len(names), 1, "the example of success")
		a.text = exampleRequest(t, e.operation, strings.Join(names, ""))
	case e.method == http.MethodPost:
		a.text = "{}"
	}
	target := operatorBase + e.path
	if e.path == "/asset/setStatuses" || e.path == "/asset/undo" {
		a.maxBody = httpapi.DefaultMaxBatchBody
	}
	if e.path == "/list/sync" {
		a.maxBody = httpapi.MaxFile
		if e.status != "400" {
			target += "?name=acme-feed" + map[bool]string{true: "&confirm=true"}[e.status == "202"]
		}
	}
	a.fail(e.status)
	before := e.status
	if before == "422" {
		before = "200"
	}
	a.server.guard.FourEyes = e.status == "202"
	s := startOperatorWith(t, a.server)
	if strings.HasPrefix(e.path, "/pending/") {
		s.askFor("github.io")
	}
	if e.path == "/report/review" && e.status == "202" {
		s.reportSuffix()
	}
	if strings.HasPrefix(e.path, "/allowlist/") && before == "200" {
		_, err := s.guard.Allowlist.Add(t.Context(), allowlist.AddRequest{OrganizationID: 1, Items: []allowlist.Item{{Content: "https://bad.example.com"}}})
		require.NoError(t, err)
	}
	unchecked := s // conformance checks of hundreds of growing responses take seconds
	unchecked.Handler = http.StripPrefix(operatorBase, s.api)
	for _, call := range earlier[e.path+" "+before] {
		key := keyFor(httpapi.Route{Method: http.MethodPost, Path: call.path})
		require.Equal(t, http.StatusOK, unchecked.post(operatorBase+call.path, key, call.body).Status, call.body)
	}
	r := a.request(target)
	if e.path == "/list/sync" && e.status == "415" {
		r.Header.Set("Content-Encoding", "gzip")
	}
	if e.status == "422" {
		r.Header.Set("Idempotency-Key", "k")
		require.Equal(t, http.StatusOK, s.postKeyed(operatorBase+e.path, operatorKey, a.text+" ", "k").Status)
	}
	return s.do(r)
}

// exampleFile returns the example of a body that is a file.
func exampleFile(operation node) string {
	examples := operation.at("requestBody", "content", "text/plain", "examples")
	file, _ := examples.at(examples.keys()[0]).text("value")
	return file
}
