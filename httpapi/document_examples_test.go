package httpapi_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/httpapi/limit"
	"github.com/apguard/apguard/internal/test/testsize"
)

// example is an example of a response in an OpenAPI document.
type example struct {
	method, path string
	operation    node
	status, name string
}

// requireExamples requires that every example of a document is the response to a real request,
// which provoke sends. The example of the document itself is abridged; version is its version.
func requireExamples(t *testing.T, o *openapi, version string, provoke func(*testing.T, example) response) {
	t.Helper()
	testsize.NotShort(t)
	o.operations(func(method, path string, operation node) {
		for _, status := range operation.at("responses").keys() {
			if status == "304" { // it has no content
				continue
			}
			if operation.at("responses", status, "content", "application/x-protobuf").value != nil { // it is not readable
				continue
			}
			examples := operation.at("responses", status, "content", "application/json", "examples")
			require.NotEmpty(t, examples.keys(), "%s %s %s", method, path, status)
			for _, name := range examples.keys() {
				t.Run(method+" "+path+" "+status+" "+name, func(t *testing.T) {
					t.Parallel()
					got := provoke(t, example{method, path, operation, status, name})
					require.Equal(t, status, strconv.Itoa(got.Status), got.Body)
					if name == "abridged" {
						require.Contains(t, got.Body, `"openapi": "3.1.0"`)
						require.Contains(t, got.Body, `"version": "`+version+`"`)
						return
					}
					want, err := json.Marshal(examples.at(name, "value").value)
					require.NoError(t, err)
					body := withExampleValues(got.Body)
					if scope := lackedScope.Find(want); scope != nil {
						body = lackedScope.ReplaceAllString(body, string(scope))
					}
					require.JSONEq(t, string(want), body)
				})
			}
		}
	})
}

// lackedScope matches what a key lacks. Operations with different scopes share an example; TestPermits requires the
// scope of each.
var lackedScope = regexp.MustCompile(`your key lacks the scope [a-z:]+`)

// exampleSecret is the secret of webhooks in the documents. A server makes another one each time.
const exampleSecret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

var webhookSecret = regexp.MustCompile(`whsec_[A-Za-z0-9+/]{43}=`)

// exampleKey and exampleFingerprint are those of API keys in the documents.
const (
	exampleKey         = "apg_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg"
	exampleFingerprint = "0123456789ab"
)

var (
	generatedKey = regexp.MustCompile(`apg_[0-9A-Za-z]{43}`)
	// generatedID matches the random ID of an organization or a user, which is hardly ever short.
	generatedID = regexp.MustCompile(`"id":[0-9]{6,}`)
)

// withExampleValues returns a response with the values of the documents in place of random ones.
func withExampleValues(body string) string {
	body = webhookSecret.ReplaceAllString(body, exampleSecret)
	if key := generatedKey.FindString(body); key != "" {
		body = strings.ReplaceAll(body, account.Fingerprint(account.HashKey(key)), exampleFingerprint)
	}
	return generatedID.ReplaceAllString(generatedKey.ReplaceAllString(body, exampleKey), `"id":4`)
}

// attempt is a request to an operation and the server that answers it.
type attempt struct {
	server setup
	method string
	key    string
	// text is the body, or the query of a GET request.
	text string
	// contentType is JSON if it is empty.
	contentType string
	// maxBody is the maximum size of a body.
	maxBody int
}

// fail changes an attempt that succeeds, so that it is answered with the status. It changes
// nothing if the operation decides about the status.
func (a *attempt) fail(status string) {
	switch status {
	case "401":
		a.key = unknownKey
	case "403":
		a.key = powerlessKey
	case "405":
		a.method = http.MethodPut
	case "413":
		a.text = strings.Repeat(" ", a.maxBody+1)
	case "415":
		a.contentType = "text/plain"
	case "429":
		a.server.options.Admission = []limit.Admission{refusing(&limit.Error{})}
	case "500":
		a.server.wrap = failingEverywhere(errDisk)
	case "503": // the store, or for an operation without one the limit of all requests
		a.server.wrap = failingEverywhere(asset.ErrUnavailable)
		a.server.options.Admission = []limit.Admission{admissionFunc(func(req limit.Request) (func(), error) {
			if base+req.Operation == documentPath {
				return nil, &limit.Error{Status: http.StatusServiceUnavailable}
			}
			return nil, nil
		})}
	}
}

// request returns the request of the attempt.
func (a attempt) request(path string) *http.Request {
	if a.method == http.MethodGet {
		return newGet(path+"?"+a.text, a.key)
	}
	r := newPost(path, a.key, strings.NewReader(a.text))
	r.Method = a.method
	if a.contentType != "" {
		r.Header.Set("Content-Type", a.contentType)
	}
	return r
}

// exampleRequest returns the request body of the named example, or the query with the
// examples of all parameters.
func exampleRequest(t *testing.T, operation node, name string) string {
	t.Helper()
	if operation.at("requestBody").value != nil {
		example := operation.at("requestBody", "content", "application/json", "examples", name, "value")
		require.NotNil(t, example.value, name)
		body, err := json.Marshal(example.value)
		require.NoError(t, err)
		return string(body)
	}
	parameters := make(url.Values)
	for _, parameter := range operation.at("parameters").list() {
		in, _ := parameter.text("in")
		if example := parameter.at("example").value; example != nil && in == "query" {
			name, _ := parameter.text("name")
			parameters.Set(name, fmt.Sprint(example))
		}
	}
	return parameters.Encode()
}
