package main

import (
	"context"
	"strconv"
	"time"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/report"
)

// backlogText returns how long reports wait for reviews, and how many decisions are overdue for one. It is empty if the
// store does not answer.
func backlogText(ctx context.Context, guard *apguard.Guard) []byte {
	ctx, cancel := context.WithTimeout(ctx, pingTimeout)
	defer cancel()
	backlog, err := guard.Reviews.Backlog(ctx, report.AnyOrganization())
	if err != nil {
		return nil
	}
	due, err := guard.Assets.CountDue(ctx)
	if err != nil {
		return nil
	}
	var page page
	page.family("apguard_report_oldest_seconds", "gauge", "Age of the oldest report that waits for reviews, or 0.")
	page.sample("apguard_report_oldest_seconds", decimal(age(backlog.OldestAt).Seconds()))
	page.family("apguard_decisions_overdue", "gauge", "Decisions of operators whose review is due.")
	page.sample("apguard_decisions_overdue", strconv.Itoa(due.Overdue))
	return page.text
}

// age returns the time since a time, or 0 if that is zero.
func age(since time.Time) time.Duration {
	if since.IsZero() {
		return 0
	}
	return max(0, time.Since(since))
}
