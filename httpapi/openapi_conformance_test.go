package httpapi_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/storage/memory"
)

// checked wraps a handler and validates every response and every accepted request with
// the OpenAPI document of the public API.
func checked(tb testing.TB, handler http.Handler) http.Handler {
	tb.Helper()
	return checkedWith(tb, served(), handler)
}

func checkedWith(tb testing.TB, document *openapi, handler http.Handler) http.Handler {
	tb.Helper()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen := &recordedExchange{ResponseWriter: w, method: r.Method, address: *r.URL, keys: r.Header.Values("Idempotency-Key")}
		r = r.WithContext(r.Context()) // a copy, whose body is not the caller's
		if r.Body != nil {
			r.Body = io.NopCloser(io.TeeReader(r.Body, &seen.request))
		}
		handler.ServeHTTP(seen, r)
		for _, fault := range seen.faults(document) {
			tb.Errorf("%s %s: %d %.300s\ndiffers from the OpenAPI document: %s", r.Method, r.URL, seen.status, &seen.body, fault)
		}
	})
}

// recordedExchange is a request and its response.
type recordedExchange struct {
	http.ResponseWriter
	method  string
	address url.URL
	// keys are the idempotency keys of the request.
	keys    []string
	request bytes.Buffer
	status  int
	body    bytes.Buffer
}

func (e *recordedExchange) Unwrap() http.ResponseWriter { return e.ResponseWriter }

func (e *recordedExchange) WriteHeader(status int) {
	e.status = status
	e.ResponseWriter.WriteHeader(status)
}

func (e *recordedExchange) Write(b []byte) (int, error) {
	if e.status == 0 {
		e.status = http.StatusOK
	}
	e.body.Write(b)
	return e.ResponseWriter.Write(b)
}

// served and servedToOperators return the parsed documents of both APIs.
var (
	served = sync.OnceValue(func() *openapi {
		return parseDocument(httpapi.New(apguard.New(memory.New(), apguard.Options{}), fullAccess(), httpapi.Options{}))
	})
	servedToOperators = sync.OnceValue(func() *openapi {
		return parseDocument(httpapi.NewOperator(apguard.New(memory.New(), apguard.Options{}), fullAccess(), httpapi.Options{}))
	})
)

// parseDocument returns the document of an API.
func parseDocument(api *httpapi.API, err error) *openapi {
	if err != nil {
		panic(err)
	}
	recorder := httptest.NewRecorder()
	api.ServeHTTP(recorder, newRequest(http.MethodGet, "/openapi.json", nil))
	root, err := jsonschema.UnmarshalJSON(recorder.Body)
	if err != nil {
		panic(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource("openapi.json", root); err != nil {
		panic(err)
	}
	return &openapi{root: root, compiler: compiler, schemas: make(map[string]*jsonschema.Schema)}
}

// openapi is the document, with the schemas compiled so far.
type openapi struct {
	root     any
	mu       sync.Mutex
	compiler *jsonschema.Compiler
	schemas  map[string]*jsonschema.Schema
}

// node is a place in the document. Its value is nil if the place does not exist.
type node struct {
	*openapi
	pointer string
	value   any
}

func (o *openapi) at(keys ...string) node {
	return node{openapi: o, value: o.root}.at(keys...)
}

// escapePointer escapes a name in a JSON pointer.
var escapePointer = strings.NewReplacer("~", "~0", "/", "~1")

// at returns the node below n at keys. It follows references.
func (n node) at(keys ...string) node {
	for _, key := range keys {
		n.pointer += "/" + escapePointer.Replace(key)
		switch parent := n.value.(type) {
		case map[string]any:
			n.value = parent[key]
		case []any:
			i, _ := strconv.Atoi(key)
			n.value = parent[i]
		default:
			n.value = nil
		}
		if to, found := n.text("$ref"); found {
			n = n.openapi.at(strings.Split(strings.TrimPrefix(to, "#/"), "/")...)
		}
	}
	return n
}

func (n node) text(key string) (string, bool) {
	object, _ := n.value.(map[string]any)
	text, found := object[key].(string)
	return text, found
}

// keys returns the names in an object, in order.
func (n node) keys() []string {
	object, _ := n.value.(map[string]any)
	return slices.Sorted(maps.Keys(object))
}

// list returns the elements of an array.
func (n node) list() []node {
	array, _ := n.value.([]any)
	elements := make([]node, len(array))
	for i := range array {
		elements[i] = n.at(strconv.Itoa(i))
	}
	return elements
}

// parameter returns the parameter of an operation with that name.
func (n node) parameter(name string) node {
	for _, parameter := range n.at("parameters").list() {
		if given, _ := parameter.text("name"); given == name {
			return parameter
		}
	}
	return node{}
}

// validate validates a value with the schema at the node.
func (n node) validate(value any) error {
	n.mu.Lock()
	schema := n.schemas[n.pointer]
	if schema == nil {
		var err error
		// A pointer may have brackets, which a URL fragment must escape.
		if schema, err = n.compiler.Compile("openapi.json#" + url.PathEscape(n.pointer)); err != nil {
			n.mu.Unlock()
			return err
		}
		n.schemas[n.pointer] = schema
	}
	n.mu.Unlock()
	return schema.Validate(value)
}

// operation returns the operation at a path. An unsupported method belongs to the only
// operation of the path that documents 405.
func (o *openapi) operation(method, path string) (node, bool) {
	for _, documented := range o.at("paths").keys() {
		item := o.at("paths", documented)
		if !isAt(path, documented) {
			continue
		}
		if method == http.MethodHead && item.at("get").value != nil {
			method = http.MethodGet
		}
		var unsupported node
		for _, key := range item.keys() {
			operation := item.at(key)
			if strings.ToUpper(key) == method {
				return operation, true
			}
			if operation.at("responses", "405").value != nil {
				unsupported = operation
			}
		}
		return unsupported, true
	}
	return node{}, false
}

// isAt reports whether a path ends in a documented one, whose last segment may be a format.
func isAt(path, documented string) bool {
	if folder, found := strings.CutSuffix(documented, "{format}"); found {
		at := strings.LastIndexByte(path, '/') + 1
		return strings.HasSuffix(path[:at], folder) && slices.Contains(lists.Writable(), lists.Format(path[at:]))
	}
	return strings.HasSuffix(path, documented)
}

// faults returns the differences between an exchange and the document.
func (e *recordedExchange) faults(o *openapi) []string {
	operation, found := o.operation(e.method, e.address.Path)
	if !found || strings.Contains(e.body.String(), "No such operation") {
		return e.strayFaults(o)
	}
	faults := e.responseFaults(operation.at("responses", strconv.Itoa(e.status)))
	if e.status == http.StatusOK {
		faults = append(faults, e.queryFaults(operation)...)
		faults = append(faults, e.keyFaults(operation)...)
		faults = append(faults, e.bodyFaults(operation)...)
	}
	return faults
}

// strayFaults returns those of a response for an unknown path. It ignores responses of
// the host.
func (e *recordedExchange) strayFaults(o *openapi) []string {
	if e.Header().Get("Content-Type") != "application/json" {
		return nil
	}
	if e.status != http.StatusNotFound {
		return []string{"no operation is at this path"}
	}
	return invalidJSON("the response", o.at("components", "schemas", "Error"), e.body.Bytes())
}

func (e *recordedExchange) responseFaults(response node) []string {
	if response.value == nil {
		return []string{"the operation has no such status"}
	}
	var faults []string
	mediaType := e.Header().Get("Content-Type")
	content := response.at("content", mediaType, "schema")
	switch {
	case e.status == http.StatusNotModified && mediaType == "" && e.body.Len() == 0:
	case content.value == nil:
		return []string{"the response has no content of type " + mediaType}
	case mediaType == "application/json" && (e.method != http.MethodHead || e.body.Len() > 0):
		faults = append(faults, invalidJSON("the response", content, e.body.Bytes())...)
	}
	for _, name := range documentedHeaders {
		values, header := e.Header().Values(name), response.at("headers", name)
		object, _ := header.value.(map[string]any)
		switch {
		case len(values) == 0 && object["required"] == true:
			faults = append(faults, "it lacks the header "+name)
		case len(values) > 0 && object == nil:
			faults = append(faults, "it has no header "+name)
		}
		for _, value := range values {
			if err := header.at("schema").validate(value); err != nil {
				faults = append(faults, "header "+name+": "+err.Error())
			}
		}
	}
	return faults
}

// documentedHeaders are the headers that are compared.
var documentedHeaders = []string{
	"Allow", "Deprecation", "ETag", "Idempotency-Replayed", "Link", "RateLimit", "RateLimit-Policy", "Retry-After", "Rules-Version", "WWW-Authenticate",
	"X-Request-Id",
}

// keyFaults returns those of the idempotency keys of an accepted request. Operations without
// keys ignore them.
func (e *recordedExchange) keyFaults(operation node) []string {
	schema := operation.parameter("Idempotency-Key").at("schema")
	if schema.value == nil {
		return nil
	}
	var faults []string
	for _, key := range e.keys {
		if err := schema.validate(key); err != nil {
			faults = append(faults, "header Idempotency-Key: "+err.Error())
		}
	}
	return faults
}

// bodyFaults returns those of an accepted body. The schemas are stricter than the API in
// two ways: they cannot express huge numbers, and they refuse assets that fail in their
// result.
func (e *recordedExchange) bodyFaults(operation node) []string {
	schema := operation.at("requestBody", "content", "application/json", "schema")
	if schema.value == nil || hugeNumber.Match(e.request.Bytes()) {
		return nil
	}
	body, err := jsonschema.UnmarshalJSON(bytes.NewReader(e.request.Bytes()))
	if err != nil {
		return []string{"the request is not JSON: " + err.Error()}
	}
	if !withoutRefused(body, e.body.Bytes()) {
		return nil
	}
	if err := schema.validate(body); err != nil {
		return []string{"the request: " + err.Error()}
	}
	return nil
}

// hugeNumber matches exponents of four or more digits.
var hugeNumber = regexp.MustCompile(`\d[eE][+-]?\d{4}`)

// withoutRefused removes the assets that failed from a batch. It reports false if no asset
// is left.
func withoutRefused(request any, response []byte) bool {
	var answer struct{ Results []struct{ Success bool } }
	body, _ := request.(map[string]any)
	assets, _ := body["assets"].([]any)
	if json.Unmarshal(response, &answer) != nil || len(answer.Results) == 0 || len(answer.Results) != len(assets) {
		return true
	}
	var added []any
	for i, result := range answer.Results {
		if result.Success {
			added = append(added, assets[i])
		}
	}
	body["assets"] = added
	return len(added) > 0
}

// queryFaults returns those of an accepted query. The API also accepts huge numbers,
// empty values and lists with commas.
func (e *recordedExchange) queryFaults(operation node) []string {
	var faults []string
	given := e.address.Query()
	for _, parameter := range operation.at("parameters").list() {
		name, _ := parameter.text("name")
		if in, _ := parameter.text("in"); in != "query" {
			continue
		}
		schema := parameter.at("schema")
		kind, _ := schema.text("type")
		var values []any
		for _, text := range given[name] {
			if kind != "array" {
				values = append(values, untyped(text, kind)...)
				continue
			}
			kind, _ := schema.at("items").text("type")
			for element := range strings.SplitSeq(text, ",") {
				values = append(values, untyped(element, kind)...)
			}
		}
		value := any(values)
		switch {
		case len(values) == 0 || hugeNumber.MatchString(strings.Join(given[name], " ")):
			continue
		case kind != "array" && len(values) == 1:
			value = values[0]
		}
		if err := schema.validate(value); err != nil {
			faults = append(faults, "parameter "+name+": "+err.Error())
		}
	}
	return faults
}

// untyped returns the value of a parameter of a type, or none if it is empty.
func untyped(text, kind string) []any {
	switch {
	case text == "":
		return nil
	case kind == "integer":
		return []any{json.Number(text)}
	case kind == "boolean" && (text == "true" || text == "false"):
		return []any{text == "true"}
	default:
		return []any{text}
	}
}

// invalidJSON validates a text with a schema.
func invalidJSON(what string, schema node, text []byte) []string {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err == nil {
		err = schema.validate(value)
	}
	if err != nil {
		return []string{fmt.Sprintf("%s: %s", what, err)}
	}
	return nil
}
