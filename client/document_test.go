package client_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/client"
)

// operations has the method of the Client for each operation of the document, with a value of the type
// of its response.
func operations() map[string]struct {
	method   string
	response any
} {
	return map[string]struct {
		method   string
		response any
	}{
		"getCaller":                {"Caller", client.Caller{}},
		"checkAsset":               {"Check", client.CheckResponse{}},
		"checkAssets":              {"CheckBatch", client.CheckBatchResponse{}},
		"assetChangelog":           {"Changelog", client.Change{}},
		"readFeed":                 {"Feed", client.FeedPage{}},
		"readHashes":               {"Hashes", client.Hashes{}},
		"listAssets":               {"ListAssets", client.AssetsPage{}},
		"exportAssets":             {"Export", nil},
		"createDispute":            {"CreateDispute", client.Dispute{}},
		"getDispute":               {"GetDispute", client.OwnDispute{}},
		"createReport":             {"CreateReport", client.CreatedReport{}},
		"listOrganizationAssets":   {"ListAllowlist", client.AllowlistPage{}},
		"addOrganizationAssets":    {"AddToAllowlist", client.AddResponse{}},
		"removeOrganizationAssets": {"RemoveFromAllowlist", client.RemoveResponse{}},
		"listOrganizationReports":  {"ListReports", client.ReportsPage{}},
	}
}

// document is the OpenAPI document.
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

// schema is a JSON schema, as far as it names members.
type schema struct {
	Ref          string `json:"$ref"`
	Properties   map[string]*schema
	Items        *schema
	OneOf, AnyOf []*schema
}

func readDocument(t *testing.T) document {
	t.Helper()
	text, err := os.ReadFile(filepath.FromSlash("../httpapi/openapi.json"))
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
	if name, isRef := strings.CutPrefix(s.Ref, "#/components/schemas/"); isRef {
		d.members(d.Components.Schemas[name], path, into)
	}
	for name, member := range s.Properties {
		into[strings.TrimPrefix(path+"."+name, ".")] = true
		d.members(member, strings.TrimPrefix(path+"."+name, "."), into)
	}
	d.members(s.Items, path+"[]", into)
	for _, one := range slices.Concat(s.OneOf, s.AnyOf) {
		d.members(one, path, into)
	}
}

// fields adds the paths of all members that encoding/json decodes into a type.
func fields(of reflect.Type, path string, into map[string]bool) {
	switch {
	case of.Kind() == reflect.Pointer:
		fields(of.Elem(), path, into)
	case of.Kind() == reflect.Slice:
		fields(of.Elem(), path+"[]", into)
	case of.Kind() == reflect.Struct && of != reflect.TypeFor[time.Time]():
		for _, field := range reflect.VisibleFields(of) {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if name == "" || name == "-" {
				continue // embedded, or not in the body
			}
			into[strings.TrimPrefix(path+"."+name, ".")] = true
			fields(field.Type, strings.TrimPrefix(path+"."+name, "."), into)
		}
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
		value.SetString("x")
	case reflect.Bool:
		value.SetBool(true)
	case reflect.Int, reflect.Int64:
		value.SetInt(int64(time.Second)) // which is also a valid wait
	case reflect.Slice:
		value.Set(reflect.MakeSlice(value.Type(), 1, 1))
		fillAll(value.Index(0))
	case reflect.Struct:
		if value.Type() == reflect.TypeFor[time.Time]() {
			value.Set(reflect.ValueOf(time.Date(2025, 1, 5, 0, 0, 0, 0, time.UTC)))
			return
		}
		for i := range value.NumField() {
			fillAll(value.Field(i))
		}
	default: // other kinds stay zero, which the comparison finds
	}
}

// recorder keeps the last request and fails it.
type recorder struct {
	request *http.Request
	body    []byte
}

func (r *recorder) RoundTrip(request *http.Request) (*http.Response, error) {
	r.request, r.body = request, nil
	if request.Body != nil {
		r.body, _ = io.ReadAll(request.Body)
	}
	return nil, io.ErrClosedPipe
}

// sent calls a method with a request that has all fields, and returns what it sends.
func sent(t *testing.T, name string) recorder {
	t.Helper()
	var r recorder
	c := newClient(t, "https://example.com", client.Options{Retries: -1, HTTPClient: &http.Client{Transport: &r}})
	method := reflect.ValueOf(c).MethodByName(name)
	require.True(t, method.IsValid(), "there is no method %s", name)
	arguments := []reflect.Value{reflect.ValueOf(t.Context())}
	if method.Type().NumIn() > 1 {
		request := reflect.New(method.Type().In(1)).Elem()
		fillAll(request)
		arguments = append(arguments, request)
	}
	result := method.Call(arguments)
	if result[0].Kind() == reflect.Func { // a sequence sends its request when it begins
		for _, err := range result[0].Seq2() {
			require.False(t, err.IsNil())
		}
	}
	require.NotNil(t, r.request, name)
	return r
}

// Every operation of the document, but the document itself and the deprecated one, has a method that
// sends every parameter and member that the document has, and decodes every member of its responses.
func TestClient_document(t *testing.T) {
	t.Parallel()
	d := readDocument(t)
	methods := operations()
	for path, item := range d.Paths {
		for verb, text := range item {
			var op described
			require.NoError(t, json.Unmarshal(text, &op))
			if op.Deprecated || op.OperationID == "getOpenapi" {
				continue
			}
			t.Run(op.OperationID, func(t *testing.T) {
				t.Parallel()
				method, found := methods[op.OperationID]
				require.True(t, found, "the client has no method")
				got := sent(t, method.method)
				require.Equal(t, strings.ToUpper(verb), got.request.Method)
				require.Equal(t, strings.Replace(path, "{format}", "jsonl", 1), got.request.URL.Path)
				requireParameters(t, d, op, got.request)
				requireBody(t, d, op, got.body)
				requireResponse(t, d, op, method.response)
			})
		}
	}
	require.Len(t, methods, operationCount(t, d))
}

func operationCount(t *testing.T, d document) int {
	t.Helper()
	count := -2 // the document itself, and the deprecated operation
	for _, item := range d.Paths {
		count += len(item)
	}
	return count
}

func requireParameters(t *testing.T, d document, op described, got *http.Request) {
	t.Helper()
	var query []string
	for _, p := range op.Parameters {
		if name, isRef := strings.CutPrefix(p.Ref, "#/components/parameters/"); isRef {
			p = d.Components.Parameters[name]
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

func requireBody(t *testing.T, d document, op described, got []byte) {
	t.Helper()
	want, have := make(map[string]bool), make(map[string]bool)
	d.members(op.RequestBody.Content["application/json"].Schema, "", want)
	var body any
	if len(got) > 0 {
		require.NoError(t, json.NewDecoder(bytes.NewReader(got)).Decode(&body))
	}
	keys(body, "", have)
	require.Equal(t, want, have)
}

func requireResponse(t *testing.T, d document, op described, response any) {
	t.Helper()
	want, have := make(map[string]bool), make(map[string]bool)
	switch response.(type) {
	case client.Hashes: // which the client does not decode
		require.Contains(t, op.Responses["200"].Content, "application/x-protobuf")
		return
	case nil: // lines, whose schema is that of a list
		d.members(d.Components.Schemas["ListedAsset"], "", want)
		fields(reflect.TypeFor[client.Asset](), "", have)
	case client.Change:
		d.members(op.Responses["200"].Content["application/json"].Schema, "", want)
		fields(reflect.TypeFor[asset.Basis](), "changelog[]", want) // which the feed has
		have["changelog"] = true
		fields(reflect.TypeOf(response), "changelog[]", have)
	default:
		d.members(op.Responses["200"].Content["application/json"].Schema, "", want)
		fields(reflect.TypeOf(response), "", have)
	}
	require.NotEmpty(t, want)
	require.Equal(t, want, have)
}

// The errors of the document have the members of an Error.
func TestError_document(t *testing.T) {
	t.Parallel()
	d := readDocument(t)
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
