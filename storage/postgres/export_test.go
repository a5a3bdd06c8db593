package postgres

import (
	"context"
	"time"

	"github.com/Masterminds/squirrel"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage/internal/sqlstore"
)

// Pool returns the connections of a store.
func Pool(s *Store) *pgxpool.Pool { return s.engine.pool }

// Read runs a step that reads.
func Read(ctx context.Context, s *Store, step sqlstore.Step) error {
	return s.engine.Read(ctx, "test", step)
}

// Write runs a step that writes.
func Write(ctx context.Context, s *Store, step sqlstore.Step) error {
	return s.engine.Write(ctx, "test", step)
}

// SetCommitTimeout sets how long the server may take to answer a commit.
func SetCommitTimeout(s *Store, timeout time.Duration) { s.engine.commitTimeout = timeout }

// IsRefusal says what an error of a commit means.
func IsRefusal(err error) bool { return isRefusal(err) }

// Statement is a query as a store sends it.
type Statement struct {
	SQL  string
	Args []any
}

// ChangesStatement returns how the store asks for a page of changes.
func ChangesStatement(filter asset.ChangeFilter, after asset.ChangeCursor, limit int) (Statement, error) {
	sql, args, err := dialect().Changes(filter, after, limit).ToSql()
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

// AssignPositionsStatement returns the statement that assigns positions in the feed.
func AssignPositionsStatement(last int64, most int) Statement {
	return Statement{SQL: assignPositions, Args: []any{last, most}}
}

// ReportsStatements returns how the store asks for a page of reports below the cursor:
// at once, or for the next block and then for the page's reports in it.
func ReportsStatements(req report.ListRequest) ([]Statement, error) {
	queries := []squirrel.SelectBuilder{dialect().Reports(req)}
	if block, ok := dialect().ReportBlock(req, req.Cursor); ok {
		queries = []squirrel.SelectBuilder{
			block,
			dialect().ReportsOfBlock(req, 1, req.Cursor),
		}
	}
	var statements []Statement
	for _, query := range queries {
		sql, args, err := query.ToSql()
		if err != nil {
			return nil, err
		}
		statements = append(statements, Statement{sql, args})
	}
	return statements, nil
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

// AllowingStatement returns how the store asks for the organizations that allow an asset.
func AllowingStatement() (Statement, error) {
	sql, args, err := dialect().AllowingOrganizations(7, 0, 100).ToSql()
	return Statement{sql, args}, err
}

// ReviewStatements returns how the store asks for the effective review of a proposal,
// for a page of its reviews, and for the last change of an asset.
func ReviewStatements() (effective, page, lastChange Statement, err error) {
	for _, one := range []struct {
		query squirrel.SelectBuilder
		into  *Statement
	}{
		{dialect().EffectiveReviews(7), &effective},
		{dialect().Reviews(7, 100, 100), &page},
		{dialect().LastChange(7), &lastChange},
	} {
		if one.into.SQL, one.into.Args, err = one.query.ToSql(); err != nil {
			return effective, page, lastChange, err
		}
	}
	return effective, page, lastChange, nil
}
