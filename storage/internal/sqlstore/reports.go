package sqlstore

import (
	"cmp"
	"context"
	"slices"
	"time"

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
			review_status, reviewed_by, reviewed_at)
		VALUES (?, ?, ?, ?, ?, ?, ?)`

	importProposal = `INSERT INTO apguard_proposals (id, report_id, asset_id, content_fold, proposed_status,
			review_status, reviewed_by, reviewed_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)`

	// What it selects never changes.
	selectProposed = `SELECT report_id, asset_id, proposed_status FROM apguard_proposals WHERE id = ?`

	selectReportStatus = `SELECT status FROM apguard_reports WHERE id = ?`

	updateReview = `UPDATE apguard_proposals SET review_status = ?, reviewed_by = ?, reviewed_at = ? WHERE id = ?`

	selectReviews = `SELECT review_status FROM apguard_proposals WHERE report_id = ?`

	updateReport = `UPDATE apguard_reports SET status = ?, updated_at = ? WHERE id = ?`
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
		proposed, err := s.register(ctx, selectAsset, filed[i].Identity, filed[i].Content)
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
		reportID, p.Asset.ID, report.Fold(p.Asset.Content), string(p.ProposedStatus),
		string(p.ReviewStatus), p.ReviewedBy, Millis(p.ReviewedAt),
	}
}

// ReviewProposal implements report.Store.
func (s *Store) ReviewProposal(ctx context.Context, review report.Review) (report.Report, error) {
	return write(ctx, s, "review proposal", func(ctx context.Context, on session) (report.Report, error) {
		var (
			reportID, assetID int64
			proposed          asset.Status
		)
		err := on.get(ctx, selectProposed, []any{review.ProposalID}, &reportID, &assetID, &proposed)
		if err != nil {
			return report.Report{}, orAnswer(err, report.ErrProposalNotFound)
		}
		// The report's status follows from all its reviews, so one review of it
		// comes after the other.
		var before report.Status
		if err := on.get(ctx, selectReportStatus+on.dialect.Lock, []any{reportID}, &before); err != nil {
			return report.Report{}, err
		}
		err = on.exec(ctx, updateReview, string(review.Status), review.By, Millis(review.At), review.ProposalID)
		if err != nil {
			return report.Report{}, err
		}
		if err := on.reviewAsset(ctx, review, reportID, assetID, proposed); err != nil {
			return report.Report{}, err
		}
		if err := on.updateReport(ctx, reportID, review.At); err != nil {
			return report.Report{}, err
		}
		return on.report(ctx, reportID)
	})
}

// reviewAsset gives the asset of a proposal the status that follows from the
// review.
func (s session) reviewAsset(ctx context.Context, review report.Review, reportID, assetID int64, proposed asset.Status) error {
	var now asset.Status
	if err := s.get(ctx, selectStatus+s.dialect.Lock, []any{assetID}, &now); err != nil {
		return err
	}
	return s.setStatus(ctx, assetID, now, review.AssetStatus(proposed, now), review.At, review.Origin(reportID))
}

// updateReport gives a report the status that follows from its reviews.
func (s session) updateReport(ctx context.Context, id int64, at time.Time) error {
	reviews, err := collect(ctx, s, selectReviews, []any{id}, func(row Row) (report.ReviewStatus, error) {
		var review report.ReviewStatus
		err := row.Scan(&review)
		return review, err
	})
	if err != nil {
		return err
	}
	return s.exec(ctx, updateReport, string(report.StatusOf(reviews)), Millis(at), id)
}

// report returns a report that is there.
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
