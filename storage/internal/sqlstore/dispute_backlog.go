package sqlstore

import (
	"context"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/dispute"
)

// DisputeBacklog implements dispute.QueueStore.
func (s *Store) DisputeBacklog(ctx context.Context) (dispute.Backlog, error) {
	return read(ctx, s, listing("dispute backlog"), func(ctx context.Context, on session) (dispute.Backlog, error) {
		var backlog dispute.Backlog
		states, err := collect(ctx, on, s.dialect.DisputeBacklog(), scanUndecided)
		for _, u := range states {
			backlog.Add(u.state, u.count, u.oldest)
		}
		return backlog, err
	})
}

// undecided are the disputes in one state.
type undecided struct {
	state  dispute.State
	count  int
	oldest time.Time
}

// DisputeBacklog returns the query for the disputes that are not closed, by their state.
func (d Dialect) DisputeBacklog() squirrel.SelectBuilder {
	// The expression is that of the index.
	return d.selectFrom("apguard_disputes", "state || ''", "COUNT(*)", "MIN(created_at)").
		Where(squirrel.Eq{"state || ''": names([]dispute.State{dispute.StateOpen, dispute.StateUnderReview})}).
		GroupBy("state || ''")
}

func scanUndecided(row Row) (undecided, error) {
	var u undecided
	err := row.Scan((*string)(&u.state), &u.count, (*timeColumn)(&u.oldest))
	return u, err
}
