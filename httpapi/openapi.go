package httpapi

import (
	_ "embed" // for the document
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
)

// documentPath is the path of the OpenAPI document.
const documentPath = "/openapi.json"

// documentFile is the document of an API at /api/v2 with the default path of the
// deprecated listing.
//
//go:embed openapi.json
var documentFile string

// operatorDocumentFile is the document of an API for operators at /operator.
//
//go:embed operator.json
var operatorDocumentFile string

// The parts of the files that depend on the server. Each occurs once.
const (
	fileServer            = `"url": "/api/v2"`
	fileOperatorServer    = `"url": "/operator"`
	fileDeprecatedReports = `"` + DefaultDeprecatedReportsPath + `": {`
	fileHashes            = `"operationId": "readHashes",`
	fileSecurity          = `"security": [{ "apiKey": [] }]`
	fileSchemesBegin      = `"securitySchemes": {`
	fileSchemesEnd        = `},
    "parameters": {`
)

// document is an OpenAPI document, split at its server URL.
type document struct {
	before, after string
}

// newDocument returns the document of an API with valid options.
func newDocument(opts Options) document {
	text := strings.Replace(documentFile, fileDeprecatedReports, `"`+opts.DeprecatedReportsPath+`": {`, 1)
	if opts.PublicHashes {
		text = strings.Replace(text, fileHashes, fileHashes+` "security": [],`, 1)
	}
	return splitDocument(text, fileServer, opts.SecurityScheme)
}

// newOperatorDocument returns the document of an API for operators with valid options.
func newOperatorDocument(opts Options) document {
	return splitDocument(operatorDocumentFile, fileOperatorServer, opts.SecurityScheme)
}

// splitDocument returns the document of a text, in which the server URL occurs once.
func splitDocument(text, server string, scheme SecurityScheme) document {
	if scheme != (SecurityScheme{}) {
		text = scheme.replaceIn(text)
	}
	before, after, _ := strings.Cut(text, server)
	return document{before, after}
}

// at returns the document for a server URL, which must need no quoting in JSON.
func (d document) at(server string) []byte {
	return []byte(d.before + `"url": "` + server + `"` + d.after)
}

// operation returns the operation that returns the document.
func (d document) operation() operation {
	return operation{
		methods:   []string{http.MethodGet, http.MethodHead},
		path:      documentPath,
		anonymous: true,
		handle:    d.get,
	}
}

// get answers GET /openapi.json. The server URL is a path without a host,
// because proxies may have changed the host name.
func (d document) get(w *responseWriter, c call) error {
	server := "." // the directory of the document
	if base, found := baseOf(c.Request, documentPath); found {
		server = reference(base)
	}
	w.write(http.StatusOK, d.at(server))
	return nil
}

// SecurityScheme describes in the OpenAPI document how callers authenticate.
type SecurityScheme struct {
	// Name is the name of the scheme in the document. It consists of ASCII letters, digits
	// and -._ characters.
	Name string
	// Definition is a Security Scheme Object of OpenAPI 3.1 in JSON, such as
	// {"type": "http", "scheme": "bearer"}.
	Definition string
}

// validate returns why the scheme cannot be part of the document, or nil.
func (s SecurityScheme) validate() error {
	if s.Name == "" || strings.ContainsFunc(s.Name, func(r rune) bool { return reserved(r) || r == '~' }) {
		return errors.New("its name must consist of ASCII letters, digits and -._ characters")
	}
	types := []string{"apiKey", "http", "mutualTLS", "oauth2", "openIdConnect"}
	var definition struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal([]byte(s.Definition), &definition); err != nil || !slices.Contains(types, definition.Type) {
		return errors.New("its definition must be a JSON object with one of the types " + strings.Join(types, ", "))
	}
	return nil
}

// replaceIn replaces the security scheme of a document.
func (s SecurityScheme) replaceIn(text string) string {
	text = strings.Replace(text, fileSecurity, `"security": [{ "`+s.Name+`": [] }]`, 1)
	before, rest, _ := strings.Cut(text, fileSchemesBegin)
	_, after, _ := strings.Cut(rest, fileSchemesEnd)
	return before + fileSchemesBegin + ` "` + s.Name + `": ` + s.Definition + " " + fileSchemesEnd + after
}
