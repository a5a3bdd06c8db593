package sqlstore

import (
	"context"
	"encoding/json"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/pending"
	"github.com/apguard/apguard/step"
)

const (
	actColumnNames = `digest, plan, actor, created_at, expires_at, state, decided_by, decided_at, comment`

	insertAct = `INSERT INTO apguard_pending (` + actColumnNames + `) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`

	updateAct = `UPDATE apguard_pending SET state = ?, decided_by = ?, decided_at = ?, comment = ? WHERE id = ?`

	lastAct = `SELECT coalesce(max(id), 0) FROM apguard_pending`
)

// AddAct implements pending.Store.
func (s *Store) AddAct(ctx context.Context, cmd pending.AddCommand) (pending.Act, error) {
	return writeOnce(ctx, s, "add pending act", cmd.Claim, cmd.Record, func(ctx context.Context, on session) (pending.Act, error) {
		// Two calls must not both find no act, and IDs must be committed in their order.
		if err := on.Serialize(ctx, "pending"); err != nil {
			return pending.Act{}, err
		}
		if cmd.Refused != nil {
			return pending.Act{}, ContractError{cmd.Refused}
		}
		same, err := collect(ctx, on, on.dialect.ActsLike(cmd.Act), scanAct)
		if err != nil {
			return pending.Act{}, err
		}
		for _, stored := range same {
			if cmd.Repeats(stored) {
				return stored, nil
			}
		}
		act := cmd.Act.Stored()
		plan, err := json.Marshal(act.Plan)
		if err != nil {
			return pending.Act{}, err
		}
		act.ID, err = on.insert(ctx, insertAct, act.Digest(), string(plan), act.Actor, Millis(act.CreatedAt), Millis(act.ExpiresAt),
			string(act.State), act.DecidedBy, Millis(act.DecidedAt), act.Comment)
		if err != nil {
			return pending.Act{}, err
		}
		return act, on.record(ctx, cmd.Audit.On(act.ID))
	})
}

// ActsLike returns the query for the acts with the plan of another one.
func (d Dialect) ActsLike(act pending.Act) squirrel.SelectBuilder {
	return d.acts().Where(squirrel.Eq{"digest": act.Digest()}).OrderBy("id")
}

func (d Dialect) acts() squirrel.SelectBuilder {
	return d.selectFrom("apguard_pending", "id", actColumnNames)
}

// ActByID implements pending.Store.
func (s *Store) ActByID(ctx context.Context, id int64) (pending.Act, error) {
	return read(ctx, s, short("pending act by id"), func(ctx context.Context, on session) (pending.Act, error) {
		act, err := collectOne(ctx, on, s.dialect.acts().Where(squirrel.Eq{"id": id}), scanAct)
		return act, orContractError(err, pending.ErrNotFound)
	})
}

// Acts implements pending.Store.
func (s *Store) Acts(ctx context.Context, req pending.ListRequest, now time.Time) (step.Page[pending.Act], error) {
	return page(ctx, s, "pending acts", req.Limit, s.dialect.Acts(req, now), scanAct)
}

// Acts returns the query for a page of acts.
func (d Dialect) Acts(req pending.ListRequest, now time.Time) squirrel.SelectBuilder {
	query := d.acts().Where(squirrel.Gt{"id": req.After}).OrderBy("id").Limit(rowLimit(req.Limit))
	switch req.State {
	case pending.StatePending:
		query = query.Where(squirrel.Gt{"expires_at": Millis(now)})
	case pending.StateExpired:
		req.State = pending.StatePending
		query = query.Where(squirrel.LtOrEq{"expires_at": Millis(now)})
	case pending.StateApproved, pending.StateRejected:
	default:
		return query
	}
	return query.Where(squirrel.Eq{"state": string(req.State)})
}

// LastAct implements pending.Store.
func (s *Store) LastAct(ctx context.Context) (int64, error) {
	return read(ctx, s, short("last pending act"), func(ctx context.Context, on session) (last int64, err error) {
		err = on.get(ctx, lastAct, nil, &last)
		return last, err
	})
}

// DecideAct implements pending.Store.
func (s *Store) DecideAct(ctx context.Context, cmd pending.DecideCommand) (pending.Act, error) {
	return writeOnce(ctx, s, "decide pending act", cmd.Claim, cmd.Record, func(ctx context.Context, on session) (pending.Act, error) {
		old, err := oldRecord(ctx, on, on.dialect.acts().Where(squirrel.Eq{"id": cmd.ID}), scanAct)
		if err == nil && old.ID == 0 {
			err = ContractError{pending.ErrNotFound}
		}
		if err != nil {
			return pending.Act{}, err
		}
		act, err := cmd.Apply(old)
		if err != nil {
			return pending.Act{}, ContractError{err}
		}
		// It is executed first: what it refuses is then refused before anything is stored, also in a transaction of the host.
		if err := on.executeAct(ctx, cmd); err != nil {
			return pending.Act{}, err
		}
		act = act.Stored()
		if err := on.queue(ctx, updateAct, string(act.State), act.DecidedBy, Millis(act.DecidedAt), act.Comment, act.ID); err != nil {
			return pending.Act{}, err
		}
		return act, on.record(ctx, cmd.Audit)
	})
}

// executeAct executes what the command does beside the decision.
func (s session) executeAct(ctx context.Context, cmd pending.DecideCommand) (err error) {
	if cmd.Sync != nil {
		return s.checkList(ctx, cmd.Sync.ListID, cmd.Sync.Check)
	}
	if cmd.Statuses == nil {
		return nil
	}
	if cmd.Review == nil {
		_, err = s.setStatuses(ctx, *cmd.Statuses)
		return err
	}
	if err := s.checkStatuses(ctx, *cmd.Statuses); err != nil {
		return err
	}
	_, err = s.addReviews(ctx, *cmd.Review)
	return err
}

func scanAct(row Row) (pending.Act, error) {
	var (
		a            pending.Act
		digest, plan string
	)
	err := row.Scan(&a.ID, &digest, &plan, &a.Actor, (*timeColumn)(&a.CreatedAt), (*timeColumn)(&a.ExpiresAt), (*string)(&a.State),
		&a.DecidedBy, (*timeColumn)(&a.DecidedAt), &a.Comment)
	if err == nil {
		err = json.Unmarshal([]byte(plan), &a.Plan)
	}
	return a, err
}
