package asset

import (
	"context"
	"iter"
	"time"
)

// HistoryService answers questions about past statuses and prunes the changelog. It is
// for operators. It is safe for concurrent use.
type HistoryService struct {
	store HistoryStore
}

// NewHistoryService returns a HistoryService on the store.
func NewHistoryService(store HistoryStore) *HistoryService {
	return &HistoryService{store: store}
}

// StatusAt returns the status that the asset had at the given time, according to the
// changelog; the function [StatusAt] explains the rule.
//
// The error is [ErrNotFound] if there is no such asset, or if the identity is invalid.
func (s *HistoryService) StatusAt(ctx context.Context, identity Identity, at time.Time) (Status, error) {
	known, err := get(ctx, s.store, identity)
	if err != nil {
		return "", err
	}
	statuses, err := s.store.StatusesAt(ctx, []int64{known.ID}, at)
	return statuses[known.ID], err
}

// StatusAt returns the status that an asset had at the given time. It takes the asset's
// present status and its changes, oldest first as [Change.Compare] orders them.
//
// The last change at or before that time decides. Before the first change, the asset had
// the From status of that change, which is UNKNOWN unless older changes were pruned.
// Without changes, the present status is the only one that the asset ever had.
func StatusAt(present Status, oldestFirst iter.Seq[Change], at time.Time) Status {
	status := present
	first := true
	for change := range oldestFirst {
		if change.At.After(at) {
			if first {
				return change.From
			}
			break
		}
		status, first = change.To, false
	}
	return status
}
