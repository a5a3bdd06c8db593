package sqlstore

import (
	"context"
	"fmt"
	"slices"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/step"
)

const (
	reviewColumnNames = `proposal_id, status, weight, reviewed_by, reviewed_at, comment, change_id, decided_at,
			withdrawn_by, withdrawn_at, withdrawn_reason`

	insertReview = `INSERT INTO apguard_reviews (` + reviewColumnNames + `) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

	importReview = `INSERT INTO apguard_reviews (id, ` + reviewColumnNames + `) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

	updateProposal = `UPDATE apguard_proposals SET review_id = ?, review_status = ?, reviewed_by = ?, reviewed_at = ? WHERE id = ?`

	updateReport = `UPDATE apguard_reports SET status = ?, updated_at = ? WHERE id = ?`
)

// AddReviews implements report.ReviewStore.
func (s *Store) AddReviews(ctx context.Context, cmd report.ReviewCommand) (report.Report, error) {
	return writeOnce(ctx, s, "add reviews", cmd.Claim, cmd.Record, func(ctx context.Context, on session) (report.Report, error) {
		return on.addReviews(ctx, cmd)
	})
}

func (s session) addReviews(ctx context.Context, cmd report.ReviewCommand) (report.Report, error) {
	r, err := s.lockReport(ctx, cmd.Scope, reviewedBy(cmd))
	if err != nil {
		return report.Report{}, orContractError(err, report.ErrNotFound)
	}
	totals := make(map[int64]report.ReviewTotal)
	for _, id := range cmd.ProposalIDs(r) {
		if totals[id], err = s.reviewTotal(ctx, id); err != nil {
			return report.Report{}, err
		}
	}
	reviews, err := cmd.Apply(r, totals)
	if err != nil {
		return report.Report{}, ContractError{err}
	}
	for _, review := range reviews {
		if err := s.addReview(ctx, r, review); err != nil {
			return report.Report{}, err
		}
	}
	return s.updateReport(ctx, r.Updated(cmd.At))
}

// Proposal implements report.ReviewStore.
func (s *Store) Proposal(ctx context.Context, scope report.Scope, id int64) (report.Proposal, error) {
	return readOnce(ctx, s, short("proposal"), func(ctx context.Context, on session) (report.Proposal, error) {
		found, err := on.reportWhere(ctx, ofProposal(id))
		if err == nil && !scope.Contains(found.OrganizationID) {
			err = errNoRow
		}
		if err != nil {
			return report.Proposal{}, orContractError(err, report.ErrProposalNotFound)
		}
		return *proposalOf(found, id), nil
	})
}

// reviewedBy returns the condition that the command selects a report.
func reviewedBy(cmd report.ReviewCommand) squirrel.Sqlizer {
	if cmd.ProposalID == 0 {
		return squirrel.Eq{"r.id": cmd.ReportID}
	}
	return ofProposal(cmd.ProposalID)
}

// ofProposal returns the condition that a report has the proposal.
func ofProposal(id int64) squirrel.Sqlizer {
	return squirrel.Expr("r.id = (SELECT p.report_id FROM apguard_proposals p WHERE p.id = ?)", id)
}

// addReview adds a review to its proposal in the report.
func (s session) addReview(ctx context.Context, r report.Report, review report.Review) (err error) {
	p := proposalOf(r, review.ProposalID)
	if status, sets := review.Sets(*p); sets {
		review.DecidedAt, review.ChangeID, err = s.decide(ctx, p.Asset.ID, status, review.ReviewedAt, review.Origin(r.ID))
		if err != nil {
			return err
		}
		p.Asset.Status = status
	}
	review.ID, err = s.insert(ctx, insertReview, reviewColumns(review)...)
	if err != nil {
		return err
	}
	*p = review.Apply(*p)
	return s.updateProposal(ctx, *p)
}

// reviewTotal returns the total of the proposal's reviews.
func (s session) reviewTotal(ctx context.Context, proposalID int64) (report.ReviewTotal, error) {
	return collectOne(ctx, s, s.dialect.ReviewTotal(proposalID), func(row Row) (report.ReviewTotal, error) {
		var total report.ReviewTotal
		err := row.Scan(&total.Reviews, &total.Bytes)
		return total, err
	})
}

// Reviews implements report.ReviewStore.
func (s *Store) Reviews(ctx context.Context, scope report.Scope, proposalID, after int64, limit int) (step.Page[report.Review], error) {
	return readOnce(ctx, s, listing("reviews"), func(ctx context.Context, on session) (step.Page[report.Review], error) {
		_, err := collectOne(ctx, on, s.dialect.reportInScope(scope, ofProposal(proposalID)), scanID)
		if err != nil {
			return step.Page[report.Review]{}, orContractError(err, report.ErrProposalNotFound)
		}
		return readPage(ctx, on, limit, s.dialect.Reviews(proposalID, after, limit), scanReview)
	})
}

// lockReport returns the report in the scope that meets the condition, or errNoRow.
// Until the end of the transaction, no other transaction gets it. Assets are locked
// after their report.
func (s session) lockReport(ctx context.Context, scope report.Scope, condition squirrel.Sqlizer) (report.Report, error) {
	id, err := collectOne(ctx, s, s.dialect.reportInScope(scope, condition).Suffix(s.dialect.Lock), scanID)
	if err != nil {
		return report.Report{}, err
	}
	return s.report(ctx, id)
}

// reportInScope returns the query for the ID of the report in the scope that meets the
// condition.
func (d Dialect) reportInScope(scope report.Scope, condition squirrel.Sqlizer) squirrel.SelectBuilder {
	query := d.selectFrom("apguard_reports r", "r.id").Where(condition)
	if id, one := scope.OrganizationID(); one {
		query = query.Where(squirrel.Eq{"r.organization_id": id})
	}
	return query
}

// proposalOf returns the proposal of the report with the ID, which it has.
func proposalOf(r report.Report, id int64) *report.Proposal {
	i := slices.IndexFunc(r.Proposals, func(p report.Proposal) bool { return p.ID == id })
	return &r.Proposals[i]
}

// updateProposal stores the review that the proposal shows.
func (s session) updateProposal(ctx context.Context, p report.Proposal) error {
	return s.exec(ctx, updateProposal, p.ReviewID, string(p.ReviewStatus), p.ReviewedBy, Millis(p.ReviewedAt), p.ID)
}

// updateReport stores the status and the time of update of the report, and returns it.
func (s session) updateReport(ctx context.Context, r report.Report) (report.Report, error) {
	return r, s.exec(ctx, updateReport, string(r.Status), Millis(r.UpdatedAt), r.ID)
}

// Reviews returns the query for a page of a proposal's reviews. scanReview reads its
// rows. The subquery keeps PostgreSQL from scanning the reviews of all proposals by ID
// if one proposal has very many.
func (d Dialect) Reviews(proposalID, after int64, limit int) squirrel.SelectBuilder {
	return d.selectFrom("apguard_reviews", "id", reviewColumnNames).
		Where("proposal_id = (SELECT p.id FROM apguard_proposals p WHERE p.id = ?)", proposalID).
		Where(squirrel.Gt{"id": after}).
		OrderBy("id").
		Limit(rowLimit(limit))
}

// ReviewTotal returns the query for the number of a proposal's reviews and the bytes of
// their texts. The subquery is there for the same reason as that of Reviews.
func (d Dialect) ReviewTotal(proposalID int64) squirrel.SelectBuilder {
	return d.selectFrom("apguard_reviews", "count(*)",
		fmt.Sprintf("coalesce(sum(%s + %s), 0)", d.Bytes("comment"), d.Bytes("withdrawn_reason"))).
		Where("proposal_id = (SELECT p.id FROM apguard_proposals p WHERE p.id = ?)", proposalID)
}

// reviewColumns are the values of insertReview.
func reviewColumns(r report.Review) []any {
	return []any{
		r.ProposalID, string(r.Status), r.Weight(), r.ReviewedBy, Millis(r.ReviewedAt), r.Comment, r.ChangeID, Millis(r.DecidedAt),
		r.WithdrawnBy, Millis(r.WithdrawnAt), r.WithdrawnReason,
	}
}

// importReviewColumns are the values of importReview.
func importReviewColumns(r report.Review) []any {
	return append([]any{r.ID}, reviewColumns(r)...)
}

func scanReview(row Row) (report.Review, error) {
	var (
		r      report.Review
		weight int64
	)
	err := row.Scan(&r.ID, &r.ProposalID, &r.Status, &weight, &r.ReviewedBy, (*timeColumn)(&r.ReviewedAt), &r.Comment, &r.ChangeID,
		(*timeColumn)(&r.DecidedAt), &r.WithdrawnBy, (*timeColumn)(&r.WithdrawnAt), &r.WithdrawnReason)
	return r, err
}
