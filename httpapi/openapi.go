package httpapi

import (
	_ "embed" // for the document
	"net/http"
	"strings"
)

// documentPath is the path of the OpenAPI document.
const documentPath = "/openapi.json"

// documentFile is the document of an API at the base /api/v2, with the default path
// of the deprecated listing.
//
//go:embed openapi.json
var documentFile string

// What stands in documentFile where servers differ, once each.
const (
	fileServer            = `"url": "/api/v2"`
	fileDeprecatedReports = `"` + DefaultDeprecatedReportsPath + `": {`
)

// document is the OpenAPI document of one API, cut where its server is named.
type document struct {
	before, after string
}

// newDocument returns the document of an API. The path of the deprecated listing
// has no character that JSON quotes.
func newDocument(deprecatedReportsPath string) document {
	text := strings.Replace(documentFile, fileDeprecatedReports, `"`+deprecatedReportsPath+`": {`, 1)
	before, after, _ := strings.Cut(text, fileServer)
	return document{before, after}
}

// at returns the document for a server whose URL has no character that JSON quotes.
func (d document) at(server string) []byte {
	return []byte(d.before + `"url": "` + server + `"` + d.after)
}

// getDocument answers GET /openapi.json. The server that the document names is a
// path only: the host is the one that the client asked already, whatever proxies
// made of its name.
func (a *API) getDocument(w *reply, c call) error {
	server := "." // the folder of the document
	if base, found := baseOf(c.Request, documentPath); found {
		server = reference(base)
	}
	w.write(http.StatusOK, a.document.at(server))
	return nil
}
