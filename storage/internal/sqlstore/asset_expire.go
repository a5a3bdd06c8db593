package sqlstore

import (
	"context"
	"slices"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/step"
)

// ExpireDecisions implements asset.Store.
func (s *Store) ExpireDecisions(ctx context.Context, cmd asset.ExpireCommand) (int, error) {
	return write(ctx, s, "expire decisions", func(ctx context.Context, on session) (int, error) {
		ids, err := collect(ctx, on, s.dialect.EndedDecisions(cmd), scanID)
		if err != nil {
			return 0, err
		}
		slices.Sort(ids)
		assets, err := on.lockAll(ctx, slices.Compact(ids), heldFor{at: cmd.At})
		if err != nil {
			return 0, err
		}
		return on.expireDecisions(ctx, cmd, assets)
	})
}

// expireDecisions removes the decisions on the assets that have ended. One may have got another end before its
// asset was locked.
func (s session) expireDecisions(ctx context.Context, cmd asset.ExpireCommand, assets []*Locked) (int, error) {
	var (
		removed int
		changed []*Locked
		ids     []int64
	)
	for _, one := range assets {
		held, n := one.Expire(cmd.At)
		if n > 0 {
			one.Held, removed = held, removed+n
			changed, ids = append(changed, one), append(ids, one.ID)
		}
	}
	if removed == 0 {
		return 0, nil
	}
	if err := s.replaceHeld(ctx, ids, changed...); err != nil {
		return 0, err
	}
	return removed, s.settleAll(ctx, changed, cmd.At, cmd.Origin())
}

// EndedDecisions returns the query for the assets of the decisions that a step of expiry looks for. The condition
// on the source is a part of the text, because the index has only rows that meet it.
func (d Dialect) EndedDecisions(cmd asset.ExpireCommand) squirrel.SelectBuilder {
	return d.selectFrom("apguard_decisions", "asset_id").
		Where("source >= 0").
		Where(ended("", cmd.At)).
		OrderBy("expires_at", "asset_id").
		Limit(uint64(max(cmd.Limit, 0)))
}

// DueDecisions implements asset.Store.
func (s *Store) DueDecisions(ctx context.Context, req asset.DueRequest) (step.Page[asset.Due], error) {
	return page(ctx, s, "due decisions", req.Limit, s.dialect.DueDecisions(req), scanDue)
}

// DueDecisions returns the query for a page of the decisions that are due for review. The condition on the source
// is as in EndedDecisions.
func (d Dialect) DueDecisions(req asset.DueRequest) squirrel.SelectBuilder {
	return d.selectFrom("apguard_decisions d", assetColumnNames, "d.status", "d.reason", "d.note", "d.since", "d.expires_at", "d.review_at",
		"d.cause", "d.actor", "d.reference").
		JoinClause(d.JoinRow("apguard_assets", "a", "d.asset_id")).
		Where("d.source = 0").
		Where(squirrel.LtOrEq{"d.review_at": Millis(req.Before)}).
		Where(afterTime("d.review_at, d.asset_id", req.Cursor.At, req.Cursor.ID)).
		OrderBy("d.review_at", "d.asset_id").
		Limit(rowLimit(req.Limit))
}

func scanDue(row Row) (asset.Due, error) {
	var (
		due asset.Due
		d   = &due.Decision
	)
	err := row.Scan(&due.ID, scanType(&due.Type), &due.Canonical, ScanStatus(&due.Status), ScanStatus(&d.Status), scanReason(&d.Reason),
		&d.Note, (*timeColumn)(&d.Since), (*timeColumn)(&d.ExpiresAt), (*timeColumn)(&d.ReviewAt),
		scanCause(&d.Origin.Cause), &d.Origin.Actor, &d.Origin.Reference)
	return due, err
}
