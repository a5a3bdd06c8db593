package sqlstore

import (
	"context"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
)

const (
	reviewColumnNames = `proposal_id, status, weight, reviewed_by, reviewed_at, comment,
			withdrawn_by, withdrawn_at, withdrawn_reason`

	insertReview = `INSERT INTO apguard_reviews (` + reviewColumnNames + `) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`

	importReview = `INSERT INTO apguard_reviews (id, ` + reviewColumnNames + `) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

	selectReview = `SELECT id, ` + reviewColumnNames + ` FROM apguard_reviews WHERE id = ?`

	withdrawReview = `UPDATE apguard_reviews SET weight = ?, withdrawn_by = ?, withdrawn_at = ?, withdrawn_reason = ? WHERE id = ?`

	// What the next two select never changes.
	selectProposed = `SELECT p.id, p.report_id, r.organization_id, r.created_at, p.asset_id, p.proposed_status
		FROM apguard_proposals p JOIN apguard_reports r ON r.id = p.report_id WHERE p.id = ?`

	selectOwner = `SELECT organization_id, created_at FROM apguard_reports WHERE id = ?`

	lockReport = `SELECT id FROM apguard_reports WHERE id = ?`

	selectStatus = `SELECT status FROM apguard_assets WHERE id = ?`

	selectReviewStatuses = `SELECT id, review_status FROM apguard_proposals WHERE report_id = ? ORDER BY id`

	updateStanding = `UPDATE apguard_proposals SET review_id = ?, review_status = ?, reviewed_by = ?, reviewed_at = ? WHERE id = ?`

	selectEffect = `SELECT change_id, changed_from, change_since FROM apguard_proposals WHERE id = ?`

	updateEffect = `UPDATE apguard_proposals SET change_id = ?, changed_from = ?, change_since = ? WHERE id = ?`

	updateReport = `UPDATE apguard_reports SET status = ?, updated_at = ? WHERE id = ?`
)

// proposed is a proposal and what it belongs to, as far as it never changes.
type proposed struct {
	ID      int64
	report  owned
	assetID int64
	status  asset.Status
}

// owned is a report, as far as it never changes.
type owned struct {
	ID, organizationID int64
	createdAt          time.Time
}

// ReviewProposal implements report.Store.
func (s *Store) ReviewProposal(ctx context.Context, draft report.ReviewDraft) (report.Report, error) {
	return write(ctx, s, "review proposal", func(ctx context.Context, on session) (report.Report, error) {
		p, err := on.proposed(ctx, draft.OrganizationID, draft.ProposalID)
		if err != nil {
			return report.Report{}, orContractError(err, report.ErrProposalNotFound)
		}
		if err := on.lockReport(ctx, p.report.ID); err != nil {
			return report.Report{}, err
		}
		id, err := on.keepReview(ctx, draft)
		if err != nil {
			return report.Report{}, err
		}
		if err := on.reviewAsset(ctx, draft, id, p); err != nil {
			return report.Report{}, err
		}
		return on.updatedReport(ctx, p.report, draft.At)
	})
}

// WithdrawReview implements report.Store.
func (s *Store) WithdrawReview(ctx context.Context, withdrawal report.Withdrawal) (report.Report, error) {
	return write(ctx, s, "withdraw review", func(ctx context.Context, on session) (report.Report, error) {
		review, err := on.review(ctx, withdrawal.ReviewID)
		if err != nil {
			return report.Report{}, orContractError(err, report.ErrReviewNotFound)
		}
		p, err := on.proposed(ctx, withdrawal.OrganizationID, review.ProposalID)
		if err != nil {
			return report.Report{}, orContractError(err, report.ErrReviewNotFound)
		}
		if err := on.lockReport(ctx, p.report.ID); err != nil {
			return report.Report{}, err
		}
		// Another one may have withdrawn it before the lock.
		review, err = on.review(ctx, withdrawal.ReviewID)
		if err != nil {
			return report.Report{}, err
		}
		withdrawn, err := withdrawal.Of(review)
		if err != nil {
			return report.Report{}, ContractError{err}
		}
		err = on.exec(ctx, withdrawReview, withdrawn.Weight(), withdrawn.WithdrawnBy, Millis(withdrawn.WithdrawnAt),
			withdrawn.WithdrawnReason, withdrawn.ID)
		if err != nil {
			return report.Report{}, err
		}
		standing, err := on.showStanding(ctx, p.ID)
		if err != nil {
			return report.Report{}, err
		}
		after := report.Aftermath{Withdrawn: withdrawn.Status, Standing: standing, Proposed: p.status}
		if err := on.settle(ctx, withdrawal, p, after); err != nil {
			return report.Report{}, err
		}
		return on.updatedReport(ctx, p.report, withdrawal.At)
	})
}

// EscalateReport implements report.Store.
func (s *Store) EscalateReport(ctx context.Context, escalation report.Escalation) (report.Report, error) {
	return write(ctx, s, "escalate report", func(ctx context.Context, on session) (report.Report, error) {
		r, err := on.owned(ctx, escalation.OrganizationID, escalation.ReportID)
		if err != nil {
			return report.Report{}, orContractError(err, report.ErrNotFound)
		}
		if err := on.lockReport(ctx, r.ID); err != nil {
			return report.Report{}, err
		}
		proposals, err := on.reviewStatuses(ctx, r.ID)
		if err != nil {
			return report.Report{}, err
		}
		drafts, err := escalation.Drafts(proposals)
		if err != nil {
			return report.Report{}, ContractError{err}
		}
		for _, draft := range drafts {
			if _, err := on.keepReview(ctx, draft); err != nil {
				return report.Report{}, err
			}
		}
		return on.updatedReport(ctx, r, escalation.At)
	})
}

// ProposalReviews implements report.Store.
func (s *Store) ProposalReviews(ctx context.Context, organizationID, proposalID, after int64, limit int) ([]report.Review, error) {
	return readOnce(ctx, s, "proposal reviews", func(ctx context.Context, on session) ([]report.Review, error) {
		if _, err := on.proposed(ctx, organizationID, proposalID); err != nil {
			return nil, orContractError(err, report.ErrProposalNotFound)
		}
		return collectBuilt(ctx, on, s.dialect.Reviews(proposalID, after, limit), scanReview)
	})
}

// proposed returns the proposal, or errNoRow when the organization has none such.
func (s session) proposed(ctx context.Context, organizationID, id int64) (proposed, error) {
	var (
		p       proposed
		created int64
	)
	err := s.get(ctx, selectProposed, []any{id},
		&p.ID, &p.report.ID, &p.report.organizationID, &created, &p.assetID, &p.status)
	p.report.createdAt = Time(created)
	if err == nil && !report.Visible(p.report.organizationID, organizationID) {
		err = errNoRow
	}
	return p, err
}

// owned returns the report, or errNoRow when the organization has none such.
func (s session) owned(ctx context.Context, organizationID, id int64) (owned, error) {
	var (
		r       = owned{ID: id}
		created int64
	)
	err := s.get(ctx, selectOwner, []any{id}, &r.organizationID, &created)
	r.createdAt = Time(created)
	if err == nil && !report.Visible(r.organizationID, organizationID) {
		err = errNoRow
	}
	return r, err
}

// lockReport makes those who review the same report come one after the other, as its
// status follows from all its reviews. The lock of an asset comes after it.
func (s session) lockReport(ctx context.Context, id int64) error {
	return s.get(ctx, lockReport+s.dialect.Lock, []any{id}, &id)
}

// lockAsset returns the status of an asset, which nobody else changes any more.
func (s session) lockAsset(ctx context.Context, id int64) (asset.Status, error) {
	var now asset.Status
	err := s.get(ctx, selectStatus+s.dialect.Lock, []any{id}, &now)
	return now, err
}

// keepReview keeps a review, shows the one that stands now, and returns the new one's
// identifier.
func (s session) keepReview(ctx context.Context, draft report.ReviewDraft) (int64, error) {
	id, err := s.insert(ctx, insertReview, reviewColumns(draft.Review())...)
	if err != nil {
		return 0, err
	}
	_, err = s.showStanding(ctx, draft.ProposalID)
	return id, err
}

// showStanding makes the proposal show the review that stands, and returns it.
func (s session) showStanding(ctx context.Context, proposalID int64) (report.Review, error) {
	found, err := collectBuilt(ctx, s, s.dialect.Standing(proposalID), scanReview)
	if err != nil {
		return report.Review{}, err
	}
	standing := report.Standing(found)
	return standing, s.exec(ctx, updateStanding,
		standing.ID, string(standing.Status), standing.By, Millis(standing.At), proposalID)
}

// reviewAsset gives the asset of a proposal the status that follows from the review
// with that identifier.
func (s session) reviewAsset(ctx context.Context, draft report.ReviewDraft, id int64, p proposed) error {
	now, err := s.lockAsset(ctx, p.assetID)
	if err != nil {
		return err
	}
	changeID, err := s.setStatus(ctx, p.assetID, now, draft.AssetStatus(p.status, now), draft.At, draft.Origin(p.report.ID))
	if err != nil || changeID == 0 {
		return err
	}
	return s.setEffect(ctx, p.ID, report.Effect{ChangeID: changeID, From: now, Since: id})
}

// settle gives the asset of a proposal the status, and the proposal the effect, that
// follow from the withdrawal. It completes what is known of the aftermath, of which a
// withdrawal that concerns no effect needs nothing.
func (s session) settle(ctx context.Context, withdrawal report.Withdrawal, p proposed, after report.Aftermath) error {
	err := s.get(ctx, selectEffect, []any{p.ID}, &after.Effect.ChangeID, &after.Effect.From, &after.Effect.Since)
	if err != nil || !after.Effect.Concerns(after.Withdrawn) {
		return err
	}
	if after.Now, err = s.lockAsset(ctx, p.assetID); err != nil {
		return err
	}
	if after.LastApproval, err = s.firstID(ctx, s.dialect.LastApproval(p.ID)); err != nil {
		return err
	}
	if after.LastChange, err = s.firstID(ctx, s.dialect.LastChange(p.assetID)); err != nil {
		return err
	}
	status, effect := after.Settle()
	if _, err := s.setStatus(ctx, p.assetID, after.Now, status, withdrawal.At, withdrawal.Origin(p.report.ID)); err != nil {
		return err
	}
	return s.setEffect(ctx, p.ID, effect)
}

func (s session) setEffect(ctx context.Context, proposalID int64, effect report.Effect) error {
	return s.exec(ctx, updateEffect, effect.ChangeID, string(effect.From), effect.Since, proposalID)
}

// firstID returns the identifier that the query finds first, or 0.
func (s session) firstID(ctx context.Context, query squirrel.SelectBuilder) (int64, error) {
	found, err := collectBuilt(ctx, s, query, scanID)
	if err != nil || len(found) == 0 {
		return 0, err
	}
	return found[0], nil
}

// reviewStatuses returns the proposals of a report with their identifiers and review
// statuses alone.
func (s session) reviewStatuses(ctx context.Context, reportID int64) ([]report.Proposal, error) {
	return collect(ctx, s, selectReviewStatuses, []any{reportID}, func(row Row) (report.Proposal, error) {
		var p report.Proposal
		err := row.Scan(&p.ID, &p.ReviewStatus)
		return p, err
	})
}

// updatedReport gives a report the status that follows from its reviews, and returns
// it.
func (s session) updatedReport(ctx context.Context, r owned, at time.Time) (report.Report, error) {
	proposals, err := s.reviewStatuses(ctx, r.ID)
	if err != nil {
		return report.Report{}, err
	}
	reviews := make([]report.ReviewStatus, len(proposals))
	for i, p := range proposals {
		reviews[i] = p.ReviewStatus
	}
	err = s.exec(ctx, updateReport, string(report.StatusOf(reviews)), Millis(asset.UpdatedAt(r.createdAt, at)), r.ID)
	if err != nil {
		return report.Report{}, err
	}
	return s.report(ctx, r.ID)
}

// review returns the review with that identifier, or errNoRow.
func (s session) review(ctx context.Context, id int64) (report.Review, error) {
	found, err := collect(ctx, s, selectReview, []any{id}, scanReview)
	if err != nil {
		return report.Review{}, err
	}
	if len(found) == 0 {
		return report.Review{}, errNoRow
	}
	return found[0], nil
}

// Standing returns the query for the review of a proposal that stands, which is
// report.Standing in SQL. scanReview reads its row.
func (d Dialect) Standing(proposalID int64) squirrel.SelectBuilder {
	return d.selectFrom("apguard_reviews", "id", reviewColumnNames).
		Where(squirrel.Eq{"proposal_id": proposalID}).
		Where("weight > 0").
		OrderBy("weight DESC", "id DESC").
		Limit(1)
}

// Reviews returns the query for a page of a proposal's reviews, as report.Store has
// it. scanReview reads its rows.
//
// That the proposal is looked up keeps PostgreSQL from going by identifier through
// the reviews of all proposals when one proposal has very many.
func (d Dialect) Reviews(proposalID, after int64, limit int) squirrel.SelectBuilder {
	return d.selectFrom("apguard_reviews", "id", reviewColumnNames).
		Where("proposal_id = (SELECT p.id FROM apguard_proposals p WHERE p.id = ?)", proposalID).
		Where(squirrel.Gt{"id": after}).
		OrderBy("id").
		Limit(uint64(max(limit, 0)))
}

// LastApproval returns the query for the last approval of a proposal that is not
// withdrawn, which is report.LastApproval in SQL.
func (d Dialect) LastApproval(proposalID int64) squirrel.SelectBuilder {
	approval := report.Review{Status: report.ReviewApprove}
	return d.selectFrom("apguard_reviews", "id").
		Where(squirrel.Eq{"proposal_id": proposalID, "weight": approval.Weight(), "status": string(approval.Status)}).
		OrderBy("weight DESC", "id DESC").
		Limit(1)
}

// LastChange returns the query for the largest identifier of an asset's changes. The
// sum keeps PostgreSQL from looking for it among those of all assets.
func (d Dialect) LastChange(assetID int64) squirrel.SelectBuilder {
	return d.selectFrom("apguard_changes", "COALESCE(max(id + 0), 0)").
		Where(squirrel.Eq{"asset_id": assetID})
}

// reviewColumns are the values of insertReview.
func reviewColumns(r report.Review) []any {
	return []any{
		r.ProposalID, string(r.Status), r.Weight(), r.By, Millis(r.At), r.Comment,
		r.WithdrawnBy, Millis(r.WithdrawnAt), r.WithdrawnReason,
	}
}

// importReviewColumns are the values of importReview.
func importReviewColumns(r report.Review) []any {
	return append([]any{r.ID}, reviewColumns(r)...)
}

func scanReview(row Row) (report.Review, error) {
	var (
		r                   report.Review
		weight              int64
		reviewed, withdrawn int64
	)
	err := row.Scan(&r.ID, &r.ProposalID, &r.Status, &weight, &r.By, &reviewed, &r.Comment,
		&r.WithdrawnBy, &withdrawn, &r.WithdrawnReason)
	r.At, r.WithdrawnAt = Time(reviewed), Time(withdrawn)
	return r, err
}
