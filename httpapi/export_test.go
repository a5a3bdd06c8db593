package httpapi

import (
	"github.com/go-json-experiment/json"

	"github.com/apguard/apguard/allowlist"
)

// MaxBody is the maximum size of a body, except for the batch add, MaxCheapBatch the maximum
// size of a batch that is not costly, and MaxNames the maximum number of names of an object.
const (
	MaxBody       = maxBody
	MaxCheapBatch = maxCheapBatch
	MaxNames      = maxNames
)

// TooManyNames reports whether an object in a JSON text has more than limit names.
func TooManyNames(text []byte, limit int) bool { return tooManyNames(text, limit) }

// MaxDeprecatedLimit is the largest limit of the deprecated listing.
const MaxDeprecatedLimit = maxDeprecatedLimit

// ReadAssets decodes the body of the batch add.
func ReadAssets(body []byte) ([]allowlist.Item, error) {
	parsed, err := decodeBody(body, "assets")
	if err != nil {
		return nil, err
	}
	f := fields{source: parsed}
	request := allowlist.AddRequest{OrganizationID: 1}
	if err := decodeItems(&f, parsed.value("assets"), &request); err != nil {
		return nil, err
	}
	return request.Items, f.join(request.Validate())
}

// WriteResults encodes the response body of the batch add.
func WriteResults(results []allowlist.Result) ([]byte, error) {
	response, err := newAddResponse(results, false)
	if err != nil {
		return nil, err
	}
	return json.Marshal(response)
}

// Remembered returns how many callers and clients the limit remembers.
func (l *RateLimit) Remembered() int {
	return len(l.requests.recent) + len(l.requests.older) + len(l.failed.recent) + len(l.failed.older)
}
