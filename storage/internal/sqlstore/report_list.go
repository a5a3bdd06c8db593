package sqlstore

import (
	"slices"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
)

// Reports returns the query for a page of reports without their proposals. scanReport
// reads its rows.
func (d Dialect) Reports(req report.ListRequest) squirrel.SelectBuilder {
	return d.reportsIn(span{below: below(req.Cursor)}, req)
}

// below returns the ID below which a page begins.
func below(cursor int64) int64 {
	if cursor == 0 {
		return asset.MaxID + 1
	}
	return cursor
}

// reportsIn is like Reports, for a span of IDs instead of the cursor.
func (d Dialect) reportsIn(ids span, req report.ListRequest) squirrel.SelectBuilder {
	return d.reports().
		Where(inScope(req.Scope)).
		Where(ids.has("r.id")).
		Where(d.matching(req.Filter, ids)).
		OrderBy("r.id DESC").
		Limit(uint64(max(req.Limit, 0)))
}

// inScope returns the condition that a report is in the scope.
func inScope(scope report.Scope) squirrel.And {
	if id, one := scope.OrganizationID(); one {
		return squirrel.And{squirrel.Eq{"r.organization_id": id}}
	}
	return nil
}

// span is a span of IDs, from first to the one before below.
type span struct{ first, below int64 }

// has returns the condition that the column is in the span.
func (s span) has(column string) squirrel.And {
	conditions := squirrel.And{squirrel.Lt{column: s.below}}
	if s.first > 0 {
		conditions = append(conditions, squirrel.GtOrEq{column: s.first})
	}
	return conditions
}

// report is like Reports, for one report.
func (d Dialect) report(id int64) squirrel.SelectBuilder {
	return d.reports().Where(squirrel.Eq{"r.id": id})
}

func (d Dialect) reports() squirrel.SelectBuilder {
	return d.selectFrom("apguard_reports r",
		"r.id", "r.organization_id", "r.title", "r.description", "r.status", "r.brand_id",
		"r.created_at", "r.updated_at", "r.reporter_id",
		"COALESCE(u.full_name, '')", "COALESCE(u.email, '')", "COALESCE(u.automation, FALSE)").
		LeftJoin("apguard_users u ON u.id = r.reporter_id")
}

// matching returns the conditions of report.Filter.Match for a report in the span.
func (d Dialect) matching(filter report.Filter, ids span) squirrel.And {
	conditions := within("r.created_at", filter.Created)
	if filter.Status != "" {
		conditions = append(conditions, squirrel.Eq{"r.status": string(filter.Status)})
	}
	if text := report.SearchTerm(filter.SearchQuery); text != "" {
		conditions = append(conditions, squirrel.Or{
			d.contains("r.title_fold", text),
			d.contains("r.description_fold", text),
			anyProposal(ids, d.contains("p.canonical_fold", text)),
		})
	}
	if text := report.SearchTerm(filter.ReporterQuery); text != "" {
		conditions = append(conditions, squirrel.Or{
			d.contains("u.full_name_fold", text),
			d.contains("u.email_fold", text),
		})
	}
	if filter.ExcludeAutomation {
		conditions = append(conditions, squirrel.Expr("u.automation IS NOT TRUE"))
	}
	for _, condition := range reviewed(filter) {
		conditions = append(conditions, anyProposal(ids, condition))
	}
	if len(filter.BrandIDs) > 0 {
		conditions = append(conditions, d.AnyOf("r.brand_id", filter.BrandIDs))
	}
	return conditions
}

// reviewed returns the conditions on proposals. For each of them, the report must have a
// proposal that meets it.
func reviewed(filter report.Filter) []squirrel.Sqlizer {
	var conditions []squirrel.Sqlizer
	if filter.OnlyRejected {
		conditions = append(conditions, squirrel.Eq{"p.review_status": string(report.ReviewReject)})
	}
	if len(filter.ReviewStatuses) > 0 {
		conditions = append(conditions, squirrel.Eq{"p.review_status": names(filter.ReviewStatuses)})
	}
	if filter.ReviewedBy != 0 {
		conditions = append(conditions, squirrel.Eq{"p.reviewed_by": filter.ReviewedBy})
	}
	return conditions
}

// anyProposal returns the condition that a proposal of the report meets another one.
// The report is in the span. PostgreSQL may look for the proposals first, so the span
// is a condition on them too.
func anyProposal(ids span, condition squirrel.Sqlizer) squirrel.Sqlizer {
	return squirrel.Expr("EXISTS (SELECT 1 FROM apguard_proposals p WHERE p.report_id = r.id AND ? AND ?)",
		ids.has("p.report_id"), condition)
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

func scanReport(row Row) (report.Report, error) {
	var r report.Report
	err := row.Scan(&r.ID, &r.OrganizationID, &r.Title, &r.Description, &r.Status, &r.BrandID,
		(*timeColumn)(&r.CreatedAt), (*timeColumn)(&r.UpdatedAt), &r.Reporter.ID,
		&r.Reporter.FullName, &r.Reporter.Email, &r.Reporter.Automation)
	return r, err
}

// Proposals returns the query for the proposals of several reports. Those of one report
// are in the order in which they were filed. scanProposal reads its rows.
func (d Dialect) Proposals(reportIDs []int64) squirrel.SelectBuilder {
	return d.selectFrom("apguard_proposals p",
		"p.report_id", "p.id", "a.id", "a.type", "a.canonical", "a.status",
		"COALESCE(p.content, a.canonical)", "p.proposed_status", "p.review_id", "p.review_status", "p.reviewed_by", "p.reviewed_at").
		Join("apguard_assets a ON a.id = p.asset_id").
		Where(d.AnyOf("p.report_id", reportIDs)).
		OrderBy("p.report_id", "p.id")
}

// proposal is a proposal and the ID of its report.
type proposal struct {
	ReportID int64
	report.Proposal
}

func scanProposal(row Row) (proposal, error) {
	var p proposal
	err := row.Scan(&p.ReportID, &p.ID, &p.Asset.ID, &p.Asset.Type, &p.Asset.Canonical, &p.Asset.Status,
		&p.Content, &p.ProposedStatus, &p.ReviewID, &p.ReviewStatus, &p.ReviewedBy, (*timeColumn)(&p.ReviewedAt))
	return p, err
}

// attach adds the proposals to their reports.
func attach(reports []report.Report, proposals []proposal) {
	places := make(map[int64]int, len(reports))
	for i, r := range reports {
		places[r.ID] = i
	}
	for _, p := range proposals {
		r := &reports[places[p.ReportID]]
		r.Proposals = append(r.Proposals, p.Proposal)
	}
}
