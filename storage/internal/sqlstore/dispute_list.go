package sqlstore

import (
	"context"
	"slices"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/step"
)

// Disputes implements dispute.QueueStore.
func (s *Store) Disputes(ctx context.Context, req dispute.ListRequest) (step.Page[dispute.Dispute], error) {
	return read(ctx, s, listing("disputes"), func(ctx context.Context, on session) (step.Page[dispute.Dispute], error) {
		page, err := readPage(ctx, on, req.Limit, s.dialect.Disputes(req), scanListedDispute)
		if selectsOne(req.Filter) {
			key := account.EmailKey(req.Filter.Email)
			page.Items = slices.DeleteFunc(page.Items, func(d dispute.Dispute) bool { return !req.Match(d, req.Filter.Identity, key) })
		}
		return page, err
	})
}

// selectsOne reports whether the filter selects at most one dispute: an address can
// dispute an asset once.
func selectsOne(filter dispute.Filter) bool {
	return filter.Identity != (asset.Identity{}) && account.EmailKey(filter.Email) != ""
}

// Disputes returns the query for a page of disputes, whose rows scanListedDispute reads. If
// the filter selects at most one dispute, the query ignores the rest of the request.
//
// The indexes are ordered within each state, so the query merges a page of each state. With
// an index over all states, a database would scan many disputes in other states, because
// states correlate with time. The query is one statement: with several, a concurrent
// transition could hide a dispute from all of them.
func (d Dialect) Disputes(req dispute.ListRequest) squirrel.SelectBuilder {
	if selectsOne(req.Filter) {
		return d.selectFrom("apguard_disputes", listedDisputeColumnNames).
			Where(disputesOf(req.Filter)).
			Limit(rowLimit(req.Limit))
	}
	states := req.Filter.States
	if len(states) == 0 {
		states = dispute.States()
	}
	var parts squirrel.SelectBuilder
	for i, state := range names(states) {
		// SQLite allows an order and a limit within a union only in a subquery.
		part := squirrel.Select(listedDisputeColumnNames).FromSelect(disputesIn(state, req), "part")
		if i == 0 {
			parts = part
		} else {
			parts = parts.SuffixExpr(squirrel.Expr("UNION ALL ?", part))
		}
	}
	all := squirrel.Select(listedDisputeColumnNames).FromSelect(parts, "parts")
	return inOrder(req, all).PlaceholderFormat(d.Placeholders)
}

// disputesIn is like Disputes, for one state.
func disputesIn(state string, req dispute.ListRequest) squirrel.SelectBuilder {
	of, column := disputesOf(req.Filter), "state"
	if len(of) == 0 {
		// The index of all disputes is on this expression, so that the planner does
		// not choose it for one address that has most of the disputes.
		column = "state || ''"
	}
	query := squirrel.Select(listedDisputeColumnNames).
		From("apguard_disputes").
		Where(of).
		Where(squirrel.Eq{column: state}).
		Where(within("created_at", req.Filter.Created))
	if req.Cursor != (dispute.Cursor{}) {
		query = query.Where(afterDispute(req))
	}
	return inOrder(req, query)
}

// disputesOf returns the conditions on the asset, the assignee and the address of disputes.
func disputesOf(filter dispute.Filter) squirrel.And {
	var conditions squirrel.And
	if filter.Identity != (asset.Identity{}) {
		conditions = append(conditions, ofAsset("asset_id", filter.Identity))
	}
	if filter.Assignee != 0 {
		// The index has no disputes without an assignee, and the second condition says so.
		conditions = append(conditions, squirrel.Eq{"assignee": filter.Assignee}, squirrel.Expr("assignee <> 0"))
	}
	if key := account.EmailKey(filter.Email); key != "" {
		conditions = append(conditions, squirrel.Eq{"email_key": key})
	}
	return conditions
}

// inOrder returns the query with the order and the limit of req.
func inOrder(req dispute.ListRequest, query squirrel.SelectBuilder) squirrel.SelectBuilder {
	query = query.Limit(rowLimit(req.Limit))
	if req.OldestFirst {
		return query.OrderBy("created_at", "id")
	}
	return query.OrderBy("created_at DESC", "id DESC")
}

// afterDispute returns the condition that a dispute comes after the cursor. Disputes have
// whole milliseconds, a cursor may have a fraction.
func afterDispute(req dispute.ListRequest) squirrel.Sqlizer {
	at, id := Millis(req.Cursor.At), req.Cursor.ID
	whole := step.TruncateTime(req.Cursor.At).Equal(req.Cursor.At)
	switch {
	case req.OldestFirst && whole:
		return squirrel.Expr("(created_at, id) > (?, ?)", at, id)
	case req.OldestFirst:
		return squirrel.Expr("created_at > ?", at)
	case whole:
		return squirrel.Expr("(created_at, id) < (?, ?)", at, id)
	default:
		return squirrel.Expr("created_at < ?", ceilMillis(req.Cursor.At))
	}
}
