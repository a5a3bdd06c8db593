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
		if err := on.withdraw(ctx, cmd, r, review); err != nil {
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

// withdraw stores a withdrawn review, shows the one in effect in its proposal, and puts
// the asset back if that is due. An asset that the review did not change is not locked.
func (s session) withdraw(ctx context.Context, cmd report.WithdrawCommand, r report.Report, withdrawn report.Review) error {
	err := s.exec(ctx, withdrawReview, withdrawn.Weight(), withdrawn.WithdrawnBy, Millis(withdrawn.WithdrawnAt),
		withdrawn.WithdrawnReason, withdrawn.ID)
	if err != nil {
		return err
	}
	found, err := collectBuilt(ctx, s, s.dialect.EffectiveReview(withdrawn.ProposalID), scanReview)
	if err != nil {
		return err
	}
	effective := report.EffectiveReview(found)
	p := proposalOf(r, withdrawn.ProposalID)
	*p = p.Showing(effective)
	if err := s.updateProposal(ctx, *p); err != nil || withdrawn.ChangeID == 0 {
		return err
	}
	if p.Asset.Status, err = s.lockAsset(ctx, p.Asset.ID); err != nil {
		return err
	}
	last, err := s.lastChange(ctx, p.Asset.ID)
	if err != nil || !report.Restores(withdrawn, effective, last) {
		return err
	}
	_, err = s.changeAsset(ctx, &p.Asset, last.From, cmd.At, cmd.Origin(r.ID))
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
