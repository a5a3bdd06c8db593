// Package metrics has the metrics of a service: what they are called, what they mean, and how they are read.
//
// [All] is the only table of them. The program apguard serves it to Prometheus, and package otel, a module of its own,
// gives it to OpenTelemetry. A host application with another library reads it too:
//
//   - [Counts] counts what happens. It observes a Guard, an HTTP API and a sender of webhooks.
//   - [Counts.Read] returns all values: these counts, and what the [Sources] say at the time.
package metrics

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/observe"
	"github.com/apguard/apguard/webhook"
	"github.com/apguard/apguard/webhook/deliver"
)

// Other is the value of the labels "operation" and "method" for a request with an unknown path or method.
const Other = "other"

// Counts counts requests, checks, changes of status, items of allowlists and messages to webhooks. It is an
// [observe.Observer] and an [httpapi.Observer], and it is safe for concurrent use. It must come from [NewCounts].
type Counts struct {
	clock   func() time.Time
	started time.Time

	mu         sync.Mutex
	requests   map[request]int64
	operations map[string]*operation
	verdicts   map[verdict]int64
	refused    map[observe.Reason]int64
	changes    map[asset.Status]int64
	items      map[item]int64
	messages   messages
	published  time.Time
}

// The keys by which is counted.
type (
	request struct {
		operation, method string
		status            int
	}
	verdict struct {
		status asset.Status
		source check.Source
	}
	item struct {
		action string
		reason observe.Reason
	}
)

// operation has the sums over the requests of an operation.
type operation struct {
	failed, aborted, gone int64
	received, sent        int64
	// within has the number of requests up to each of durationBounds, and beyond the last one.
	within  []int64
	seconds float64
}

// messages counts the events of a sender of webhooks. No label tells endpoints apart, so operators cannot make the
// metrics grow either.
type messages struct {
	delivered, lost, failed int64
	refused                 map[webhook.Failure]int64
}

// NewCounts returns counts of nothing yet. The usual ones are there from the start, so that their first increase is
// seen. clock returns the current time; nil means time.Now.
func NewCounts(clock func() time.Time) *Counts {
	if clock == nil {
		clock = time.Now
	}
	c := &Counts{
		clock:      clock,
		started:    clock(),
		requests:   make(map[request]int64),
		operations: make(map[string]*operation),
		verdicts: map[verdict]int64{
			{asset.StatusAllowed, check.SourceAsset}: 0,
			{asset.StatusBlocked, check.SourceAsset}: 0,
			{asset.StatusBlocked, check.SourceList}:  0,
			{asset.StatusUnknown, check.SourceNone}:  0,
		},
		refused:  make(map[observe.Reason]int64),
		changes:  make(map[asset.Status]int64),
		items:    map[item]int64{{"add", observe.ReasonNone}: 0, {"remove", observe.ReasonNone}: 0},
		messages: messages{refused: make(map[webhook.Failure]int64)},
	}
	for _, status := range asset.Statuses() {
		c.changes[status] = 0
	}
	return c
}

// Observe implements [httpapi.Observer].
func (c *Counts) Observe(_ context.Context, info httpapi.RequestInfo) {
	name := cmp.Or(info.Operation, Other)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.requests[request{name, cmp.Or(info.Method, Other), info.Status}]++
	of := c.operations[name]
	if of == nil {
		of = &operation{within: make([]int64, len(durationBounds())+1)}
		c.operations[name] = of
	}
	of.add(info)
}

func (o *operation) add(info httpapi.RequestInfo) {
	if info.Err != nil {
		o.failed++
	}
	if info.Aborted {
		o.aborted++
	}
	if info.ClientGone {
		o.gone++
	}
	o.received += info.Received
	o.sent += info.Sent
	seconds := info.Duration.Seconds()
	o.seconds += seconds
	bucket, _ := slices.BinarySearch(durationBounds(), seconds)
	o.within[bucket]++
}

// Start implements [observe.Observer].
func (c *Counts) Start(ctx context.Context, _ string) context.Context { return ctx }

// End implements [observe.Observer].
func (c *Counts) End(_ context.Context, outcome observe.Outcome) {
	if len(outcome.Verdicts)+len(outcome.Changes)+len(outcome.Items) == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, v := range outcome.Verdicts {
		c.verdicts[verdict{v.Status, v.Source}] += int64(v.N)
	}
	for _, change := range outcome.Changes {
		c.changes[change.To] += int64(change.N)
	}
	for _, i := range outcome.Items {
		switch outcome.Operation {
		case "allowlist.add":
			c.items[item{"add", i.Reason}] += int64(i.N)
		case "allowlist.remove":
			c.items[item{"remove", i.Reason}] += int64(i.N)
		default: // a check
			c.refused[i.Reason] += int64(i.N)
		}
	}
}

// Delivered counts an event of a sender of webhooks. It is for OnEvent of [deliver.Options].
func (c *Counts) Delivered(event deliver.Event) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch event.Kind {
	case deliver.EventDelivered:
		c.messages.delivered++
	case deliver.EventRefused, deliver.EventDisabled:
		c.messages.refused[event.Outcome.Failure]++
	case deliver.EventLost:
		c.messages.lost++
	case deliver.EventFailed:
		c.messages.failed++
	}
}

// Published says that the manifest in the folder for clients is of the given time. It is for OnPublished of
// publish.Options.
func (c *Counts) Published(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.published = at
}
