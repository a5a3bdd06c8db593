package memory

import (
	"cmp"
	"context"
	"time"

	"github.com/apguard/apguard/pending"
	"github.com/apguard/apguard/step"
)

// AddAct implements [pending.Store].
func (s *Store) AddAct(ctx context.Context, cmd pending.AddCommand) (pending.Act, error) {
	return writeOnce(ctx, s, cmd.Claim, cmd.Record, func(t *tables) (pending.Act, error) {
		if cmd.Refused != nil {
			return pending.Act{}, cmd.Refused
		}
		for _, stored := range t.acts {
			if cmd.Repeats(stored) {
				return stored.Stored(), nil
			}
		}
		act := cmd.Act.Stored()
		act.ID = int64(len(t.acts)) + 1
		t.acts = append(t.acts, act)
		t.record(cmd.Audit.On(act.ID))
		return act.Stored(), nil
	})
}

// ActByID implements [pending.Store].
func (s *Store) ActByID(ctx context.Context, id int64) (pending.Act, error) {
	return read(ctx, s, func(t *tables) (pending.Act, error) { return t.act(id) })
}

// act returns a copy of the act, or ErrNotFound.
func (t *tables) act(id int64) (pending.Act, error) {
	if id < 1 || id > int64(len(t.acts)) {
		return pending.Act{}, pending.ErrNotFound
	}
	return t.acts[id-1].Stored(), nil
}

// Acts implements [pending.Store].
func (s *Store) Acts(ctx context.Context, req pending.ListRequest, now time.Time) (step.Page[pending.Act], error) {
	return read(ctx, s, func(t *tables) (step.Page[pending.Act], error) {
		return step.ReadPage(req.Limit, func(yield func(pending.Act, error) bool) {
			for _, act := range t.acts[min(req.After, int64(len(t.acts))):] {
				if req.Selects(act, now) && !yield(act.Stored(), nil) {
					return
				}
			}
		})
	})
}

// LastAct implements [pending.Store].
func (s *Store) LastAct(ctx context.Context) (int64, error) {
	return read(ctx, s, func(t *tables) (int64, error) { return int64(len(t.acts)), nil })
}

// DecideAct implements [pending.Store].
func (s *Store) DecideAct(ctx context.Context, cmd pending.DecideCommand) (pending.Act, error) {
	return writeOnce(ctx, s, cmd.Claim, cmd.Record, func(t *tables) (pending.Act, error) {
		old, err := t.act(cmd.ID)
		if err != nil {
			return pending.Act{}, err
		}
		act, err := cmd.Apply(old)
		if err := cmp.Or(err, ctx.Err()); err != nil {
			return pending.Act{}, err
		}
		if err := t.executeAct(cmd); err != nil {
			return pending.Act{}, err
		}
		t.acts[cmd.ID-1] = act.Stored()
		t.record(cmd.Audit)
		return act.Stored(), nil
	})
}

// executeAct executes what the command does beside the decision. If it fails, nothing is changed.
func (t *tables) executeAct(cmd pending.DecideCommand) (err error) {
	if cmd.Sync != nil {
		return cmd.Sync.Check(t.listByID(cmd.Sync.ListID).list)
	}
	if cmd.Statuses == nil {
		return nil
	}
	if cmd.Review == nil {
		_, err = t.setStatuses(*cmd.Statuses)
		return err
	}
	if err := t.checkStatuses(*cmd.Statuses); err != nil {
		return err
	}
	_, err = t.addReviews(*cmd.Review)
	return err
}
