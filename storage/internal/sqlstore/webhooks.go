package sqlstore

import (
	"context"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/step"
	"github.com/apguard/apguard/webhook"
)

const (
	// endpointColumnNames are the columns of an endpoint that change.
	endpointColumnNames = `url, events, filter_types, filter_statuses, state, disabled_by, secret, old_secret, old_secret_until,
			feed_cursor, feed_position, dispute_position, act_position, batch_first, batch_last, batch_dispute, batch_act, replays, failures, failing_since,
			last_status, last_failure, last_at, last_success_at, due_at, lease`

	insertEndpoint = `INSERT INTO apguard_webhooks (created_at, ` + endpointColumnNames + `)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

	updateEndpoint = `UPDATE apguard_webhooks SET url = ?, events = ?, filter_types = ?, filter_statuses = ?, state = ?, disabled_by = ?,
			secret = ?, old_secret = ?, old_secret_until = ?, feed_cursor = ?, feed_position = ?, dispute_position = ?,
			act_position = ?, batch_first = ?, batch_last = ?, batch_dispute = ?, batch_act = ?, replays = ?, failures = ?, failing_since = ?, last_status = ?, last_failure = ?, last_at = ?, last_success_at = ?,
			due_at = ?, lease = ?
		WHERE id = ?`

	selectEndpoint = `SELECT id, created_at, ` + endpointColumnNames + ` FROM apguard_webhooks WHERE id = ?`

	deleteEndpoint = `DELETE FROM apguard_webhooks WHERE id = ?`
)

// AddEndpoint implements webhook.Store.
func (s *Store) AddEndpoint(ctx context.Context, endpoint webhook.Endpoint, entry audit.Entry) (webhook.Endpoint, error) {
	return write(ctx, s, "add endpoint", func(ctx context.Context, on session) (webhook.Endpoint, error) {
		stored := endpoint.Stored()
		id, err := on.insert(ctx, insertEndpoint, append([]any{Millis(stored.CreatedAt)}, endpointColumns(stored)...)...)
		if err != nil {
			return webhook.Endpoint{}, err
		}
		stored.ID = id
		return stored, on.record(ctx, entry.On(id))
	})
}

// endpointColumns are the values of endpointColumnNames.
func endpointColumns(e webhook.Endpoint) []any {
	return []any{
		e.URL, joinNames(e.Events), joinNames(e.Filter.Types), joinNames(e.Filter.Statuses), string(e.State), string(e.DisabledBy),
		e.Secret.Reveal(), e.OldSecret.Reveal(), Millis(e.OldSecretUntil),
		e.Place.Cursor.String(), e.Place.Position, e.Place.Dispute, e.Place.Act, e.Batch.First, e.Batch.Last, e.Batch.Dispute, e.Batch.Act, e.Replays, e.Failures, Millis(e.FailingSince),
		e.Last.Status, string(e.Last.Failure), Millis(e.LastAt), Millis(e.LastSuccessAt), Millis(e.DueAt), e.Lease,
	}
}

// EndpointByID implements webhook.Store.
func (s *Store) EndpointByID(ctx context.Context, id int64) (webhook.Endpoint, error) {
	return read(ctx, s, short("endpoint by id"), func(ctx context.Context, on session) (webhook.Endpoint, error) {
		return on.endpoint(ctx, selectEndpoint, id)
	})
}

// endpoint returns the endpoint that the query finds by its ID.
func (s session) endpoint(ctx context.Context, query string, id int64) (webhook.Endpoint, error) {
	found, err := collectOne(ctx, s, squirrel.Expr(query, id), scanEndpoint)
	return found, orContractError(err, webhook.ErrNotFound)
}

// Endpoints implements webhook.Store.
func (s *Store) Endpoints(ctx context.Context, after int64, limit int) (step.Page[webhook.Endpoint], error) {
	return page(ctx, s, "endpoints", limit, s.dialect.Endpoints(after, limit), scanEndpoint)
}

// Endpoints returns the query for a page of endpoints.
func (d Dialect) Endpoints(after int64, limit int) squirrel.SelectBuilder {
	return d.endpoints().Where(squirrel.Gt{"id": after}).OrderBy("id").Limit(rowLimit(limit))
}

func (d Dialect) endpoints() squirrel.SelectBuilder {
	return d.selectFrom("apguard_webhooks", "id", "created_at", endpointColumnNames)
}

// DueEndpoints implements webhook.Store.
func (s *Store) DueEndpoints(ctx context.Context, after webhook.DueCursor, until time.Time, limit int) (step.Page[webhook.Endpoint], error) {
	return page(ctx, s, "due endpoints", limit, s.dialect.DueEndpoints(after, until, limit), scanEndpoint)
}

// DueEndpoints returns the query for a page of endpoints that are due. The state is a part of the
// text, because the index has only rows with that state.
func (d Dialect) DueEndpoints(after webhook.DueCursor, until time.Time, limit int) squirrel.SelectBuilder {
	return d.endpoints().
		Where("state = 'ACTIVE'").
		Where(squirrel.LtOrEq{"due_at": Millis(until)}).
		Where(afterTime("due_at, id", after.At, after.ID)).
		OrderBy("due_at", "id").
		Limit(rowLimit(limit))
}

// UpdateEndpoint implements webhook.Store.
func (s *Store) UpdateEndpoint(ctx context.Context, id int64, update func(old webhook.Endpoint) (webhook.Endpoint, error), entry audit.Entry) (webhook.Endpoint, error) {
	return write(ctx, s, "update endpoint", func(ctx context.Context, on session) (webhook.Endpoint, error) {
		old, err := on.endpoint(ctx, selectEndpoint+on.dialect.Lock, id)
		if err != nil {
			return webhook.Endpoint{}, err
		}
		changed, err := update(old.Stored())
		if err != nil {
			return webhook.Endpoint{}, ContractError{err}
		}
		changed.ID, changed.CreatedAt = id, old.CreatedAt
		changed = changed.Stored()
		if err := on.record(ctx, changed.Entry(entry, old)); err != nil {
			return webhook.Endpoint{}, err
		}
		return changed, on.queue(ctx, updateEndpoint, append(endpointColumns(changed), id)...)
	})
}

// RemoveEndpoint implements webhook.Store.
func (s *Store) RemoveEndpoint(ctx context.Context, id int64, entry audit.Entry) error {
	return s.do(ctx, "remove endpoint", func(ctx context.Context, on session) error {
		if err := on.changeOne(ctx, webhook.ErrNotFound, deleteEndpoint, id); err != nil {
			return err
		}
		return on.record(ctx, entry)
	})
}

func scanEndpoint(row Row) (webhook.Endpoint, error) {
	var (
		e                                                  webhook.Endpoint
		events, types, statuses, secret, oldSecret, cursor string
	)
	err := row.Scan(&e.ID, (*timeColumn)(&e.CreatedAt), &e.URL, &events, &types, &statuses, &e.State, &e.DisabledBy,
		&secret, &oldSecret, (*timeColumn)(&e.OldSecretUntil),
		&cursor, &e.Place.Position, &e.Place.Dispute, &e.Place.Act, &e.Batch.First, &e.Batch.Last, &e.Batch.Dispute, &e.Batch.Act, &e.Replays, &e.Failures, (*timeColumn)(&e.FailingSince),
		&e.Last.Status, &e.Last.Failure, (*timeColumn)(&e.LastAt), (*timeColumn)(&e.LastSuccessAt), (*timeColumn)(&e.DueAt), &e.Lease)
	if err != nil {
		return webhook.Endpoint{}, err
	}
	e.Events = splitNames[webhook.EventType](events)
	e.Filter = webhook.Filter{Types: splitNames[asset.Type](types), Statuses: splitNames[asset.Status](statuses)}
	e.Secret, e.OldSecret = webhook.StoredSecret(secret), webhook.StoredSecret(oldSecret)
	e.Place.Cursor, err = asset.ParseFeedCursor(cursor)
	return e, err
}
