package client

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
)

// OperatorReport is a report as operators see it.
type OperatorReport struct {
	ID           int64             `json:"id"`
	Organization NamedOrganization `json:"organization"`
	Title        string            `json:"title"`
	Description  string            `json:"description"`
	Status       report.Status     `json:"status"`
	CreatedAt    time.Time         `json:"createdAt"`
	// UpdatedAt is when it was filed or last reviewed.
	UpdatedAt time.Time `json:"updatedAt"`
	// BrandID is 0 if it is unknown.
	BrandID int64 `json:"brandId"`
	// Reporter is zero if it is unknown.
	Reporter  report.Reporter    `json:"reporter"`
	Proposals []OperatorProposal `json:"proposals"`
}

func (r *OperatorReport) validate() error { return validateReport(*r) }

func validateReport(r OperatorReport) error {
	if !asset.ValidID(r.ID) || !asset.ValidID(r.Organization.ID) || r.Status == "" {
		return responseError("a report is incomplete")
	}
	for _, proposal := range r.Proposals {
		if err := errors.Join(validateID(proposal.ID), validateAsset(proposal.Asset), validateStatus(proposal.ProposedStatus)); err != nil {
			return err
		}
	}
	return nil
}

// OperatorProposal is a status that a report proposes for an asset, as operators see it.
type OperatorProposal struct {
	ID int64 `json:"id"`
	// Asset is the asset with its present status, and Content the text that was submitted.
	Asset          asset.Asset  `json:"asset"`
	Content        string       `json:"content"`
	ProposedStatus asset.Status `json:"proposedStatus"`
	// ReviewID, ReviewStatus, ReviewedBy and ReviewedAt are those of the review in effect. They are zero if there is
	// none.
	ReviewID     int64               `json:"reviewId"`
	ReviewStatus report.ReviewStatus `json:"reviewStatus"`
	ReviewedBy   NamedUser           `json:"reviewedBy"`
	ReviewedAt   time.Time           `json:"reviewedAt"`
}

// UnmarshalJSON implements [json.Unmarshaler].
func (p *OperatorProposal) UnmarshalJSON(text []byte) error {
	type plain OperatorProposal
	body := struct {
		*plain
		Asset assetBody `json:"asset"`
	}{plain: (*plain)(p)}
	err := json.Unmarshal(text, &body)
	p.Asset = body.Asset.value()
	return err
}

// OperatorReportsRequest selects reports of all organizations. A report must match all filters that are set.
type OperatorReportsRequest struct {
	// OrganizationID selects the reports of an organization.
	OrganizationID int64
	// Content selects the reports that propose a status for this asset, in any spelling.
	Content string
	// ReportsRequest has the other filters, the first page and the limit.
	ReportsRequest
	// OldestFirst lists the oldest report first. By default, the newest comes first.
	OldestFirst bool
}

type operatorReportsPage struct {
	Reports    []OperatorReport `json:"reports"`
	NextCursor int64            `json:"nextCursor"`
}

func (p *operatorReportsPage) validate() error {
	return validatePage(p.Reports, validateReport, p.NextCursor)
}

// Reports yields the reports of all organizations from req.Cursor on, page by page.
func (o *Operator) Reports(ctx context.Context, req OperatorReportsRequest) iter.Seq2[OperatorReport, error] {
	const path = "/report/list"
	return pages("GET "+path, req.Cursor, func(cursor int64) ([]OperatorReport, int64, error) {
		req.Cursor = cursor
		query := req.query()
		setNumber(query, "organizationId", req.OrganizationID)
		setText(query, "content", req.Content)
		setFlag(query, "oldestFirst", req.OldestFirst)
		page, err := getPage[operatorReportsPage](ctx, o.sender, path, query)
		return page.Reports, page.NextCursor, err
	})
}

type reportBacklog struct {
	report.Backlog
	// Todo shows whether there is a backlog.
	Todo *int `json:"todo"`
}

func (b *reportBacklog) validate() error {
	if b.Todo == nil {
		return responseError("it has no backlog")
	}
	b.Backlog.Todo = *b.Todo
	return nil
}

// ReportBacklog returns how many reports of an organization wait for a decision, and of all organizations with 0.
func (o *Operator) ReportBacklog(ctx context.Context, organizationID int64) (report.Backlog, error) {
	answer, err := getPage[reportBacklog](ctx, o.sender, "/report/backlog", idQuery("organizationId", organizationID))
	return answer.Backlog, err
}

// Report returns a report of any organization. The error matches [ErrNotFound] if there is none with the ID.
func (o *Operator) Report(ctx context.Context, id int64) (OperatorReport, error) {
	return getPage[OperatorReport](ctx, o.sender, "/report/get", idQuery("id", id))
}

// Review is a review of a proposal.
type Review struct {
	ID         int64               `json:"id"`
	ProposalID int64               `json:"proposalId"`
	Status     report.ReviewStatus `json:"reviewStatus"`
	// ReviewedBy and ReviewedAt are zero if they are unknown.
	ReviewedBy NamedUser `json:"reviewedBy"`
	ReviewedAt time.Time `json:"reviewedAt"`
	// Comment may be empty.
	Comment string `json:"comment"`
	// WithdrawnAt, WithdrawnBy and WithdrawnReason are zero unless the review was withdrawn.
	WithdrawnAt     time.Time `json:"withdrawnAt"`
	WithdrawnBy     NamedUser `json:"withdrawnBy"`
	WithdrawnReason string    `json:"withdrawnReason"`
}

func validateReview(r Review) error {
	if !asset.ValidID(r.ID) || !asset.ValidID(r.ProposalID) || r.Status == "" {
		return responseError("a review is incomplete")
	}
	return nil
}

type reviewsAnswer struct {
	Reviews []Review `json:"reviews"`
}

func (a *reviewsAnswer) validate() error { return validatePage(a.Reviews, validateReview, 0) }

// Reviews returns all reviews of a proposal, including withdrawn ones. The error matches [ErrNotFound] if there is no
// such proposal.
func (o *Operator) Reviews(ctx context.Context, proposalID int64) ([]Review, error) {
	answer, err := getPage[reviewsAnswer](ctx, o.sender, "/report/reviews", idQuery("proposalId", proposalID))
	return answer.Reviews, err
}

// ReviewRequest reviews a proposal.
type ReviewRequest struct {
	ProposalID int64
	// Status is the review: an APPROVE gives the asset the proposed status.
	Status  report.ReviewStatus
	Comment string
	// ConfirmProtected confirms an approval that blocks a protected asset; see [asset.Protection].
	ConfirmProtected bool
	// IfReview is the ReviewID of the proposal that the caller saw, which is 0 if no review was in effect. If another
	// review is in effect now, nothing is stored.
	IfReview int64
	// IdempotencyKey has 1 to 255 visible ASCII characters. If it is empty, the call has a key of its own.
	IdempotencyKey string
}

// UpdatedReport is a report after an operator has changed it.
type UpdatedReport struct {
	OperatorReport
	// Exceptions are the assets that stay ALLOWED below the asset that [Operator.ReviewProposal] has blocked.
	Exceptions Exceptions `json:"-"`
	// Replayed reports whether the request was executed before, with the same key.
	Replayed bool `json:"-"`
}

type updatedReport struct {
	UpdatedReport
	exceptionsBody
}

func (u *updatedReport) validate() error {
	u.UpdatedReport.Exceptions = u.value()
	return errors.Join(u.OperatorReport.validate(), u.exceptionsBody.validate())
}

// ReviewProposal adds a review to a proposal. The error matches [ErrNotFound] if there is no such proposal,
// [asset.ErrChanged] if another review than IfReview is in effect, and [asset.ErrProtected] if an approval would block
// a protected asset without confirming it.
func (o *Operator) ReviewProposal(ctx context.Context, req ReviewRequest) (UpdatedReport, error) {
	return o.updateReport(ctx, "/report/review", req.IdempotencyKey, struct {
		ProposalID       int64               `json:"proposalId"`
		Status           report.ReviewStatus `json:"reviewStatus"`
		Comment          string              `json:"comment,omitzero"`
		ConfirmProtected bool                `json:"confirmProtected,omitzero"`
		IfReview         *int64              `json:"ifReview"`
	}{req.ProposalID, req.Status, req.Comment, req.ConfirmProtected, orNull(req.IfReview)})
}

// WithdrawReviewRequest withdraws a review.
type WithdrawReviewRequest struct {
	ReviewID int64 `json:"reviewId"`
	// Reason may be empty.
	Reason string `json:"reason,omitzero"`
	// IfReview is the ReviewID of the proposal that the caller saw. If another review is in effect now, nothing is
	// stored. If it is 0, the review to withdraw must be in effect.
	IfReview int64 `json:"ifReview,omitzero"`
	// IdempotencyKey is as in [ReviewRequest].
	IdempotencyKey string `json:"-"`
}

// WithdrawReview withdraws an APPROVE or a REJECT, which then no longer counts. The error matches [ErrNotFound] if
// there is no such review, [asset.ErrChanged] if another one is in effect, and [ErrConflict] if it is another kind of
// review or already withdrawn.
func (o *Operator) WithdrawReview(ctx context.Context, req WithdrawReviewRequest) (UpdatedReport, error) {
	return o.updateReport(ctx, "/report/withdraw", req.IdempotencyKey, req)
}

// EscalateRequest escalates a report.
type EscalateRequest struct {
	// ID is the ID of the report.
	ID int64 `json:"id"`
	// Comment may be empty.
	Comment string `json:"comment,omitzero"`
	// IdempotencyKey is as in [ReviewRequest].
	IdempotencyKey string `json:"-"`
}

// EscalateReport adds an ESCALATE to each undecided proposal of a report. The error matches [ErrNotFound] if there is
// no such report, and [ErrConflict] if it has no undecided proposal.
func (o *Operator) EscalateReport(ctx context.Context, req EscalateRequest) (UpdatedReport, error) {
	return o.updateReport(ctx, "/report/escalate", req.IdempotencyKey, req)
}

func (o *Operator) updateReport(ctx context.Context, path, key string, body any) (UpdatedReport, error) {
	answer, err := update(ctx, o, path, key, body, func(r *response) updatedReport {
		return updatedReport{UpdatedReport: UpdatedReport{Replayed: isReplay(r)}}
	})
	return answer.UpdatedReport, err
}

// orNull returns a pointer to an ID, or nil for 0, which is null in JSON.
func orNull(id int64) *int64 {
	if id == 0 {
		return nil
	}
	return &id
}
