package client

import (
	"context"
	"net/url"
	"time"

	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/report"
)

// MaxQueuesWait is the longest time that a request for the queues waits for another version.
const MaxQueuesWait = 30 * time.Second

// QueuesRequest asks for the queues of the operators.
type QueuesRequest struct {
	// Version is that of the last answer, or empty.
	Version string
	// Wait is how long to wait for another version, up to [MaxQueuesWait]. It is rounded up to seconds.
	Wait time.Duration
	// Open is the record that the caller has open, such as "dispute/12" or "report/7", or empty. Others who have it open
	// are told until some seconds after the last request.
	Open string
}

// Queues say how much waits for operators. Versions can only be compared for equality: another one says that what was
// listed is out of date.
type Queues struct {
	// Version is another one when that of a queue is, or the viewers are others.
	Version  string       `json:"version"`
	Disputes DisputeQueue `json:"disputes"`
	Reports  ReportQueue  `json:"reports"`
	// Viewers are the other users who have the record of [QueuesRequest.Open] open, as far as the server that answers
	// knows.
	Viewers []NamedUser `json:"viewers"`
}

// DisputeQueue is the queue of disputes; see [dispute.Queue] for its version.
type DisputeQueue struct {
	Version string `json:"version"`
	dispute.Backlog
}

// ReportQueue is the queue of reports; see [report.Queue] for its version.
type ReportQueue struct {
	Version string `json:"version"`
	report.Backlog
}

func (q *Queues) validate() error {
	if q.Version == "" || q.Disputes.Version == "" || q.Reports.Version == "" {
		return responseError("it has no version")
	}
	if q.Viewers == nil {
		return responseError("it has no viewers")
	}
	return nil
}

// Queues returns how much waits for operators. It may return earlier than the request says, with the same version.
func (o *Operator) Queues(ctx context.Context, req QueuesRequest) (Queues, error) {
	query := make(url.Values)
	setText(query, "version", req.Version)
	setNumber(query, "wait", int64((req.Wait+time.Second-1)/time.Second))
	setText(query, "open", req.Open)
	var queues Queues
	call := get("/queues", query)
	call.wait = req.Wait
	call.receive = func(r *response) error {
		queues = Queues{}
		return receiveJSON(&queues)(r)
	}
	return queues, o.send(ctx, call)
}
