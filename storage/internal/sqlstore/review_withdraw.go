package sqlstore

import (
	"context"
	"errors"
	"slices"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
)

const (
	selectReview = `SELECT id, ` + reviewColumnNames + ` FROM apguard_reviews WHERE id = ?`

	withdrawReview = `UPDATE apguard_reviews SET weight = ?, withdrawn_by = ?, withdrawn_at = ?, withdrawn_reason = ? WHERE id = ?`
)

// WithdrawReview implements report.ReviewStore.
func (s *Store) WithdrawReview(ctx context.Context, cmd report.WithdrawCommand) (report.Report, error) {
	return writeOnce(ctx, s, "withdraw review", cmd.Claim, cmd.Record, func(ctx context.Context, on session) (report.Report, error) {
		r, err := on.lockReport(ctx, cmd.Scope, ofReview(cmd.ReviewID))
		if err != nil {
			return report.Report{}, orContractError(err, report.ErrReviewNotFound)
		}
		w, err := on.withdrawal(ctx, r, cmd.ReviewID)
		if err != nil {
			return report.Report{}, err
		}
		result, err := cmd.Apply(w)
		if err != nil {
			return report.Report{}, ContractError{err}
		}
		p := proposalOf(r, w.Review.ProposalID)
		*p = p.Showing(w.Effective)
		if err := on.storeWithdrawal(ctx, p, result); err != nil {
			return report.Report{}, err
		}
		return on.updateReport(ctx, r.Updated(cmd.At))
	})
}

// ofReview returns the condition that a report has the review.
func ofReview(id int64) squirrel.Sqlizer {
	return squirrel.Expr(`r.id = (SELECT p.report_id FROM apguard_reviews v JOIN apguard_proposals p ON p.id = v.proposal_id
		WHERE v.id = ?)`, id)
}

// withdrawal returns the review of the report with what its withdrawal depends on. It
// locks the asset if the review changed it.
func (s session) withdrawal(ctx context.Context, r report.Report, reviewID int64) (report.Withdrawal, error) {
	w := report.Withdrawal{ReportID: r.ID}
	var err error
	if w.Review, err = collectOne(ctx, s, squirrel.Expr(selectReview, reviewID), scanReview); err != nil {
		return w, err
	}
	if w.Total, err = s.reviewTotal(ctx, w.Review.ProposalID); err != nil {
		return w, err
	}
	w.Shown = proposalOf(r, w.Review.ProposalID).ReviewID
	effective, err := collect(ctx, s, s.dialect.EffectiveReviews(w.Review.ProposalID), scanReview)
	if err != nil {
		return w, err
	}
	others := slices.DeleteFunc(effective, func(r report.Review) bool { return r.ID == reviewID })
	w.Effective = report.EffectiveReview(others)
	if w.Review.ChangeID == 0 {
		return w, nil
	}
	proposed := &proposalOf(r, w.Review.ProposalID).Asset
	if proposed.Status, err = s.lockAsset(ctx, proposed.ID); err != nil {
		return w, err
	}
	w.LastChange, err = s.lastChange(ctx, proposed.ID)
	return w, err
}

// storeWithdrawal stores the result of a withdrawal and the proposal of the review.
func (s session) storeWithdrawal(ctx context.Context, p *report.Proposal, result report.WithdrawResult) error {
	review := result.Review
	err := s.exec(ctx, withdrawReview, review.Weight(), review.WithdrawnBy, Millis(review.WithdrawnAt), review.WithdrawnReason, review.ID)
	if err != nil {
		return err
	}
	if err := s.updateProposal(ctx, *p); err != nil {
		return err
	}
	if result.AssetStatus == "" {
		return nil
	}
	_, err = s.setStatus(ctx, p.Asset.ID, p.Asset.Status, result.AssetStatus, review.WithdrawnAt, result.Origin)
	p.Asset.Status = result.AssetStatus
	return err
}

// EffectiveReviews returns the query for the effective review of a proposal, as
// report.EffectiveReview selects it, and the one that is effective without it.
// scanReview reads its rows.
func (d Dialect) EffectiveReviews(proposalID int64) squirrel.SelectBuilder {
	return d.selectFrom("apguard_reviews", "id", reviewColumnNames).
		Where(squirrel.Eq{"proposal_id": proposalID}).
		Where("weight > 0").
		OrderBy("weight DESC", "id DESC").
		Limit(2)
}

// lastChange returns the ID and the statuses of the asset's change with the largest ID, or
// the zero Change.
func (s session) lastChange(ctx context.Context, assetID int64) (asset.Change, error) {
	last, err := collectOne(ctx, s, s.dialect.LastChange(assetID), func(row Row) (asset.Change, error) {
		var c asset.Change
		err := row.Scan(&c.ID, ScanStatus(&c.From), ScanStatus(&c.To))
		return c, err
	})
	if errors.Is(err, errNoRow) {
		err = nil
	}
	return last, err
}

// LastChange returns the query for the ID and the statuses of an asset's change with the
// largest ID. The sum keeps PostgreSQL from looking for it among the changes of all
// assets.
func (d Dialect) LastChange(assetID int64) squirrel.SelectBuilder {
	return d.selectFrom("apguard_changes", "id", "from_status", "to_status").
		Where("id = (SELECT max(c.id + 0) FROM apguard_changes c WHERE c.asset_id = ?)", assetID)
}
