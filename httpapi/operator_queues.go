package httpapi

import (
	"context"

	"github.com/apguard/apguard"
)

type queuesResponse struct {
	Version  string       `json:"version"`
	Disputes disputeQueue `json:"disputes"`
	Reports  reportQueue  `json:"reports"`
}

type disputeQueue struct {
	Version string `json:"version"`
	disputeBacklog
}

type reportQueue struct {
	Version string `json:"version"`
	reportBacklog
}

// readQueues answers GET /queues. It waits for another version if the client wants it and knows the present one. The
// queues are read again after the wait, because what it has seen can be older than the version.
func (o operator) readQueues(w *responseWriter, c call) error {
	req, err := c.request().Queues()
	if err != nil {
		return err
	}
	queues, err := o.guard.Queues(c.Context())
	if err != nil {
		return err
	}
	if req.Wait > 0 && queues.Version() == req.Version {
		err = c.wait(w, req.Wait, func(ctx context.Context) error { return o.guard.WaitQueues(ctx, req.Version) })
		if err != nil {
			return err
		}
		if queues, err = o.guard.Queues(c.Context()); err != nil {
			return err
		}
	}
	return w.writeJSON(newQueuesResponse(queues))
}

func newQueuesResponse(q apguard.Queues) queuesResponse {
	return queuesResponse{
		Version:  q.Version(),
		Disputes: disputeQueue{q.Disputes.Version(), newDisputeBacklog(q.Disputes.Backlog)},
		Reports:  reportQueue{q.Reports.Version(), newReportBacklog(q.Reports.Backlog)},
	}
}
