package asset

import (
	"context"
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
// changelog.
//
// The last change at or before that time decides, in the order of [Change.Compare]. Before the
// first change, the asset had the From status of that change, which is UNKNOWN unless older
// changes were pruned. Without changes, the present status is the only one that the asset ever
// had.
//
// The error is [ErrNotFound] if there is no such asset, or if the identity is invalid.
func (s *HistoryService) StatusAt(ctx context.Context, identity Identity, at time.Time) (Status, error) {
	known, err := get(ctx, s.store, identity)
	if err != nil {
		return "", err
	}
	status := known.Status
	for change, err := range changes(ctx, s.store, ChangeFilter{Identity: identity}) {
		if err != nil {
			return "", err
		}
		if !change.At.After(at) {
			return change.To, nil
		}
		status = change.From
	}
	return status, nil
}
