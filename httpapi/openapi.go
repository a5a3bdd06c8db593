package httpapi

import (
	_ "embed" // for the document
	"net/http"
	"strings"
)

// documentPath is the path of the OpenAPI document.
const documentPath = "/openapi.json"

// documentFile is the document of an API at /api/v2 with the default path of the
// deprecated listing.
//
//go:embed openapi.json
var documentFile string

// The parts of documentFile that depend on the server. Each occurs once.
const (
	fileServer            = `"url": "/api/v2"`
	fileDeprecatedReports = `"` + DefaultDeprecatedReportsPath + `": {`
)

// document is an OpenAPI document, split at its server URL.
type document struct {
	before, after string
}

// newDocument returns the document of an API. The path must need no quoting in JSON.
func newDocument(deprecatedReportsPath string) document {
	text := strings.Replace(documentFile, fileDeprecatedReports, `"`+deprecatedReportsPath+`": {`, 1)
	before, after, _ := strings.Cut(text, fileServer)
	return document{before, after}
}

// at returns the document for a server URL, which must need no quoting in JSON.
func (d document) at(server string) []byte {
	return []byte(d.before + `"url": "` + server + `"` + d.after)
}

// getDocument answers GET /openapi.json. The server URL is a path without a host,
// because proxies may have changed the host name.
func (a *API) getDocument(w *responseWriter, c call) error {
	server := "." // the directory of the document
	if base, found := baseOf(c.Request, documentPath); found {
		server = reference(base)
	}
	w.write(http.StatusOK, a.document.at(server))
	return nil
}
