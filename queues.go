package apguard

import (
	"context"
	"errors"
	"time"

	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/internal/watch"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage"
)

// queuesInterval is the time between two looks at the queues while calls of WaitQueues wait.
const queuesInterval = time.Second

// Queues are the queues of the operators.
type Queues struct {
	Disputes dispute.Queue
	Reports  report.Queue
}

// Version returns a text that is another one when that of a queue is; see [dispute.Queue.Version] and
// [report.Queue.Version]. It is the same in all processes that share a store.
func (q Queues) Version() string { return q.Disputes.Version() + "-" + q.Reports.Version() }

// Queues returns the queues of the operators. Its parts are read one after the other, so they may be of slightly
// different times. What the store does not implement is empty.
func (g *Guard) Queues(ctx context.Context) (queues Queues, err error) {
	if queues.Disputes, err = g.disputeQueue(ctx); err != nil {
		return Queues{}, err
	}
	if queues.Reports, err = g.reportQueue(ctx); err != nil {
		return Queues{}, err
	}
	return queues, nil
}

// WaitQueues returns nil as soon as the queues have another version than the given one, and the error of ctx if ctx
// ends first. The queues that the caller reads then can have the given version again.
//
// Any number of calls may wait at the same time: together they read the queues once a second. Do not call WaitQueues
// in a transaction of the host application.
func (g *Guard) WaitQueues(ctx context.Context, version string) error {
	return g.queues.Wait(ctx, func(found Queues) (bool, error) { return found.Version() != version, nil })
}

// watchQueues returns what looks at the queues for all calls of WaitQueues.
func (g *Guard) watchQueues() *watch.Watch[Queues] {
	return watch.New(queuesInterval, g.Queues, func(a, b Queues) bool { return a.Version() == b.Version() })
}

func (g *Guard) disputeQueue(ctx context.Context) (dispute.Queue, error) {
	backlog, err := ifImplemented(g.DisputeQueue.Backlog(ctx))
	if err != nil {
		return dispute.Queue{}, err
	}
	last, err := ifImplemented(g.store.LastDisputeEvent(ctx))
	if err != nil {
		return dispute.Queue{}, err
	}
	underReview := dispute.Filter{States: []dispute.State{dispute.StateUnderReview}}
	page, err := ifImplemented(g.DisputeQueue.List(ctx, dispute.ListRequest{Filter: underReview, Limit: dispute.MaxLimit}))
	return dispute.Queue{Backlog: backlog, LastEvent: last, UnderReview: page.Disputes}, err
}

func (g *Guard) reportQueue(ctx context.Context) (report.Queue, error) {
	backlog, err := ifImplemented(g.Reviews.Backlog(ctx, report.AnyOrganization()))
	if err != nil {
		return report.Queue{}, err
	}
	page, err := ifImplemented(g.Reports.List(ctx, report.ListRequest{Scope: report.AnyOrganization(), Limit: 1}))
	queue := report.Queue{Backlog: backlog}
	for _, newest := range page.Reports {
		queue.Last = newest.ID
	}
	return queue, err
}

// ifImplemented returns what a store returned, or the zero value without an error if it does not implement that.
func ifImplemented[T any](found T, err error) (T, error) {
	if errors.Is(err, storage.ErrUnimplemented) {
		err = nil
	}
	return found, err
}
