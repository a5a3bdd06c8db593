package httpapi

import (
	"context"
	"strconv"
	"strings"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/internal/request"
)

type queuesResponse struct {
	Version  string       `json:"version"`
	Disputes disputeQueue `json:"disputes"`
	Reports  reportQueue  `json:"reports"`
	Viewers  []*namedUser `json:"viewers"`
}

type disputeQueue struct {
	Version string `json:"version"`
	disputeBacklog
}

type reportQueue struct {
	Version string `json:"version"`
	reportBacklog
}

// seenQueues are the queues, and who else has the record open that the caller has.
type seenQueues struct {
	apguard.Queues
	viewers []int64
}

// Version returns the version of the queues, with the viewers if there are any.
func (s seenQueues) Version() string {
	parts := append(make([]string, 0, 1+len(s.viewers)), s.Queues.Version())
	for _, viewer := range s.viewers {
		parts = append(parts, strconv.FormatInt(viewer, 36))
	}
	return strings.Join(parts, ".")
}

// readQueues answers GET /queues. It waits for another version if the client wants it and knows the present one. The
// queues are read again after the wait, because what it has seen can be older than the version.
func (o operator) readQueues(w *responseWriter, c call) error {
	req, err := c.request().Queues()
	if err != nil {
		return err
	}
	if c.principal.HasUser() && req.Open != (request.Record{}) {
		defer o.present.Enter(req.Open, c.principal.UserID)()
	}
	seen, err := o.seeQueues(c, req.Open)
	if err != nil {
		return err
	}
	if req.Wait > 0 && seen.Version() == req.Version {
		if err = c.wait(w, req.Wait, func(ctx context.Context) error { return o.waitQueues(ctx, c, req.Open, seen) }); err != nil {
			return err
		}
		if seen, err = o.seeQueues(c, req.Open); err != nil {
			return err
		}
	}
	response := newQueuesResponse(seen)
	o.setNames(w, c, response)
	return w.writeJSON(response)
}

// seeQueues returns the queues, and who else has a record open.
func (o operator) seeQueues(c call, open request.Record) (seenQueues, error) {
	viewers := o.present.Others(open, c.principal.UserID)
	queues, err := o.guard.Queues(c.Context())
	return seenQueues{queues, viewers}, err
}

// waitQueues waits until the queues or who else has a record open are others than what was seen.
func (o operator) waitQueues(ctx context.Context, c call, open request.Record, seen seenQueues) error {
	waiting, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		o.present.Wait(waiting, open, c.principal.UserID, seen.viewers)
		cancel()
	}()
	if err := o.guard.WaitQueues(waiting, seen.Queues.Version()); waiting.Err() == nil {
		return err
	}
	return nil
}

func newQueuesResponse(seen seenQueues) queuesResponse {
	return queuesResponse{
		Version:  seen.Version(),
		Disputes: disputeQueue{seen.Disputes.Version(), newDisputeBacklog(seen.Disputes.Backlog)},
		Reports:  reportQueue{seen.Reports.Version(), newReportBacklog(seen.Reports.Backlog)},
		Viewers:  mapped(seen.viewers, newNamedUser),
	}
}

func (r queuesResponse) addTo(n *names) { n.addUsers(r.Viewers...) }
