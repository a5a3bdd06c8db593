package client_test

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/client"
)

// operations has the method of the Client for each operation of the public API.
func operations() map[string]string {
	return map[string]string{
		"getCaller":                "Caller",
		"checkAsset":               "Check",
		"checkAssets":              "CheckBatch",
		"assetChangelog":           "Changelog",
		"readFeed":                 "Feed",
		"readHashes":               "Hashes",
		"listAssets":               "ListAssets",
		"exportAssets":             "Export",
		"createDispute":            "CreateDispute",
		"getDispute":               "GetDispute",
		"createReport":             "CreateReport",
		"listOrganizationAssets":   "ListAllowlist",
		"addOrganizationAssets":    "AddToAllowlist",
		"removeOrganizationAssets": "RemoveFromAllowlist",
		"listOrganizationReports":  "ListReports",
	}
}

// operatorOperations has the method of the Operator for each operation of the operators' API.
func operatorOperations() map[string]string {
	return map[string]string{
		"getCaller":              "Caller",
		"listDueAssets":          "Due",
		"listChangesUnder":       "Changes",
		"explainAsset":           "Explain",
		"listAssetChanges":       "History",
		"previewAssetStatus":     "Preview",
		"setAssetStatus":         "SetStatus",
		"setAssetStatuses":       "SetStatuses",
		"undoAssetDecisions":     "Undo",
		"getFigures":             "Figures",
		"getQueues":              "Queues",
		"listActs":               "Acts",
		"approveAct":             "ApproveAct",
		"rejectAct":              "RejectAct",
		"withdrawAssetDecision":  "Withdraw",
		"listDecisions":          "Decisions",
		"listDisputes":           "Disputes",
		"getDisputeBacklog":      "DisputeBacklog",
		"getDispute":             "Dispute",
		"startDisputeReview":     "AssignDispute",
		"releaseDispute":         "ReleaseDispute",
		"resolveDispute":         "ResolveDispute",
		"withdrawDispute":        "WithdrawDispute",
		"reopenDispute":          "ReopenDispute",
		"addDisputeNote":         "AddDisputeNote",
		"listReports":            "Reports",
		"getReportBacklog":       "ReportBacklog",
		"getReport":              "Report",
		"listReviews":            "Reviews",
		"reviewProposal":         "ReviewProposal",
		"withdrawReview":         "WithdrawReview",
		"escalateReport":         "EscalateReport",
		"listAllowlist":          "ListAllowlist",
		"clearAllowlist":         "ClearAllowlist",
		"getOrganization":        "Organization",
		"listOrganizations":      "SearchOrganizations",
		"createOrganization":     "CreateOrganization",
		"renameOrganization":     "RenameOrganization",
		"deactivateOrganization": "DeactivateOrganization",
		"reactivateOrganization": "ReactivateOrganization",
		"removeOrganization":     "RemoveOrganization",
		"listGroups":             "Groups",
		"createGroup":            "CreateGroup",
		"renameGroup":            "RenameGroup",
		"removeGroup":            "RemoveGroup",
		"listUsers":              "SearchUsers",
		"getUser":                "User",
		"createUser":             "CreateUser",
		"renameUser":             "RenameUser",
		"deactivateUser":         "DeactivateUser",
		"reactivateUser":         "ReactivateUser",
		"removeUser":             "RemoveUser",
		"listKeys":               "Keys",
		"createKey":              "CreateKey",
		"rotateKey":              "RotateKey",
		"revokeKey":              "RevokeKey",
		"revokeAllKeys":          "RevokeAllKeys",
		"erasePerson":            "ErasePerson",
		"prune":                  "Prune",
		"listLists":              "Lists",
		"addList":                "AddList",
		"updateList":             "UpdateList",
		"syncList":               "SyncList",
		"fetchList":              "FetchList",
		"removeList":             "RemoveList",
		"listWebhooks":           "Webhooks",
		"getWebhook":             "Webhook",
		"createWebhook":          "CreateWebhook",
		"pauseWebhook":           "PauseWebhook",
		"resumeWebhook":          "ResumeWebhook",
		"rotateWebhook":          "RotateWebhook",
		"testWebhook":            "TestWebhook",
		"replayWebhook":          "ReplayWebhook",
		"removeWebhook":          "RemoveWebhook",
		"listAudit":              "Audit",
	}
}

// document is an OpenAPI document.
type document struct {
	Paths      map[string]map[string]json.RawMessage
	Components struct {
		Schemas    map[string]*schema
		Parameters map[string]parameter
	}
}

type described struct {
	OperationID string
	Deprecated  bool
	Parameters  []parameter
	RequestBody struct{ Content map[string]media }
	Responses   map[string]struct{ Content map[string]media }
}

type media struct{ Schema *schema }

type parameter struct {
	Ref      string `json:"$ref"`
	Name, In string
}

func readDocument(t *testing.T, name string) document {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "httpapi", name))
	require.NoError(t, err)
	var d document
	require.NoError(t, json.Unmarshal(text, &d))
	return d
}

// members adds the paths of all members that a schema names, such as "changes[].assetId".
func (d document) members(s *schema, path string, into map[string]bool) {
	if s == nil {
		return
	}
	s = d.resolved(s)
	for name, member := range s.Properties {
		into[strings.TrimPrefix(path+"."+name, ".")] = true
		d.members(member, strings.TrimPrefix(path+"."+name, "."), into)
	}
	d.members(s.Items, path+"[]", into)
	for _, one := range slices.Concat(s.OneOf, s.AnyOf) {
		d.members(one, path, into)
	}
}

// keys adds the paths of all members in a decoded JSON text.
func keys(value any, path string, into map[string]bool) {
	switch value := value.(type) {
	case []any:
		for _, one := range value {
			keys(one, path+"[]", into)
		}
	case map[string]any:
		for name, member := range value {
			into[strings.TrimPrefix(path+"."+name, ".")] = true
			keys(member, strings.TrimPrefix(path+"."+name, "."), into)
		}
	}
}

// fillAll sets all exported fields to something that is not zero.
func fillAll(value reflect.Value) {
	switch value.Kind() {
	case reflect.String:
		value.SetString(sampleText)
	case reflect.Bool:
		value.SetBool(true)
	case reflect.Int, reflect.Int64:
		value.SetInt(sampleNumber)
	case reflect.Pointer:
		value.Set(reflect.New(value.Type().Elem()))
		fillAll(value.Elem())
	case reflect.Slice:
		value.Set(reflect.MakeSlice(value.Type(), 1, 1))
		fillAll(value.Index(0))
	case reflect.Interface:
		value.Set(reflect.ValueOf(strings.NewReader(sampleText)))
	case reflect.Struct:
		if value.Type() == reflect.TypeFor[time.Time]() {
			value.Set(reflect.ValueOf(time.Date(2025, 1, 5, 0, 0, 0, 0, time.UTC)))
			return
		}
		for i := range value.NumField() {
			if value.Field(i).CanSet() {
				fillAll(value.Field(i))
			}
		}
	default: // other kinds stay zero, which the comparison finds
	}
}

// server is a transport that keeps the last request. It answers with its responses in turn, and then breaks off.
type server struct {
	mediaType string
	responses [][]byte
	request   *http.Request
	body      []byte
}

func (s *server) RoundTrip(request *http.Request) (*http.Response, error) {
	s.request, s.body = request, nil
	if request.Body != nil {
		s.body, _ = io.ReadAll(request.Body)
	}
	if len(s.responses) == 0 {
		return nil, io.ErrClosedPipe
	}
	response := s.responses[0]
	s.responses = s.responses[1:]
	return &http.Response{
		StatusCode: http.StatusOK, ProtoMajor: 1, ProtoMinor: 1, ContentLength: int64(len(response)),
		Header: http.Header{"Content-Type": {s.mediaType}, "Age": {"0"}, "Feed-Cursor": {"c"}},
		Body:   io.NopCloser(bytes.NewReader(response)),
	}, nil
}

// called is a call of a method of a client with arguments that have all fields. It returns all that the method
// returns, also the items of a sequence.
func called(t *testing.T, s *server, operator bool, name string) []any {
	t.Helper()
	opts := client.Options{Retries: -1, HTTPClient: &http.Client{Transport: s}}
	c := reflect.ValueOf(newClient(t, "https://example.com", opts))
	if operator {
		c = reflect.ValueOf(newOperator(t, "https://example.com", opts))
	}
	method := c.MethodByName(name)
	require.True(t, method.IsValid(), "there is no method %s", name)
	arguments := []reflect.Value{reflect.ValueOf(t.Context())}
	for i := 1; i < method.Type().NumIn(); i++ {
		argument := reflect.New(method.Type().In(i)).Elem()
		fillAll(argument)
		arguments = append(arguments, argument)
	}
	var results []any
	for _, result := range method.Call(arguments) {
		if export, is := result.Interface().(*client.Export); is && export != nil {
			for one, err := range export.Assets() {
				results = append(results, one, err)
			}
			continue
		}
		if result.Kind() != reflect.Func {
			results = append(results, result.Interface())
			continue
		}
		for one, err := range result.Seq2() { // which sends its request when it begins
			results = append(results, one.Interface(), err.Interface())
		}
	}
	return results
}

// failed reports whether there is an error among results.
func failed(results []any) bool {
	return slices.ContainsFunc(results, func(result any) bool { _, is := result.(error); return is })
}

// Every operation of the documents, but the documents themselves and the deprecated one, has a method that sends every
// parameter and member that the document has, and whose result depends on every member of its response.
func TestDocument(t *testing.T) {
	t.Parallel()
	for name, methods := range map[string]map[string]string{"openapi.json": operations(), "operator.json": operatorOperations()} {
		d := readDocument(t, name)
		documented := make(map[string]bool)
		for path, item := range d.Paths {
			for verb, text := range item {
				var op described
				require.NoError(t, json.Unmarshal(text, &op))
				if op.Deprecated || op.OperationID == "getOpenapi" {
					continue
				}
				documented[op.OperationID] = true
				t.Run(name+"/"+op.OperationID, func(t *testing.T) {
					t.Parallel()
					method, found := methods[op.OperationID]
					require.True(t, found, "the client has no method")
					o := operation{document: d, described: op, operator: name == "operator.json", method: method}
					o.requireRequest(t, strings.ToUpper(verb), strings.Replace(path, "{format}", "jsonl", 1))
					o.requireResponse(t)
					o.requireRefusal(t)
				})
			}
		}
		for id := range methods {
			require.True(t, documented[id], "%s has no operation %s", name, id)
		}
	}
}

// operation is an operation of a document and the method that calls it.
type operation struct {
	document
	described
	operator bool
	method   string
}

// requireRequest requires that the method sends all that the operation can take. If there is a next page, that is its
// request for it.
func (o operation) requireRequest(t *testing.T, verb, path string) {
	t.Helper()
	s := server{mediaType: "application/json"}
	response := o.sample(0)
	if page, is := response.body.(map[string]any); is {
		if _, paged := page["nextCursor"]; paged {
			page["nextCursor"] = response.cursor
			s.responses = [][]byte{response.text(t)}
		}
	}
	called(t, &s, o.operator, o.method)
	require.NotNil(t, s.request)
	require.Equal(t, verb, s.request.Method)
	require.Equal(t, path, s.request.URL.Path)
	o.requireParameters(t, s.request)

	content, isJSON := o.RequestBody.Content["application/json"]
	if !isJSON && len(o.RequestBody.Content) > 0 {
		require.Contains(t, o.RequestBody.Content, s.request.Header.Get("Content-Type"))
		require.Equal(t, sampleText, string(s.body))
		return
	}
	want, have := make(map[string]bool), make(map[string]bool)
	o.members(content.Schema, "", want)
	var body any
	if len(s.body) > 0 {
		require.NoError(t, json.NewDecoder(bytes.NewReader(s.body)).Decode(&body))
	}
	keys(body, "", have)
	maps.DeleteFunc(have, func(name string, _ bool) bool { return strings.Contains(name, ".actor.") }) // the document leaves it open
	require.Equal(t, want, have)
}

func (o operation) requireParameters(t *testing.T, got *http.Request) {
	t.Helper()
	var query []string
	for _, p := range o.Parameters {
		if name, isRef := strings.CutPrefix(p.Ref, "#/components/parameters/"); isRef {
			p = o.Components.Parameters[name]
		}
		switch {
		case p.In == "query":
			query = append(query, p.Name)
		case p.In == "header" && p.Name != "X-Request-Id": // the server makes one
			require.NotEmpty(t, got.Header.Get(p.Name), p.Name)
		}
	}
	sentQuery := make([]string, 0, len(query))
	for name := range got.URL.Query() {
		sentQuery = append(sentQuery, name)
	}
	require.ElementsMatch(t, query, sentQuery)
}

// requireResponse requires that the method takes a response with all members, that its result is another one for each
// value that differs, and that an unknown status is an error.
func (o operation) requireResponse(t *testing.T) {
	t.Helper()
	content := o.Responses["200"].Content
	if _, encoded := content["application/x-protobuf"]; encoded {
		return // the client does not decode it
	}
	for choice := range 4 {
		response := o.sample(choice)
		answered := func() []any {
			s := server{mediaType: response.mediaType, responses: [][]byte{response.text(t)}}
			return called(t, &s, o.operator, o.method)
		}
		want := answered()
		require.False(t, failed(want), "%v for %s", want, response.text(t))
		require.NotEmpty(t, response.leaves)
		for _, leaf := range response.leaves {
			if leaf.path == "results[].error" && slices.Contains([]string{"CheckBatch", "SetStatuses", "Undo"}, o.method) {
				continue // the reason of a refusal says the same
			}
			if strings.HasPrefix(leaf.path, "pending.") && o.method != "ApproveAct" && o.method != "RejectAct" && choice%2 == 0 {
				continue // no item waits for the act
			}
			before := leaf.get()
			if is, isFlag := before.(bool); isFlag {
				leaf.other = !is
			}
			leaf.set(leaf.other)
			require.NotEqual(t, want, answered(), "%s is lost", leaf.path)
			if leaf.status {
				leaf.set("FINE")
				require.True(t, failed(answered()), "%s is unknown", leaf.path)
			}
			leaf.set(before)
		}
	}
}

// requireRefusal requires that what is not the response of the operation is an error.
func (o operation) requireRefusal(t *testing.T) {
	t.Helper()
	response := o.sample(0)
	if response.mediaType != "application/json" || o.method == "Hashes" {
		return
	}
	whole := string(response.text(t))
	for _, body := range []string{"", "{}", "null", "[]", "[{}]", `"x"`, "<html>", whole[:len(whole)-1], whole + "{}"} {
		s := server{mediaType: "application/json", responses: [][]byte{[]byte(body)}}
		results := called(t, &s, o.operator, o.method)
		i := slices.IndexFunc(results, func(result any) bool { _, is := result.(error); return is })
		require.GreaterOrEqual(t, i, 0, body)
		require.ErrorIs(t, results[i].(error), client.ErrResponse, body)
	}
	s := server{mediaType: "text/html", responses: [][]byte{[]byte(whole)}}
	require.True(t, failed(called(t, &s, o.operator, o.method)), "another media type")
}

// The errors of the document have the members of an Error.
func TestError_document(t *testing.T) {
	t.Parallel()
	d := readDocument(t, "openapi.json")
	for name, want := range map[string][]string{
		"Error":        {"code", "message", "issues", "issues[].message"},
		"CheckError":   {"code", "message", "issues", "issues[].message", "issues[].reason"},
		"WrappedError": {"error", "error.code", "error.message"},
	} {
		got := make(map[string]bool)
		d.members(d.Components.Schemas[name], "", got)
		names := make([]string, 0, len(got))
		for member := range got {
			names = append(names, member)
		}
		require.ElementsMatch(t, want, names, name)
	}
	var statuses []string
	for path, item := range d.Paths {
		for _, text := range item {
			var op described
			require.NoError(t, json.Unmarshal(text, &op))
			for status := range op.Responses {
				statuses = append(statuses, status)
			}
		}
		require.NotEmpty(t, path)
	}
	slices.Sort(statuses)
	require.Equal(t, []string{
		"200", "304", "400", "401", "403", "404", "405", "409", "410", "413", "415", "422", "429", "500", "503",
	}, slices.Compact(statuses), "a new status may need an error of its own")
}
