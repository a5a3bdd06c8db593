package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/report"
)

// Pools returns the connections of a store.
func Pools(s *Store) (writer, reader *sql.DB) { return s.engine.writer.db, s.engine.reader }

// MaxSharedSteps is how many steps may share one commit.
const MaxSharedSteps = maxSharedSteps

// Waiting returns how many steps of a store wait for a transaction.
func Waiting(s *Store) int {
	q := &s.engine.writer.queue
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.waiting)
}

// CheckpointPages makes a store that has not written yet move its pages when there
// are so many, and lowers the other limits likewise. It returns how many pages the
// write-ahead file may have.
func CheckpointPages(s *Store, pages int64) (atMost int64) {
	c := s.engine.checkpoints
	c.countRows = c.countRows * pages / c.pages
	c.fewPages = c.fewPages * pages / c.pages
	c.tooManyPages = c.tooManyPages * pages / c.pages
	c.pages = pages
	return c.tooManyPages
}

// WaitForReaders makes the writer of a store wait longer for readers to go on, when
// the write-ahead file is to be begun anew.
func WaitForReaders(s *Store, atMost time.Duration) error {
	_, err := s.engine.checkpoints.db.ExecContext(context.Background(), fmt.Sprintf("PRAGMA busy_timeout = %d", atMost.Milliseconds()))
	return err
}

// WrittenAhead returns how many pages of a store are in the part of its
// write-ahead file that is in use.
func WrittenAhead(s *Store) (int64, error) {
	written, _, err := s.engine.checkpoints.count()
	return written, err
}

// Statement is a query as a store sends it.
type Statement struct {
	SQL  string
	Args []any
}

// ChangesStatement returns how the store asks for a page of changes.
func ChangesStatement(filter asset.ChangeFilter, after asset.ChangeCursor) (Statement, error) {
	sql, args, err := dialect().Changes(filter, after, asset.MaxLimit).ToSql()
	return Statement{sql, args}, err
}

// FeedStatement returns how the store asks for a page of the feed.
func FeedStatement(position int64) (Statement, error) {
	sql, args, err := dialect().Since(position, asset.MaxLimit).ToSql()
	return Statement{sql, args}, err
}

// FeedStateStatement returns how the store asks for the state of the feed.
func FeedStateStatement() Statement { return Statement{SQL: dialect().Feed.State} }

// StatusesAtStatement returns how the store asks for the statuses of assets at a
// moment.
func StatusesAtStatement(assetIDs []int64, at time.Time) (Statement, error) {
	sql, args, err := dialect().StatusesAt(assetIDs, at).ToSql()
	return Statement{sql, args}, err
}

// OldChangesStatement returns how the store asks for the changes that a step of
// pruning looks at.
func OldChangesStatement(step asset.PruneCommand) (Statement, error) {
	sql, args, err := dialect().OldChanges(step).ToSql()
	return Statement{sql, args}, err
}

// ReportsStatement returns how the store asks for a page of reports.
func ReportsStatement(req report.ListRequest) (Statement, error) {
	sql, args, err := dialect().Reports(req).ToSql()
	return Statement{sql, args}, err
}

// ProposalsStatement returns how the store asks for the proposals of reports.
func ProposalsStatement(reportIDs []int64) (Statement, error) {
	sql, args, err := dialect().Proposals(reportIDs).ToSql()
	return Statement{sql, args}, err
}

// DisputesStatement returns how the store asks for a page of disputes.
func DisputesStatement(req dispute.ListRequest) (Statement, error) {
	sql, args, err := dialect().Disputes(req).ToSql()
	return Statement{sql, args}, err
}

// AccountStatements returns how the store asks for the keys of an organization, for
// an organization by its slug, and for a page of organizations.
func AccountStatements() (keys, bySlug, page Statement, err error) {
	for _, one := range []struct {
		query squirrel.SelectBuilder
		into  *Statement
	}{
		{dialect().Keys(7), &keys},
		{dialect().OrganizationBySlug("slug-7"), &bySlug},
		{dialect().Organizations(7, 100), &page},
	} {
		if one.into.SQL, one.into.Args, err = one.query.ToSql(); err != nil {
			return keys, bySlug, page, err
		}
	}
	return keys, bySlug, page, nil
}

// ReviewStatements returns how the store asks for the effective review of a proposal,
// for a page of its reviews, and for the last change of an asset.
func ReviewStatements() (effective, page, lastChange Statement, err error) {
	for _, one := range []struct {
		query squirrel.SelectBuilder
		into  *Statement
	}{
		{dialect().EffectiveReview(7), &effective},
		{dialect().Reviews(7, 100, 100), &page},
		{dialect().LastChange(7), &lastChange},
	} {
		if one.into.SQL, one.into.Args, err = one.query.ToSql(); err != nil {
			return effective, page, lastChange, err
		}
	}
	return effective, page, lastChange, nil
}

// Plan returns the steps in which SQLite answers the query.
func (s Statement) Plan(ctx context.Context, db *sql.DB) ([]string, error) {
	rows, err := db.QueryContext(ctx, "EXPLAIN QUERY PLAN "+s.SQL, s.Args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // rows.Err says what went wrong
	var steps []string
	for rows.Next() {
		var (
			id, parent, unused int
			step               string
		)
		if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
			return nil, err
		}
		steps = append(steps, step)
	}
	return steps, rows.Err()
}

// AllowingStatement returns how the store asks for the organizations that allow an asset.
func AllowingStatement() (Statement, error) {
	sql, args, err := dialect().AllowingOrganizations(7, 0, 100).ToSql()
	return Statement{sql, args}, err
}
