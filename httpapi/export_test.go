package httpapi

import (
	"time"

	"github.com/go-json-experiment/json"

	"github.com/apguard/apguard/allowlist"
)

// MaxBody is the maximum size of a body, except for the batch add, and MaxCheapBatch the
// maximum size of a batch that is not costly.
const (
	MaxBody       = maxBody
	MaxCheapBatch = maxCheapBatch
)

// MaxFile is the maximum size of a body that is a file.
const MaxFile = maxFile

// BodyError returns the error of the response for one of reading a body.
func BodyError(err error) error { return bodyError(err) }

// MaxDrain, DrainPause and DrainTime limit how much of a refused body is read, and how long.
const (
	MaxDrain   = maxDrain
	DrainPause = drainPause
	DrainTime  = drainTime
)

// WriteResults encodes the response body of the batch add.
func WriteResults(results []allowlist.Result) ([]byte, error) {
	response, err := newAddResponse(results)
	if err != nil {
		return nil, err
	}
	return json.Marshal(response)
}

// Timestamp formats t for a response.
func Timestamp(t time.Time) string { return timestamp(t) }
