package sqlstore

import (
	"context"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/step"
)

// insertDisputeEvent records an event.
func (s session) insertDisputeEvent(ctx context.Context, event dispute.Event) error {
	return s.queue(ctx, s.dialect.Feed.InsertDisputeEvent, event.DisputeID, string(event.State), Millis(event.At))
}

// DisputeEvents implements dispute.EventStore.
func (s *Store) DisputeEvents(ctx context.Context, after int64, limit int) (step.Page[dispute.Event], error) {
	return page(ctx, s, "dispute events", limit, s.dialect.DisputeEvents(after, limit), scanDisputeEvent)
}

// DisputeEvents returns the query for a page of events of disputes.
func (d Dialect) DisputeEvents(after int64, limit int) squirrel.SelectBuilder {
	return d.selectFrom("apguard_dispute_events e", "e.position", "e.dispute_id", "d.asset_id", "a.type", "a.canonical", "e.state", "e.happened_at").
		JoinClause(d.JoinRow("apguard_disputes", "d", "e.dispute_id")).
		JoinClause(d.JoinRow("apguard_assets", "a", "d.asset_id")).
		Where(squirrel.Gt{"e.position": after}).
		OrderBy("e.position").
		Limit(rowLimit(limit))
}

// LastDisputeEvent implements dispute.EventStore.
func (s *Store) LastDisputeEvent(ctx context.Context) (int64, error) {
	return read(ctx, s, short("last dispute event"), func(ctx context.Context, on session) (last int64, err error) {
		err = on.get(ctx, s.dialect.Feed.LastDisputeEvent, nil, &last)
		return last, err
	})
}

func scanDisputeEvent(row Row) (dispute.Event, error) {
	var e dispute.Event
	err := row.Scan(&e.Position, &e.DisputeID, &e.AssetID, scanType(&e.Type), &e.Canonical, (*string)(&e.State), (*timeColumn)(&e.At))
	return e, err
}
