package request

import (
	"strconv"
	"strings"
	"time"

	"github.com/apguard/apguard/asset"
)

// QueuesRequest asks for the queues of the operators.
type QueuesRequest struct {
	// Version is the one that the client knows, or empty.
	Version string
	// Wait is how long to wait for another version.
	Wait time.Duration
	// Open is the record that the operator has open, or zero.
	Open Record
}

// Record is a dispute or a report.
type Record struct {
	// Kind is "dispute" or "report".
	Kind string
	ID   int64
}

// Queues decodes GET /queues for operators.
func (c Call) Queues() (QueuesRequest, error) {
	f := c.query("version", "wait", "open")
	request := QueuesRequest{Version: f.nonEmpty("version"), Wait: one(&f, "wait", asWait), Open: one(&f, "open", asRecord)}
	return request, f.join()
}

func asRecord(v value) (Record, string) {
	kind, number, _ := strings.Cut(v.text, "/")
	id, err := strconv.ParseInt(number, 10, 64)
	if kind != "dispute" && kind != "report" || err != nil || !asset.ValidID(id) {
		return Record{}, `must be "dispute/" or "report/" and an ID`
	}
	return Record{kind, id}, ""
}
