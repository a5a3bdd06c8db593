package request

import "time"

// QueuesRequest asks for the queues of the operators.
type QueuesRequest struct {
	// Version is the one that the client knows, or empty.
	Version string
	// Wait is how long to wait for another version.
	Wait time.Duration
}

// Queues decodes GET /queues for operators.
func (c Call) Queues() (QueuesRequest, error) {
	f := c.query("version", "wait")
	request := QueuesRequest{Version: f.nonEmpty("version"), Wait: one(&f, "wait", asWait)}
	return request, f.join()
}
