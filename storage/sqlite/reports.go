package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage/internal/sqlstore"
)

const (
	// insertReport makes a new identifier from NULL, as insertProposal does.
	insertReport = `INSERT INTO apguard_reports (id, organization_id, title, title_fold, description, description_fold,
			status, brand_id, reporter_id, created_at, updated_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

	insertProposal = `INSERT INTO apguard_proposals (id, report_id, asset_id, content_fold, proposed_status,
			review_status, reviewed_by, reviewed_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)`

	selectProposed = `SELECT p.report_id, p.proposed_status, a.id, a.status
		FROM apguard_proposals p JOIN apguard_assets a ON a.id = p.asset_id WHERE p.id = ?`

	updateReview = `UPDATE apguard_proposals SET review_status = ?, reviewed_by = ?, reviewed_at = ? WHERE id = ?`

	selectReviews = `SELECT review_status FROM apguard_proposals WHERE report_id = ?`

	updateReport = `UPDATE apguard_reports SET status = ?, updated_at = ? WHERE id = ?`
)

// FileReport implements report.Store.
func (s *Store) FileReport(ctx context.Context, filing report.Filing) (report.Report, error) {
	return write(ctx, s, "file report", func(ctx context.Context, tx *transaction) (report.Report, error) {
		filed := report.Report{
			OrganizationID: filing.OrganizationID,
			Title:          filing.Title,
			Description:    filing.Description,
			Status:         report.StatusOf(nil),
			BrandID:        filing.BrandID,
			Reporter:       report.Reporter{ID: filing.ReporterID},
			CreatedAt:      filing.At,
			UpdatedAt:      filing.At,
		}
		for _, p := range filing.Proposals {
			proposed, err := tx.register(ctx, p.Identity, p.Content)
			if err != nil {
				return report.Report{}, err
			}
			filed.Proposals = append(filed.Proposals, report.Proposal{Asset: proposed, ProposedStatus: p.ProposedStatus})
		}
		id, err := tx.insertReport(ctx, filed)
		if err != nil {
			return report.Report{}, err
		}
		return tx.report(ctx, id)
	})
}

// insertReport stores a report with its proposals, whose assets are there already.
// What has the identifier 0 gets a new one.
func (t *transaction) insertReport(ctx context.Context, r report.Report) (int64, error) {
	id, err := t.insert(ctx, insertReport, orNull(r.ID), r.OrganizationID,
		r.Title, report.Fold(r.Title), r.Description, report.Fold(r.Description),
		r.Status, r.BrandID, r.Reporter.ID, sqlstore.Millis(r.CreatedAt), sqlstore.Millis(r.UpdatedAt))
	if err != nil {
		return 0, err
	}
	for _, p := range r.Proposals {
		_, err := t.insert(ctx, insertProposal, orNull(p.ID), id, p.Asset.ID, report.Fold(p.Asset.Content),
			p.ProposedStatus, p.ReviewStatus, p.ReviewedBy, sqlstore.Millis(p.ReviewedAt))
		if err != nil {
			return 0, err
		}
	}
	return id, nil
}

// ReviewProposal implements report.Store.
func (s *Store) ReviewProposal(ctx context.Context, review report.Review) (report.Report, error) {
	return write(ctx, s, "review proposal", func(ctx context.Context, tx *transaction) (report.Report, error) {
		var (
			reportID, assetID int64
			proposed, status  asset.Status
		)
		err := tx.get(ctx, selectProposed, []any{review.ProposalID}, &reportID, &proposed, &assetID, &status)
		if errors.Is(err, sql.ErrNoRows) {
			return report.Report{}, answer{report.ErrProposalNotFound}
		}
		if err != nil {
			return report.Report{}, err
		}
		err = tx.exec(ctx, updateReview, review.Status, review.By, sqlstore.Millis(review.At), review.ProposalID)
		if err != nil {
			return report.Report{}, err
		}
		err = tx.setStatus(ctx, assetID, status, review.AssetStatus(proposed, status), review.At, review.Origin(reportID))
		if err != nil {
			return report.Report{}, err
		}
		if err := tx.updateReport(ctx, reportID, review.At); err != nil {
			return report.Report{}, err
		}
		return tx.report(ctx, reportID)
	})
}

// updateReport gives a report the status that follows from its reviews.
func (t *transaction) updateReport(ctx context.Context, id int64, at time.Time) error {
	reviews, err := collect(ctx, t, selectReviews, []any{id}, func(row sqlstore.Row) (report.ReviewStatus, error) {
		var review report.ReviewStatus
		err := row.Scan(&review)
		return review, err
	})
	if err != nil {
		return err
	}
	return t.exec(ctx, updateReport, report.StatusOf(reviews), sqlstore.Millis(at), id)
}

// report returns a report that is there.
func (t *transaction) report(ctx context.Context, id int64) (report.Report, error) {
	found, err := selectReports(ctx, t, dialect().Report(id))
	if err != nil {
		return report.Report{}, err
	}
	if len(found) == 0 {
		return report.Report{}, sql.ErrNoRows
	}
	return found[0], nil
}

// Reports implements report.Store.
func (s *Store) Reports(ctx context.Context, organizationID int64, filter report.Filter, cursor int64, limit int) ([]report.Report, error) {
	return readOnce(ctx, s, "reports", func(tx *sql.Tx) ([]report.Report, error) {
		return selectReports(ctx, tx, dialect().Reports(organizationID, filter, cursor, limit))
	})
}

// selectReports returns the reports that the query finds, with their proposals.
func selectReports(ctx context.Context, on querier, query squirrel.SelectBuilder) ([]report.Report, error) {
	reports, err := collectBuilt(ctx, on, query, sqlstore.ScanReport)
	if err != nil || len(reports) == 0 {
		return nil, err
	}
	ids := make([]int64, len(reports))
	for i, r := range reports {
		ids[i] = r.ID
	}
	proposals, err := collectBuilt(ctx, on, dialect().Proposals(ids), sqlstore.ScanProposal)
	if err != nil {
		return nil, err
	}
	sqlstore.Attach(reports, proposals)
	return reports, nil
}
