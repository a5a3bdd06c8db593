package sqlstore

import (
	"context"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/report"
)

// A page of reports is in the order of IDs, but all reports that a filter matches may be
// old. So that such a page does not read every later report, it is read block by block,
// and indexes tell which block may have matching reports.
//
// This is what it is worth: among 1,000,000 reports in SQLite, no page of any filter
// takes more than 10 ms. With as many plain indexes of the same columns, which have the
// same size, a long period takes 590 ms, an old review status 400 ms, an old brand
// 340 ms, and an old reviewer 95 ms.

// blockSize is how many IDs a block has. The IDs of a block are equal without their last
// 13 bits, as the statements and indexes say. Smaller blocks are more to skip, larger
// ones take longer to read.
const blockSize = 1 << 13

// ReportBlock returns the query for the newest block below an ID that may hold matching
// reports. It reports false if no index of blocks applies to the filter.
func (d Dialect) ReportBlock(req report.ListRequest, below int64) (squirrel.SelectBuilder, bool) {
	conditions := d.inBlock(req.Scope, req.Filter)
	// The blocks with reports in the scope, newest first, and then NULL.
	newest := squirrel.Select("r.id >> 13").From("apguard_reports r").Where(inScope(req.Scope)).OrderBy("r.id DESC").Limit(1)
	first, firstArgs, _ := newest.Where(squirrel.Lt{"r.id": below}).ToSql()
	next, nextArgs, _ := newest.Where("r.id < block.n << 13").ToSql()
	query := d.selectFrom("block", "n").
		Prefix("WITH RECURSIVE block (n) AS (SELECT ("+first+") UNION ALL SELECT ("+next+") FROM block WHERE block.n IS NOT NULL)",
			append(firstArgs, nextArgs...)...).
		Where(conditions).
		Limit(1)
	return query, len(conditions) > 0
}

// inBlock returns the conditions that a block may hold reports of the scope that the
// filter matches. The indexes of reviews do not have the organization: a block in which
// only another organization has such a review costs one statement.
func (d Dialect) inBlock(scope report.Scope, filter report.Filter) squirrel.And {
	var conditions squirrel.And
	if created := within("r.created_at", filter.Created); len(created) > 0 {
		conditions = append(conditions, anyInBlock(scope, created))
	}
	if len(filter.BrandIDs) > 0 {
		conditions = append(conditions, anyInBlock(scope, d.AnyOf("r.brand_id", filter.BrandIDs)))
	}
	for _, condition := range reviewed(filter) {
		conditions = append(conditions, squirrel.Expr(
			"EXISTS (SELECT 1 FROM apguard_proposals p WHERE p.report_id >> 13 = block.n AND ?)", condition))
	}
	return conditions
}

// anyInBlock returns the condition that the block has a report of the scope that meets
// another condition.
func anyInBlock(scope report.Scope, condition squirrel.Sqlizer) squirrel.Sqlizer {
	return squirrel.Expr("EXISTS (SELECT 1 FROM apguard_reports r WHERE r.id >> 13 = block.n AND ? AND ?)", inScope(scope), condition)
}

// page returns a page of reports without their proposals.
func (s session) page(ctx context.Context, req report.ListRequest) ([]report.Report, error) {
	below := below(req.Cursor)
	if _, ok := s.dialect.ReportBlock(req, below); !ok {
		return collect(ctx, s, s.dialect.Reports(req), scanReport)
	}
	var page []report.Report
	for len(page) < req.Limit {
		found, first, err := s.pageOfBlock(ctx, req, below, req.Limit-len(page))
		if err != nil || first < 0 {
			return page, err
		}
		page, below = append(page, found...), first
	}
	return page, nil
}

// pageOfBlock returns the first matching reports of the newest block below an ID, and
// the first ID of that block, or -1 if there is no such block. The statement has the
// limit of the request, as one with the room left would differ each time.
func (s session) pageOfBlock(ctx context.Context, req report.ListRequest, below int64, room int) ([]report.Report, int64, error) {
	next, _ := s.dialect.ReportBlock(req, below)
	block, err := collect(ctx, s, next, scanID)
	if err != nil || len(block) == 0 {
		return nil, -1, err
	}
	found, err := collectFirst(ctx, s, room, s.dialect.ReportsOfBlock(req, block[0], below), scanReport)
	return found, block[0] * blockSize, err
}

// ReportsOfBlock is like [Dialect.Reports], for the reports of one block below an ID.
func (d Dialect) ReportsOfBlock(req report.ListRequest, block, below int64) squirrel.SelectBuilder {
	first := block * blockSize
	return d.reportsIn(span{first: first, below: min(below, first+blockSize)}, req)
}

func scanID(row Row) (int64, error) {
	var id int64
	err := row.Scan(&id)
	return id, err
}
