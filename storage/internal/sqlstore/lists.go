package sqlstore

import (
	"context"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/step"
)

const (
	// listColumnNames are the columns of a list that change.
	listColumnNames = `format, status, reason, url, every, created_at, begun, synced_at, entries, failed_at, error, failures, next_at,
		etag, last_modified, removing`

	insertList = `INSERT INTO apguard_lists (name, ` + listColumnNames + `)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

	updateList = `UPDATE apguard_lists SET format = ?, status = ?, reason = ?, url = ?, every = ?, created_at = ?, begun = ?,
			synced_at = ?, entries = ?, failed_at = ?, error = ?, failures = ?, next_at = ?, etag = ?, last_modified = ?, removing = ?
		WHERE id = ?`

	countLists = `SELECT count(*) FROM apguard_lists`

	deleteList = `DELETE FROM apguard_lists WHERE id = ?`
)

// Lists implements lists.Store.
func (s *Store) Lists(ctx context.Context) ([]lists.List, error) {
	return list(ctx, s, "lists", s.dialect.lists().OrderBy("name"), scanList)
}

func (d Dialect) lists() squirrel.SelectBuilder {
	return d.selectFrom("apguard_lists", "id", "name", listColumnNames)
}

// PutList implements lists.Store.
func (s *Store) PutList(ctx context.Context, name string, put func(old lists.List, lists int) (lists.List, audit.Entry, error)) (lists.List, error) {
	return write(ctx, s, "put list", func(ctx context.Context, on session) (lists.List, error) {
		// Two calls must not both find no list, or fewer than are allowed.
		if err := on.Serialize(ctx, "lists"); err != nil {
			return lists.List{}, err
		}
		old, err := oldRecord(ctx, on, on.dialect.lists().Where(squirrel.Eq{"name": name}), scanList)
		if err != nil {
			return lists.List{}, err
		}
		var all int
		if err := on.get(ctx, countLists, nil, &all); err != nil {
			return lists.List{}, err
		}
		changed, entry, err := put(old, all)
		if err != nil {
			return lists.List{}, ContractError{err}
		}
		changed.ID, changed.Name = old.ID, name
		return on.putList(ctx, changed, entry)
	})
}

// putList inserts a list without an ID, or updates one that is locked. It returns the list as it is stored.
func (s session) putList(ctx context.Context, l lists.List, entry audit.Entry) (_ lists.List, err error) {
	for _, at := range []*time.Time{&l.CreatedAt, &l.SyncedAt, &l.FailedAt, &l.NextAt} {
		*at = step.TruncateTime(*at)
	}
	if l.ID == 0 {
		l.ID, err = s.insert(ctx, insertList, append([]any{l.Name}, listColumns(l)...)...)
	} else {
		err = s.queue(ctx, updateList, append(listColumns(l), l.ID)...)
	}
	if err != nil {
		return lists.List{}, err
	}
	return l, s.record(ctx, entry.On(l.ID))
}

// listColumns are the values of listColumnNames.
func listColumns(l lists.List) []any {
	return []any{
		string(l.Format), string(l.Status), string(l.Reason), l.URL, l.Every.Milliseconds(), Millis(l.CreatedAt), l.Begun,
		Millis(l.SyncedAt), l.Entries, Millis(l.FailedAt), l.Error, l.Failures, Millis(l.NextAt), l.ETag, l.LastModified, l.Removing,
	}
}

func scanList(row Row) (lists.List, error) {
	var (
		l     lists.List
		every int64
	)
	err := row.Scan(&l.ID, &l.Name, &l.Format, &l.Status, &l.Reason, &l.URL, &every, (*timeColumn)(&l.CreatedAt), &l.Begun,
		(*timeColumn)(&l.SyncedAt), &l.Entries, (*timeColumn)(&l.FailedAt), &l.Error, &l.Failures, (*timeColumn)(&l.NextAt), &l.ETag,
		&l.LastModified, &l.Removing)
	l.Every = time.Duration(every) * time.Millisecond
	return l, err
}

// RemoveList implements lists.Store.
func (s *Store) RemoveList(ctx context.Context, id int64, entry audit.Entry) error {
	return s.do(ctx, "remove list", func(ctx context.Context, on session) error {
		if err := on.changeOne(ctx, lists.ErrNotFound, deleteList, id); err != nil {
			return err
		}
		return on.record(ctx, entry)
	})
}

// ListEntries implements lists.Store.
func (s *Store) ListEntries(ctx context.Context, listID, after int64, limit int) (step.Page[lists.HeldEntry], error) {
	return page(ctx, s, "entries of a list", limit, s.dialect.ListEntries(listID, after, limit), scanHeldEntry)
}

// ListEntries returns the query for a page of the entries of a list. The first condition is a part of the
// text, because the index has only rows that meet it.
func (d Dialect) ListEntries(listID, after int64, limit int) squirrel.SelectBuilder {
	ids := IDRange{Columns: []string{"d.source"}, Values: []any{listID}, ID: "d.asset_id", First: min(after, asset.MaxID) + 1, Below: asset.MaxID + 1}
	return d.selectFrom("apguard_decisions d", assetColumnNames, "d.source", "d.status", "d.reason", "d.since", "d.expires_at").
		JoinClause(d.JoinRow("apguard_assets", "a", "d.asset_id")).
		Where("d.source > 0").
		Where(d.InRange(ids)).
		OrderBy("d.source", "d.asset_id").
		Limit(rowLimit(limit))
}

func scanHeldEntry(row Row) (lists.HeldEntry, error) {
	var e lists.HeldEntry
	err := row.Scan(&e.ID, scanType(&e.Type), &e.Canonical, ScanStatus(&e.Status),
		&e.Decision.ListID, ScanStatus(&e.Decision.Status), scanReason(&e.Decision.Reason), (*timeColumn)(&e.Decision.Since),
		(*timeColumn)(&e.Decision.ExpiresAt))
	return e, err
}

// DecideEntries implements lists.Store.
func (s *Store) DecideEntries(ctx context.Context, cmd lists.DecideCommand) ([]asset.Asset, error) {
	return write(ctx, s, "decide entries of a list", func(ctx context.Context, on session) ([]asset.Asset, error) {
		if err := on.checkList(ctx, cmd.ListID, cmd.Check); err != nil {
			return nil, err
		}
		return on.decideEntries(ctx, cmd)
	})
}

func (s session) decideEntries(ctx context.Context, cmd lists.DecideCommand) ([]asset.Asset, error) {
	assets := make([]Locked, len(cmd.Entries))
	for i, entry := range cmd.Entries {
		assets[i] = toRegister(entry.Identity, cmd.At, func(held asset.Held) asset.Held {
			held, _ = cmd.Apply(i, held)
			return held
		})
	}
	if err := s.registerAll(ctx, assets, heldFor{at: cmd.At}); err != nil {
		return nil, err
	}
	var rows []Decision
	settled := make([]*Locked, len(assets))
	for i := range assets {
		one := &assets[i]
		held, stores := cmd.Apply(i, one.Held)
		if stores {
			rows = append(rows, listRows(held, cmd.ListID)...)
		}
		one.Held, settled[i] = held, one
	}
	if err := s.putRows(ctx, rows); err != nil {
		return nil, err
	}
	if err := s.settleAll(ctx, settled, cmd.At, cmd.Origin); err != nil {
		return nil, err
	}
	after := make([]asset.Asset, len(assets))
	for i, one := range assets {
		after[i] = one.Asset
	}
	return after, nil
}

// WithdrawEntries implements lists.Store.
func (s *Store) WithdrawEntries(ctx context.Context, cmd lists.WithdrawCommand) error {
	return s.do(ctx, "withdraw entries of a list", func(ctx context.Context, on session) error {
		if err := on.checkList(ctx, cmd.ListID, cmd.Check); err != nil {
			return err
		}
		return on.withdrawEntries(ctx, cmd)
	})
}

func (s session) withdrawEntries(ctx context.Context, cmd lists.WithdrawCommand) error {
	assets, err := s.lockAll(ctx, cmd.AssetIDs, heldFor{at: cmd.At})
	if err != nil {
		return err
	}
	var withdrawn []int64
	for _, one := range assets {
		held, removes := cmd.Apply(one.Held)
		if removes {
			withdrawn = append(withdrawn, one.ID)
		}
		one.Held = held
	}
	if len(withdrawn) > 0 {
		of := squirrel.And{squirrel.Eq{"source": cmd.ListID}, s.dialect.AnyOf("asset_id", withdrawn)}
		if err := s.deleteWhere(ctx, "apguard_decisions", of); err != nil {
			return err
		}
	}
	return s.settleAll(ctx, assets, cmd.At, cmd.Origin)
}

// checkList returns the error of the function for the list with the ID, which may be the zero value. The
// list stays as it is until the end of the transaction.
func (s session) checkList(ctx context.Context, id int64, check func(lists.List) error) error {
	found, err := oldRecord(ctx, s, s.dialect.lists().Where(squirrel.Eq{"id": id}), scanList)
	if err != nil {
		return err
	}
	if err := check(found); err != nil {
		return ContractError{err}
	}
	return nil
}
