package sqlstore

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
)

// Reports returns the query for the reports that the filter matches, in the order of the request and
// without their proposals. The ID last is that of the last report that it looks at, or 0 to look at
// all. scanReport reads its rows.
func (d Dialect) Reports(req report.ListRequest, last int64) squirrel.SelectBuilder {
	return d.examined(d.reports(), req, last).
		Where(d.matching(req.Filter)).
		Limit(rowLimit(req.Limit))
}

// LastExamined returns the query for the ID of the last report that a search examines. A
// second row tells that there are others.
func (d Dialect) LastExamined(req report.ListRequest) squirrel.SelectBuilder {
	return d.examined(d.selectFrom("apguard_reports r", "r.id"), req, 0).
		Limit(2).
		Offset(report.MaxScan - 1)
}

// examined restricts a query to the reports for which req.Examines is true, up to the one with the ID
// last, in the order of the request. They follow each other in an index.
func (d Dialect) examined(query squirrel.SelectBuilder, req report.ListRequest, last int64) squirrel.SelectBuilder {
	ids, order := IDRange{ID: "r.id", First: last, Below: cmp.Or(req.Cursor, asset.MaxID+1)}, " DESC"
	if req.OldestFirst {
		ids.First, ids.Below, order = req.Cursor+1, cmp.Or(last, asset.MaxID)+1, ""
	}
	if id, one := req.Scope.OrganizationID(); one {
		ids.Columns, ids.Values = append(ids.Columns, "r.organization_id"), append(ids.Values, id)
	}
	if status := req.Filter.Status; status != "" {
		ids.Columns, ids.Values = append(ids.Columns, "r.status"), append(ids.Values, string(status))
	}
	query = query.Where(d.InRange(ids))
	for _, column := range ids.Columns {
		query = query.OrderBy(column + order)
	}
	return query.OrderBy("r.id" + order)
}

// ReportBacklog implements report.ReviewStore.
func (s *Store) ReportBacklog(ctx context.Context, scope report.Scope) (report.Backlog, error) {
	return read(ctx, s, listing("report backlog"), func(ctx context.Context, on session) (report.Backlog, error) {
		var backlog report.Backlog
		statuses, err := collect(ctx, on, s.dialect.ReportBacklog(scope), scanUnreviewed)
		for _, u := range statuses {
			backlog.Add(u.status, u.count, u.oldest)
		}
		return backlog, err
	})
}

// ReportBacklog returns the query for the reports that are not closed, by their status. It counts them in
// an index.
func (d Dialect) ReportBacklog(scope report.Scope) squirrel.SelectBuilder {
	counted := squirrel.Select("status", "COUNT(*) AS reports", "MIN(id) AS first").From("apguard_reports").
		Where(squirrel.Eq{"status": names([]report.Status{report.StatusTodo, report.StatusInProgress})}).
		GroupBy("status")
	if id, one := scope.OrganizationID(); one {
		counted = counted.Where(squirrel.Eq{"organization_id": id})
	}
	return squirrel.Select("c.status", "c.reports", "r.created_at").
		FromSelect(counted, "c").
		JoinClause(d.JoinRow("apguard_reports", "r", "c.first")).
		PlaceholderFormat(d.Placeholders)
}

// unreviewed are the reports with one status.
type unreviewed struct {
	status report.Status
	count  int
	oldest time.Time
}

func scanUnreviewed(row Row) (unreviewed, error) {
	var u unreviewed
	err := row.Scan((*string)(&u.status), &u.count, (*timeColumn)(&u.oldest))
	return u, err
}

// report is like Reports, for one report.
func (d Dialect) reports() squirrel.SelectBuilder {
	return d.selectFrom("apguard_reports r",
		"r.id", "r.organization_id", "r.title", "r.description", "r.status", "r.brand_id",
		"r.created_at", "r.updated_at", "r.reporter_id",
		"COALESCE("+reporter("u.full_name")+", '')", "COALESCE("+reporter("u.email")+", '')",
		"COALESCE("+reporter("u.automation")+", FALSE)")
}

// reporter returns the query for a value of the user who filed the report. It runs for each
// report. With a join, PostgreSQL could read all users.
func reporter(value string) string {
	return "(SELECT " + value + " FROM apguard_users u WHERE u.id = r.reporter_id)"
}

// matching returns the conditions of report.Filter.Match, except for that on the status.
func (d Dialect) matching(filter report.Filter) squirrel.And {
	conditions := within("r.created_at", filter.Created)
	if filter.Identity != (asset.Identity{}) {
		conditions = append(conditions, anyProposal(ofAsset("p.asset_id", filter.Identity)))
	}
	if text := report.SearchTerm(filter.SearchQuery); text != "" {
		conditions = append(conditions, squirrel.Or{
			d.contains("r.title_fold", text),
			d.contains("r.description_fold", text),
			anyProposal(d.contains("p.canonical_fold", text)),
		})
	}
	if text := report.SearchTerm(filter.ReporterQuery); text != "" {
		conditions = append(conditions, squirrel.Or{
			d.contains(reporter("u.full_name_fold"), text),
			d.contains(reporter("u.email_fold"), text),
		})
	}
	if filter.ExcludeAutomation {
		conditions = append(conditions, squirrel.Expr(reporter("u.automation")+" IS NOT TRUE"))
	}
	if filter.OnlyRejected {
		conditions = append(conditions, anyProposal(squirrel.Eq{"p.review_status": string(report.ReviewReject)}))
	}
	if len(filter.ReviewStatuses) > 0 {
		conditions = append(conditions, anyProposal(squirrel.Eq{"p.review_status": names(filter.ReviewStatuses)}))
	}
	if filter.ReviewedBy != 0 {
		conditions = append(conditions, anyProposal(squirrel.Eq{"p.reviewed_by": filter.ReviewedBy}))
	}
	if len(filter.BrandIDs) > 0 {
		conditions = append(conditions, d.AnyOf("r.brand_id", filter.BrandIDs))
	}
	return conditions
}

// anyProposal returns the condition that a proposal of the report meets another one. As a
// query for a value, it runs for each report. With EXISTS, PostgreSQL could read the
// proposals of all reports.
func anyProposal(condition squirrel.Sqlizer) squirrel.Sqlizer {
	return squirrel.Expr("(SELECT TRUE FROM apguard_proposals p WHERE p.report_id = r.id AND ? LIMIT 1)", condition)
}

// names returns the statuses without duplicates.
func names[T ~string](statuses []T) []string {
	var names []string
	for _, status := range statuses {
		if !slices.Contains(names, string(status)) {
			names = append(names, string(status))
		}
	}
	return names
}

func scanID(row Row) (int64, error) {
	var id int64
	err := row.Scan(&id)
	return id, err
}

func scanReport(row Row) (report.Report, error) {
	var r report.Report
	err := row.Scan(&r.ID, &r.OrganizationID, &r.Title, &r.Description, &r.Status, &r.BrandID,
		(*timeColumn)(&r.CreatedAt), (*timeColumn)(&r.UpdatedAt), &r.Reporter.ID,
		&r.Reporter.FullName, &r.Reporter.Email, &r.Reporter.Automation)
	return r, err
}

// Proposals returns the query for the proposals of several reports, in the order of their IDs: the last
// one of the newest report comes first, or the first one of the oldest report if that comes first.
// scanProposal reads its rows.
func (d Dialect) Proposals(reportIDs []int64) squirrel.SelectBuilder {
	order := " DESC"
	if oldestFirst(reportIDs) {
		order = ""
	}
	return d.selectFrom("apguard_proposals p",
		"p.report_id", "p.id", "a.id", "a.type", "a.canonical", "a.status",
		"COALESCE(p.content, a.canonical)", "p.proposed_status", "p.review_id", "p.review_status", "p.reviewed_by", "p.reviewed_at").
		Join("apguard_assets a ON a.id = p.asset_id").
		Where(d.AnyOf("p.report_id", reportIDs)).
		OrderBy("p.report_id"+order, "p.id"+order)
}

// oldestFirst reports whether the IDs of several reports are in ascending order.
func oldestFirst(ids []int64) bool { return len(ids) > 1 && ids[0] < ids[1] }

// proposal is a proposal and the ID of its report.
type proposal struct {
	ReportID int64
	report.Proposal
}

func scanProposal(row Row) (proposal, error) {
	var p proposal
	err := row.Scan(&p.ReportID, &p.ID, &p.Asset.ID, scanType(&p.Asset.Type), &p.Asset.Canonical, ScanStatus(&p.Asset.Status),
		&p.Content, &p.ProposedStatus, &p.ReviewID, &p.ReviewStatus, &p.ReviewedBy, (*timeColumn)(&p.ReviewedAt))
	return p, err
}
