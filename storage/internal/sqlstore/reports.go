package sqlstore

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/asset"

	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/step"
)

const (
	reportColumnNames = `organization_id, title, title_fold, description, description_fold,
			status, brand_id, reporter_id, created_at, updated_at`

	insertReport = `INSERT INTO apguard_reports (` + reportColumnNames + `) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

	importReport = `INSERT INTO apguard_reports (id, ` + reportColumnNames + `) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

	proposalColumnNames = `report_id, asset_id, content, canonical_fold, proposed_status,
			review_id, review_status, reviewed_by, reviewed_at`

	insertProposal = `INSERT INTO apguard_proposals (` + proposalColumnNames + `) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`

	importProposal = `INSERT INTO apguard_proposals (id, ` + proposalColumnNames + `) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
)

// FileReport implements report.Store.
func (s *Store) FileReport(ctx context.Context, cmd report.FileCommand) (report.Report, error) {
	return writeOnce(ctx, s, "file report", cmd.Claim, cmd.Record, func(ctx context.Context, on session) (report.Report, error) {
		filed := cmd.Report()
		if err := on.registerProposed(ctx, filed.Proposals); err != nil {
			return report.Report{}, err
		}
		id, err := on.insert(ctx, insertReport, reportColumns(filed)...)
		if err != nil {
			return report.Report{}, err
		}
		for _, p := range filed.Proposals {
			if _, err := on.insert(ctx, insertProposal, proposalColumns(id, p)...); err != nil {
				return report.Report{}, err
			}
		}
		return on.report(ctx, id)
	})
}

// registerProposed gives the proposals their assets. All transactions register assets
// in the same order, so that none waits for another that waits for it.
func (s session) registerProposed(ctx context.Context, proposals []report.Proposal) error {
	for _, i := range RegistrationOrder(len(proposals), func(i int) asset.Identity { return proposals[i].Asset.Identity }) {
		p := &proposals[i]
		registered, err := s.register(ctx, SelectAsset, p.Asset.Identity)
		if err != nil {
			return err
		}
		p.Asset = registered
	}
	return nil
}

// RegistrationOrder returns the places of several assets in the order in which all
// transactions register them.
func RegistrationOrder(count int, at func(place int) asset.Identity) []int {
	places := make([]int, count)
	for i := range places {
		places[i] = i
	}
	slices.SortFunc(places, func(a, b int) int {
		one, other := at(a), at(b)
		return cmp.Or(cmp.Compare(one.Type, other.Type), cmp.Compare(one.Canonical, other.Canonical))
	})
	return places
}

// importReport stores a report with its proposals, whose assets are there already.
func (s session) importReport(ctx context.Context, r report.Report) error {
	if err := s.exec(ctx, importReport, append([]any{r.ID}, reportColumns(r)...)...); err != nil {
		return err
	}
	for _, p := range r.Proposals {
		if err := s.exec(ctx, importProposal, append([]any{p.ID}, proposalColumns(r.ID, p)...)...); err != nil {
			return err
		}
	}
	return nil
}

// reportColumns are the values of insertReport.
func reportColumns(r report.Report) []any {
	return []any{
		r.OrganizationID, r.Title, asset.FoldCase(r.Title), r.Description, asset.FoldCase(r.Description),
		string(r.Status), r.BrandID, r.Reporter.ID, Millis(r.CreatedAt), Millis(r.UpdatedAt),
	}
}

// proposalColumns are the values of insertProposal.
func proposalColumns(reportID int64, p report.Proposal) []any {
	return []any{
		reportID, p.Asset.ID, OrCanonical(p.Content, p.Asset.Canonical), asset.FoldCase(p.Asset.Canonical), string(p.ProposedStatus),
		p.ReviewID, string(p.ReviewStatus), p.ReviewedBy, Millis(p.ReviewedAt),
	}
}

// ReportByID implements report.Store.
func (s *Store) ReportByID(ctx context.Context, scope report.Scope, id int64) (report.Report, error) {
	return readOnce(ctx, s, short("report by id"), func(ctx context.Context, on session) (report.Report, error) {
		found, err := on.report(ctx, id)
		if err == nil && !scope.Contains(found.OrganizationID) {
			err = errNoRow
		}
		return found, orContractError(err, report.ErrNotFound)
	})
}

// report returns the report with the ID, or errNoRow.
func (s session) report(ctx context.Context, id int64) (report.Report, error) {
	return s.reportWhere(ctx, squirrel.Eq{"r.id": id})
}

// reportWhere returns the report that meets the condition, or errNoRow.
func (s session) reportWhere(ctx context.Context, condition squirrel.Sqlizer) (report.Report, error) {
	found, err := collectOne(ctx, s, s.dialect.reports().Where(condition), scanReport)
	if err != nil {
		return report.Report{}, err
	}
	for full, err := range s.withProposals(ctx, []report.Report{found}) {
		return full, err
	}
	return found, nil
}

// Reports implements report.Store.
func (s *Store) Reports(ctx context.Context, req report.ListRequest) (report.Page, error) {
	operation := listing("reports")
	if !s.dialect.matchesAll(req) {
		operation.Kind = Search
	}
	return readOnce(ctx, s, operation, func(ctx context.Context, on session) (report.Page, error) {
		last, more, err := on.lastExamined(ctx, req)
		if err != nil {
			return report.Page{}, err
		}
		found, err := readPage(ctx, on, req.Limit, s.dialect.Reports(req, last), scanReport)
		if err != nil {
			return report.Page{}, err
		}
		full, err := step.ReadPage(req.Limit, on.withProposals(ctx, found.Items))
		if err != nil {
			return report.Page{}, err
		}
		full.More = full.More || found.More
		if !more {
			last = 0
		}
		return report.NewPage(full, last), nil
	})
}

// lastExamined returns the ID of the last report that is examined for a page, or 0 if all
// are, and whether there are others after it.
func (s session) lastExamined(ctx context.Context, req report.ListRequest) (last int64, more bool, err error) {
	if s.dialect.matchesAll(req) {
		return 0, false, nil
	}
	found, err := collect(ctx, s, s.dialect.LastExamined(req), scanID)
	if err != nil || len(found) == 0 {
		return 0, false, err
	}
	return found[0], len(found) > 1, nil
}

// matchesAll reports whether each report that is examined for a page is a match. A page has
// fewer than MaxScan, because of step.MaxPageBytes.
func (d Dialect) matchesAll(req report.ListRequest) bool { return len(d.matching(req.Filter)) == 0 }

// proposalsGrowth is how many times as many reports as the query before one query reads the
// proposals of, at most.
const proposalsGrowth = 8

// withProposals yields the reports, which are ordered by ID, with their
// proposals. It reads the proposals meanwhile: at first those of one report, then of as many as
// probably fit on the page. A driver may receive all rows of a query even if nothing reads them.
func (s session) withProposals(ctx context.Context, reports []report.Report) iter.Seq2[report.Report, error] {
	return func(yield func(report.Report, error) bool) {
		size := 0
		for count, done := 1, 0; done < len(reports); {
			some := reports[done:min(done+count, len(reports))]
			for r, err := range s.withProposalsOnce(ctx, some) {
				if !yield(r, err) || err != nil {
					return
				}
				size += r.PageBytes()
			}
			done += len(some)
			fitting := (step.MaxPageBytes - size) / (size / done)
			count = min(max(fitting, 1), proposalsGrowth*count)
		}
	}
}

// withProposalsOnce is like withProposals, with one query for at least one report.
func (s session) withProposalsOnce(ctx context.Context, reports []report.Report) iter.Seq2[report.Report, error] {
	return func(yield func(report.Report, error) bool) {
		ids := make([]int64, len(reports))
		for i, r := range reports {
			ids[i] = r.ID
		}
		rest := reports
		var proposals []report.Proposal // of the first of the rest, last one first unless oldestFirst
		yieldFirst := func() bool {
			r := rest[0]
			r.Proposals = proposals
			if !oldestFirst(ids) {
				slices.Reverse(r.Proposals)
			}
			rest, proposals = rest[1:], nil
			return yield(r, nil)
		}
		for p, err := range scanned(ctx, s, s.dialect.Proposals(ids), scanProposal) {
			if err != nil {
				yield(report.Report{}, err)
				return
			}
			for rest[0].ID != p.ReportID {
				if !yieldFirst() {
					return
				}
			}
			proposals = append(proposals, p.Proposal)
		}
		for len(rest) > 0 {
			if !yieldFirst() {
				return
			}
		}
	}
}
