package httpapi

import (
	"github.com/go-json-experiment/json"

	"github.com/apguard/apguard/allowlist"
)

// ReadAssets reads the body of a batch as its operation does.
func ReadAssets(body []byte) ([]allowlist.Item, error) {
	parsed, err := decodeBody(body, "assets")
	if err != nil {
		return nil, err
	}
	return decodeItems(parsed)
}

// WriteResults writes the body of the reply to a batch as its operation does.
func WriteResults(results []allowlist.Result) ([]byte, error) {
	response, err := newAddResponse(results)
	if err != nil {
		return nil, err
	}
	return json.Marshal(response)
}
