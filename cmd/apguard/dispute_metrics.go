package main

import (
	"context"
	"strconv"

	"github.com/apguard/apguard/dispute"
)

// disputesText returns the disputes that wait for a decision. It is empty if the store does not answer.
func disputesText(ctx context.Context, queue *dispute.QueueService) []byte {
	ctx, cancel := context.WithTimeout(ctx, pingTimeout)
	defer cancel()
	backlog, err := queue.Backlog(ctx)
	if err != nil {
		return nil
	}
	var page page
	page.family("apguard_disputes", "gauge", "Disputes that wait for a decision, by state.")
	page.sample("apguard_disputes", strconv.Itoa(backlog.Open), "state", string(dispute.StateOpen))
	page.sample("apguard_disputes", strconv.Itoa(backlog.UnderReview), "state", string(dispute.StateUnderReview))
	page.family("apguard_dispute_oldest_seconds", "gauge", "Age of the oldest dispute that waits for a decision, or 0.")
	page.sample("apguard_dispute_oldest_seconds", decimal(age(backlog.OldestAt).Seconds()))
	return page.text
}
