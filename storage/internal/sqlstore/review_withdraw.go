package sqlstore

import (
	"context"

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
	return write(ctx, s, "withdraw review", func(ctx context.Context, on session) (report.Report, error) {
		r, err := on.lockReport(ctx, cmd.Scope, ofReview(cmd.ReviewID))
		if err != nil {
			return report.Report{}, orContractError(err, report.ErrReviewNotFound)
		}
		review, err := on.review(ctx, cmd.ReviewID)
		if err != nil {
			return report.Report{}, err
		}
		review, err = cmd.Apply(review)
		if err != nil {
			return report.Report{}, ContractError{err}
		}
		effective, err := on.storeWithdrawn(ctx, r, review)
		if err != nil {
			return report.Report{}, err
		}
		if err := on.restoreAsset(ctx, cmd, r, review, effective); err != nil {
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

// storeWithdrawn stores a withdrawn review, shows the review in effect in its proposal,
// and returns it.
func (s session) storeWithdrawn(ctx context.Context, r report.Report, withdrawn report.Review) (report.Review, error) {
	err := s.exec(ctx, withdrawReview, withdrawn.Weight(), withdrawn.WithdrawnBy, Millis(withdrawn.WithdrawnAt),
		withdrawn.WithdrawnReason, withdrawn.ID)
	if err != nil {
		return report.Review{}, err
	}
	found, err := collectBuilt(ctx, s, s.dialect.EffectiveReview(withdrawn.ProposalID), scanReview)
	if err != nil {
		return report.Review{}, err
	}
	effective := report.EffectiveReview(found)
	p := proposalOf(r, withdrawn.ProposalID)
	*p = p.Showing(effective)
	return effective, s.updateProposal(ctx, *p)
}

// restoreAsset puts the asset of a withdrawn review back if report.Restores says so. An
// asset that the review did not change is neither locked nor looked at.
func (s session) restoreAsset(ctx context.Context, cmd report.WithdrawCommand, r report.Report, withdrawn, effective report.Review) error {
	if withdrawn.ChangeID == 0 {
		return nil
	}
	proposed := &proposalOf(r, withdrawn.ProposalID).Asset
	now, err := s.lockAsset(ctx, proposed.ID)
	if err != nil {
		return err
	}
	last, err := s.lastChange(ctx, proposed.ID)
	if err != nil || !report.Restores(withdrawn, effective, last) {
		return err
	}
	proposed.Status = last.From
	_, err = s.setStatus(ctx, proposed.ID, now, last.From, cmd.At, cmd.Origin(r.ID))
	return err
}

// review returns the review with the ID, which exists.
func (s session) review(ctx context.Context, id int64) (report.Review, error) {
	found, err := collect(ctx, s, selectReview, []any{id}, scanReview)
	if err != nil {
		return report.Review{}, err
	}
	return found[0], nil
}

// EffectiveReview returns the query for the effective review of a proposal, as
// report.EffectiveReview selects it. scanReview reads its row.
func (d Dialect) EffectiveReview(proposalID int64) squirrel.SelectBuilder {
	return d.selectFrom("apguard_reviews", "id", reviewColumnNames).
		Where(squirrel.Eq{"proposal_id": proposalID}).
		Where("weight > 0").
		OrderBy("weight DESC", "id DESC").
		Limit(1)
}

// lastChange returns the ID and the From of the asset's change with the largest ID, or
// the zero Change.
func (s session) lastChange(ctx context.Context, assetID int64) (asset.Change, error) {
	found, err := collectBuilt(ctx, s, s.dialect.LastChange(assetID), func(row Row) (asset.Change, error) {
		var c asset.Change
		err := row.Scan(&c.ID, &c.From)
		return c, err
	})
	if err != nil || len(found) == 0 {
		return asset.Change{}, err
	}
	return found[0], nil
}

// LastChange returns the query for the ID and the old status of an asset's change with
// the largest ID. The sum keeps PostgreSQL from looking for it among the changes of all
// assets.
func (d Dialect) LastChange(assetID int64) squirrel.SelectBuilder {
	return d.selectFrom("apguard_changes", "id", "from_status").
		Where("id = (SELECT max(c.id + 0) FROM apguard_changes c WHERE c.asset_id = ?)", assetID)
}
