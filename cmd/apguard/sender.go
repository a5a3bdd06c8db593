package main

import (
	"log/slog"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/metrics"
	"github.com/apguard/apguard/webhook/deliver"
)

// flagPrivateWebhooks is the name of the flag that allows endpoints in the server's own network.
const flagPrivateWebhooks = "private-webhooks"

// newSender returns the sender of webhooks. Its events go to the metrics and the log.
func newSender(guard *apguard.Guard, counts *metrics.Counts, logger *slog.Logger) *deliver.Sender {
	return deliver.New(guard.Webhooks, deliver.Options{OnEvent: func(event deliver.Event) {
		counts.Delivered(event)
		logDelivery(event, logger)
	}})
}

// logDelivery logs an event of the sender. The log has the IDs of endpoints but no URLs, which may
// contain tokens.
func logDelivery(event deliver.Event, logger *slog.Logger) {
	if event.EndpointID != 0 {
		logger = logger.With("endpoint", event.EndpointID)
	}
	if event.Events > 0 {
		logger = logger.With("events", event.Events, "status", event.Outcome.Status)
	}
	switch event.Kind {
	case deliver.EventDelivered:
		logger.Info("webhook delivered")
	case deliver.EventRefused:
		logger.Warn("webhook refused; trying again later", "failure", event.Outcome.Failure)
	case deliver.EventDisabled:
		logger.Error("webhook disabled; it waits for an operator", "failure", event.Outcome.Failure, "reason", event.DisabledBy)
	case deliver.EventLost:
		logger.Warn("webhook lost its place; pruned changes are not sent")
	case deliver.EventFailed:
		logger.Error("webhooks failed; trying again", "error", event.Err)
	}
}
