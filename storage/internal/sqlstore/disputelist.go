package sqlstore

import (
	"context"
	"slices"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
)

// Disputes implements dispute.Store.
func (s *Store) Disputes(ctx context.Context, listing dispute.Listing) ([]dispute.Dispute, error) {
	return read(ctx, s, "disputes", func(ctx context.Context, on session) ([]dispute.Dispute, error) {
		page, err := collectBuilt(ctx, on, s.dialect.Disputes(listing), scanListedDispute)
		if identity, key := listing.Filter.Identity, dispute.EmailKey(listing.Filter.Email); namesOne(listing.Filter) {
			page = slices.DeleteFunc(page, func(d dispute.Dispute) bool { return !listing.Match(d, identity, key) })
		}
		return page, err
	})
}

// namesOne reports whether the filter chooses one dispute at most, as an address can
// dispute an asset once.
func namesOne(filter dispute.Filter) bool {
	return filter.Identity != (asset.Identity{}) && dispute.EmailKey(filter.Email) != ""
}

// Disputes returns the query for a page of disputes, as dispute.Store has it. Where
// the filter names one dispute, it finds that one, whatever else is asked of it.
// scanListedDispute reads the rows.
//
// The indexes are in order within a state alone, so the page is made of a page of
// each state. An index over all states would be in order too, but states go with
// time: a database that counts on finding one anywhere reads through all the others.
// It is one statement, as a dispute that is moved between two could be in none.
func (d Dialect) Disputes(listing dispute.Listing) squirrel.SelectBuilder {
	if namesOne(listing.Filter) {
		return d.selectFrom("apguard_disputes", listedDisputeColumnNames).
			Where(disputesOf(listing.Filter)).
			Limit(uint64(max(listing.Limit, 0)))
	}
	states := listing.Filter.States
	if len(states) == 0 {
		states = dispute.States()
	}
	var parts squirrel.SelectBuilder
	for i, state := range names(states) {
		// SQLite takes an order and a limit within a union only so.
		part := squirrel.Select(listedDisputeColumnNames).FromSelect(disputesIn(state, listing), "part")
		if i == 0 {
			parts = part
		} else {
			parts = parts.SuffixExpr(squirrel.Expr("UNION ALL ?", part))
		}
	}
	all := squirrel.Select(listedDisputeColumnNames).FromSelect(parts, "parts")
	return inOrder(listing, all).PlaceholderFormat(d.Placeholders)
}

// disputesIn is like Disputes, for one state.
func disputesIn(state string, listing dispute.Listing) squirrel.SelectBuilder {
	of, column := disputesOf(listing.Filter), "state"
	if len(of) == 0 {
		// The index of all disputes is on this expression, and those by asset and by
		// address are on the state itself. Where most disputes are of one address, it
		// would look as good as they, and is read through those of all others.
		column = "state || ''"
	}
	query := squirrel.Select(listedDisputeColumnNames).
		From("apguard_disputes").
		Where(of).
		Where(squirrel.Eq{column: state}).
		Where(within("created_at", listing.Filter.Created))
	if listing.Cursor != (dispute.Cursor{}) {
		query = query.Where(afterDispute(listing))
	}
	return inOrder(listing, query)
}

// disputesOf returns the conditions on the asset and the address of disputes.
func disputesOf(filter dispute.Filter) squirrel.And {
	var conditions squirrel.And
	if filter.Identity != (asset.Identity{}) {
		// One value, and not a join, lets PostgreSQL see that its index is in order.
		conditions = append(conditions, squirrel.Expr(
			"asset_id = (SELECT i.id FROM apguard_assets i WHERE i.type = ? AND i.canonical_hash = ?)",
			string(filter.Identity.Type), Hash(filter.Identity.Canonical)))
	}
	if key := dispute.EmailKey(filter.Email); key != "" {
		conditions = append(conditions, squirrel.Eq{"email_key": key})
	}
	return conditions
}

// inOrder returns the query with the order and the limit of the listing.
func inOrder(listing dispute.Listing, query squirrel.SelectBuilder) squirrel.SelectBuilder {
	query = query.Limit(uint64(max(listing.Limit, 0)))
	if listing.OldestFirst {
		return query.OrderBy("created_at", "id")
	}
	return query.OrderBy("created_at DESC", "id DESC")
}

// afterDispute returns the condition that a dispute is still to come. A cursor
// within a millisecond stands behind all disputes of that millisecond that are
// older than it.
func afterDispute(listing dispute.Listing) squirrel.Sqlizer {
	place := listing.Cursor
	at, id, whole := Millis(place.At), place.ID, asset.TruncateTime(place.At).Equal(place.At)
	switch {
	case listing.OldestFirst && whole:
		return squirrel.Expr("(created_at, id) > (?, ?)", at, id)
	case listing.OldestFirst:
		return squirrel.Expr("created_at > ?", at)
	case whole:
		return squirrel.Expr("(created_at, id) < (?, ?)", at, id)
	default:
		return squirrel.Expr("created_at < ?", ceilMillis(place.At))
	}
}
