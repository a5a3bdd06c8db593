package sqlstore

import (
	"context"
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
		w, err := on.withdrawal(ctx, r, cmd)
		if err != nil {
			return report.Report{}, err
		}
		result, err := cmd.Apply(w)
		if err != nil {
			return report.Report{}, ContractError{err}
		}
		p := proposalOf(r, w.Review.ProposalID)
		*p = p.Showing(w.Effective)
		if err := on.storeWithdrawal(ctx, *p, result); err != nil {
			return report.Report{}, err
		}
		if result.Reverts {
			if p.Asset.Status, err = on.revert(ctx, p.Asset.ID, cmd, w); err != nil {
				return report.Report{}, err
			}
		}
		return on.updateReport(ctx, r.Updated(cmd.At))
	})
}

// ofReview returns the condition that a report has the review.
func ofReview(id int64) squirrel.Sqlizer {
	return squirrel.Expr(`r.id = (SELECT p.report_id FROM apguard_reviews v JOIN apguard_proposals p ON p.id = v.proposal_id
		WHERE v.id = ?)`, id)
}

// withdrawal returns the review of the report with what its withdrawal depends on. It does not lock the
// asset, as most withdrawals do not change it.
func (s session) withdrawal(ctx context.Context, r report.Report, cmd report.WithdrawCommand) (report.Withdrawal, error) {
	w := report.Withdrawal{ReportID: r.ID}
	var err error
	if w.Review, err = collectOne(ctx, s, squirrel.Expr(selectReview, cmd.ReviewID), scanReview); err != nil {
		return w, err
	}
	if w.Total, err = s.reviewTotal(ctx, w.Review.ProposalID); err != nil {
		return w, err
	}
	p := proposalOf(r, w.Review.ProposalID)
	w.Shown = p.ReviewID
	effective, err := collect(ctx, s, s.dialect.EffectiveReviews(p.ID), scanReview)
	if err != nil {
		return w, err
	}
	others := slices.DeleteFunc(effective, func(r report.Review) bool { return r.ID == cmd.ReviewID })
	w.Effective = report.EffectiveReview(others)
	held, err := only(s.heldOn(ctx, []int64{p.Asset.ID}, heldFor{at: cmd.At}))
	if err != nil {
		return w, err
	}
	w.Held = held.Held
	return w, nil
}

// storeWithdrawal stores the withdrawn review and its proposal.
func (s session) storeWithdrawal(ctx context.Context, p report.Proposal, result report.WithdrawResult) error {
	review := result.Review
	err := s.exec(ctx, withdrawReview, review.Weight(), review.WithdrawnBy, Millis(review.WithdrawnAt), review.WithdrawnReason, review.ID)
	if err != nil {
		return err
	}
	return s.updateProposal(ctx, p)
}

// revert undoes the decision of the review if the withdrawal still says so once the asset is locked. It
// returns the status of the asset.
func (s session) revert(ctx context.Context, assetID int64, cmd report.WithdrawCommand, w report.Withdrawal) (asset.Status, error) {
	one, err := s.lockOne(ctx, assetID, cmd.At)
	if err != nil {
		return "", err
	}
	w.Held = one.Held
	result, err := cmd.Apply(w)
	if err != nil || !result.Reverts {
		return one.Status, err
	}
	one.Held, _ = one.Revert(w.Review.DecidedAt, cmd.At)
	if err := s.replaceDecisions(ctx, one.Held); err != nil {
		return "", err
	}
	_, err = s.settleOne(ctx, one, cmd.At, result.Origin)
	return one.Status, err
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
