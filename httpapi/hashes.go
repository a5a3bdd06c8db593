package httpapi

import (
	"net/http"
	"strconv"
)

// readHashes answers GET /asset/hashes. The version of the lists, and that to which they are a
// difference, identify the response, because those of the same lists are the same.
func (p public) readHashes(w *responseWriter, c call) error {
	version, err := c.request().Hashes()
	if err != nil {
		return err
	}
	if p.hashes == nil {
		return apiError{status: http.StatusNotFound, message: "This server has no hash lists"}
	}
	response, err := p.hashes.Since(version)
	if err != nil {
		return err
	}
	tag := `W/"hashes.` + response.Since + "." + response.Version + `"`
	setRulesVersion(w.Header())
	w.Header().Set("Age", strconv.FormatInt(wholeSeconds(response.Age), 10))
	w.Header().Set("ETag", tag)
	w.Header().Set("Cache-Control", "private, no-cache")
	if hasTag(c.Header.Values("If-None-Match"), tag) {
		w.notModified()
		return nil
	}
	w.Header().Set("Content-Type", "application/x-protobuf")
	w.write(http.StatusOK, response.Data)
	return nil
}
