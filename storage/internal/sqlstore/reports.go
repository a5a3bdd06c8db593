package sqlstore

import (
	"cmp"
	"context"
	"slices"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
)

const (
	insertReport = `INSERT INTO apguard_reports (organization_id, title, title_fold, description, description_fold,
			status, brand_id, reporter_id, created_at, updated_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

	importReport = `INSERT INTO apguard_reports (id, organization_id, title, title_fold, description, description_fold,
			status, brand_id, reporter_id, created_at, updated_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

	insertProposal = `INSERT INTO apguard_proposals (report_id, asset_id, content_fold, proposed_status,
			review_id, review_status, reviewed_by, reviewed_at, change_id, changed_from, change_since)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, '', 0)`

	importProposal = `INSERT INTO apguard_proposals (id, report_id, asset_id, content_fold, proposed_status,
			review_id, review_status, reviewed_by, reviewed_at, change_id, changed_from, change_since)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, '', 0)`
)

// FileReport implements report.Store.
func (s *Store) FileReport(ctx context.Context, filing report.Filing) (report.Report, error) {
	return write(ctx, s, "file report", func(ctx context.Context, on session) (report.Report, error) {
		proposals, err := on.registerProposed(ctx, filing.Proposals)
		if err != nil {
			return report.Report{}, err
		}
		id, err := on.insert(ctx, insertReport, reportColumns(report.Report{
			OrganizationID: filing.OrganizationID,
			Title:          filing.Title,
			Description:    filing.Description,
			Status:         report.StatusOf(nil),
			BrandID:        filing.BrandID,
			Reporter:       report.Reporter{ID: filing.ReporterID},
			CreatedAt:      filing.At,
			UpdatedAt:      filing.At,
		})...)
		if err != nil {
			return report.Report{}, err
		}
		for _, p := range proposals {
			if _, err := on.insert(ctx, insertProposal, proposalColumns(id, p)...); err != nil {
				return report.Report{}, err
			}
		}
		return on.report(ctx, id)
	})
}

// registerProposed returns proposals with their assets. The assets are registered
// in an order that all transactions keep, so that none waits for one that waits
// for it.
func (s session) registerProposed(ctx context.Context, filed []report.FiledProposal) ([]report.Proposal, error) {
	proposals := make([]report.Proposal, len(filed))
	for _, i := range RegistrationOrder(len(filed), func(i int) asset.Identity { return filed[i].Identity }) {
		proposed, err := s.register(ctx, selectAsset, filed[i].Identity)
		if err != nil {
			return nil, err
		}
		proposals[i] = report.Proposal{Asset: proposed, ProposedStatus: filed[i].ProposedStatus}
	}
	return proposals, nil
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
		r.OrganizationID, r.Title, report.Fold(r.Title), r.Description, report.Fold(r.Description),
		string(r.Status), r.BrandID, r.Reporter.ID, Millis(r.CreatedAt), Millis(r.UpdatedAt),
	}
}

// proposalColumns are the values of insertProposal.
func proposalColumns(reportID int64, p report.Proposal) []any {
	return []any{
		reportID, p.Asset.ID, report.Fold(p.Asset.Canonical), string(p.ProposedStatus),
		p.ReviewID, string(p.ReviewStatus), p.ReviewedBy, Millis(p.ReviewedAt),
	}
}

// ReportByID implements report.Store.
func (s *Store) ReportByID(ctx context.Context, organizationID, id int64) (report.Report, error) {
	return readOnce(ctx, s, "report by id", func(ctx context.Context, on session) (report.Report, error) {
		found, err := on.report(ctx, id)
		if err != nil {
			return report.Report{}, orContractError(err, report.ErrNotFound)
		}
		if !report.Visible(found.OrganizationID, organizationID) {
			return report.Report{}, ContractError{report.ErrNotFound}
		}
		return found, nil
	})
}

// report returns the report with that identifier, or errNoRow.
func (s session) report(ctx context.Context, id int64) (report.Report, error) {
	found, err := collectBuilt(ctx, s, s.dialect.report(id), scanReport)
	if err != nil {
		return report.Report{}, err
	}
	if len(found) == 0 {
		return report.Report{}, errNoRow
	}
	err = s.attachProposals(ctx, found)
	return found[0], err
}

// Reports implements report.Store.
func (s *Store) Reports(ctx context.Context, organizationID int64, filter report.Filter, cursor int64, limit int) ([]report.Report, error) {
	return readOnce(ctx, s, "reports", func(ctx context.Context, on session) ([]report.Report, error) {
		page, err := on.page(ctx, organizationID, filter, cursor, limit)
		if err != nil {
			return nil, err
		}
		return page, on.attachProposals(ctx, page)
	})
}

// attachProposals gives each report its proposals.
func (s session) attachProposals(ctx context.Context, reports []report.Report) error {
	if len(reports) == 0 {
		return nil
	}
	ids := make([]int64, len(reports))
	for i, r := range reports {
		ids[i] = r.ID
	}
	proposals, err := collectBuilt(ctx, s, s.dialect.Proposals(ids), scanProposal)
	if err != nil {
		return err
	}
	attach(reports, proposals)
	return nil
}
