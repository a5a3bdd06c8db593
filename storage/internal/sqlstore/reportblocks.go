package sqlstore

import (
	"context"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
)

// Reports are listed in the order of their identifiers, and those that a filter
// matches may all be far back, such as those of an old period. So that a page need
// not pass all that came later, it is read block by block, and indexes tell which
// block comes next.

// blockSize is how many identifiers a block has: those that are the same without
// their last 13 bits, as the statements and the indexes have it. Smaller blocks
// would be more to pass, larger ones longer to read.
const blockSize = 1 << 13

// blocks are the blocks with reports of an organization below an identifier, the
// newest first, and NULL in the end.
const blocks = `WITH RECURSIVE block (n) AS (
	SELECT (SELECT r.id >> 13 FROM apguard_reports r
		WHERE r.organization_id = ? AND r.id < ? ORDER BY r.id DESC LIMIT 1)
	UNION ALL
	SELECT (SELECT r.id >> 13 FROM apguard_reports r
		WHERE r.organization_id = ? AND r.id < block.n << 13 ORDER BY r.id DESC LIMIT 1)
	FROM block WHERE block.n IS NOT NULL)`

// ReportBlock returns the query for the newest block that may hold reports of the
// organization that the filter matches, of those below an identifier. It reports
// false when no index tells.
func (d Dialect) ReportBlock(organizationID int64, filter report.Filter, below int64) (squirrel.SelectBuilder, bool) {
	conditions := d.inBlock(organizationID, filter)
	query := d.selectFrom("block", "n").
		Prefix(blocks, organizationID, below, organizationID).
		Where(conditions).
		Limit(1)
	return query, len(conditions) > 0
}

// inBlock returns the conditions that a block may hold reports that the filter
// matches.
func (d Dialect) inBlock(organizationID int64, filter report.Filter) squirrel.And {
	var conditions squirrel.And
	if created := within("r.created_at", filter.Created); len(created) > 0 {
		conditions = append(conditions, anyInBlock(organizationID, created))
	}
	if len(filter.BrandIDs) > 0 {
		conditions = append(conditions, anyInBlock(organizationID, d.AnyOf("r.brand_id", filter.BrandIDs)))
	}
	for _, condition := range reviewed(filter) {
		conditions = append(conditions, squirrel.Expr(
			"EXISTS (SELECT 1 FROM apguard_proposals p WHERE p.report_id >> 13 = block.n AND ?)", condition))
	}
	return conditions
}

// anyInBlock returns the condition that a report of the block meets another one.
func anyInBlock(organizationID int64, condition squirrel.Sqlizer) squirrel.Sqlizer {
	return squirrel.Expr("EXISTS (SELECT 1 FROM apguard_reports r WHERE r.organization_id = ? AND r.id >> 13 = block.n AND ?)",
		organizationID, condition)
}

// page returns a page of reports, without their proposals.
func (s session) page(ctx context.Context, organizationID int64, filter report.Filter, cursor int64, limit int) ([]report.Report, error) {
	if _, ok := s.dialect.ReportBlock(organizationID, filter, cursor); !ok {
		return collectBuilt(ctx, s, s.dialect.Reports(organizationID, filter, cursor, limit), scanReport)
	}
	below := cursor
	if cursor == 0 {
		below = asset.MaxID + 1
	}
	var page []report.Report
	for len(page) < limit {
		found, first, err := s.pageOfBlock(ctx, organizationID, filter, below, limit, limit-len(page))
		if err != nil || first < 0 {
			return page, err
		}
		page, below = append(page, found...), first
	}
	return page, nil
}

// pageOfBlock returns what a page has in the newest block below an identifier, and
// the first identifier of that block. It is -1 when there is none. The room is what
// is left of the limit; a statement that said it would be another one each time.
func (s session) pageOfBlock(ctx context.Context, organizationID int64, filter report.Filter, below int64, limit, room int) ([]report.Report, int64, error) {
	next, _ := s.dialect.ReportBlock(organizationID, filter, below)
	block, err := collectBuilt(ctx, s, next, scanID)
	if err != nil || len(block) == 0 {
		return nil, -1, err
	}
	first := block[0] * blockSize
	query, args, err := s.dialect.ReportsOfBlock(organizationID, filter, block[0], below, limit).ToSql()
	if err != nil {
		return nil, -1, err
	}
	found, err := collectFirst(ctx, s, room, query, args, scanReport)
	return found, first, err
}

// ReportsOfBlock is like [Dialect.Reports], for one block.
func (d Dialect) ReportsOfBlock(organizationID int64, filter report.Filter, block, below int64, limit int) squirrel.SelectBuilder {
	first := block * blockSize
	return d.reportsIn(span{first: first, below: min(below, first+blockSize)}, organizationID, filter, limit)
}

func scanID(row Row) (int64, error) {
	var id int64
	err := row.Scan(&id)
	return id, err
}
