package rules

import (
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/report"
)

type state struct {
	State dispute.State `json:"state"`
}

func transitions(s state) []dispute.State {
	next := []dispute.State{}
	for _, to := range dispute.States() {
		if s.State.CanBecome(to) {
			next = append(next, to)
		}
	}
	return next
}

type reviewStatuses struct {
	// ReviewStatuses has the review status of each proposal, empty or null for none.
	ReviewStatuses []report.ReviewStatus `json:"reviewStatuses"`
}

func reportStatus(r reviewStatuses) report.Status {
	proposals := make([]report.Proposal, len(r.ReviewStatuses))
	for i, status := range r.ReviewStatuses {
		proposals[i].ReviewStatus = status
	}
	return report.StatusOf(proposals)
}
