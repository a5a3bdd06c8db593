package main

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/apguard/apguard/webhook"
	"github.com/apguard/apguard/webhook/deliver"
)

// deliveries counts the events of the sender of webhooks. No label tells endpoints apart, so
// operators cannot make the metrics grow either.
type deliveries struct {
	mu                      sync.Mutex
	delivered, lost, failed int64
	refused                 map[webhook.Failure]int64
}

func (d *deliveries) add(event deliver.Event) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch event.Kind {
	case deliver.EventDelivered:
		d.delivered++
	case deliver.EventRefused, deliver.EventDisabled:
		d.refused[event.Outcome.Failure]++
	case deliver.EventLost:
		d.lost++
	case deliver.EventFailed:
		d.failed++
	}
}

// text returns the counts.
func (d *deliveries) text() []byte {
	d.mu.Lock()
	defer d.mu.Unlock()
	var page page
	page.family("apguard_webhook_messages_total", "counter", "Messages that receivers of webhooks have accepted.")
	page.sample("apguard_webhook_messages_total", strconv.FormatInt(d.delivered, 10))
	page.family("apguard_webhook_refused_total", "counter", "Requests to receivers of webhooks that have failed.")
	for _, failure := range slices.Sorted(maps.Keys(d.refused)) {
		page.sample("apguard_webhook_refused_total", strconv.FormatInt(d.refused[failure], 10), "failure", string(failure))
	}
	page.family("apguard_webhook_lost_total", "counter", "Times that a webhook lost its place in the feed, and so may have missed changes that were pruned.")
	page.sample("apguard_webhook_lost_total", strconv.FormatInt(d.lost, 10))
	page.family("apguard_webhook_errors_total", "counter", "Errors of the store, or of the place of a webhook, that kept messages from being sent. One that repeats counts once.")
	page.sample("apguard_webhook_errors_total", strconv.FormatInt(d.failed, 10))
	return page.text
}

// endpointsText returns how the endpoints of all servers are. It is empty if the store does not
// answer.
func endpointsText(ctx context.Context, webhooks *webhook.Service) []byte {
	ctx, cancel := context.WithTimeout(ctx, pingTimeout)
	defer cancel()
	disabled := map[webhook.Reason]int64{webhook.ReasonGone: 0, webhook.ReasonFailing: 0}
	var failing time.Duration
	pending := 0
	for e, err := range webhooks.All(ctx) {
		switch {
		case err != nil:
			return nil
		case e.State == webhook.StateDisabled:
			disabled[e.DisabledBy]++
		case e.State == webhook.StateActive:
			if e.Batch != (webhook.Batch{}) {
				pending++
			}
			if !e.FailingSince.IsZero() {
				failing = max(failing, webhooks.Now().Sub(e.FailingSince))
			}
		}
	}
	var page page
	page.family("apguard_webhook_disabled", "gauge", "Webhooks that wait for an operator, because their receiver is gone or has failed for days.")
	for _, reason := range slices.Sorted(maps.Keys(disabled)) {
		page.sample("apguard_webhook_disabled", strconv.FormatInt(disabled[reason], 10), "reason", string(reason))
	}
	page.family("apguard_webhook_pending", "gauge", "Active webhooks with a message that is being sent, or waits to be sent again.")
	page.sample("apguard_webhook_pending", strconv.Itoa(pending))
	page.family("apguard_webhook_failing_seconds", "gauge", "Time since the first failure of the active webhook that has failed for longest, or 0.")
	page.sample("apguard_webhook_failing_seconds", decimal(failing.Seconds()))
	return page.text
}
