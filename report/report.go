// Package report defines reports about assets. People and automations file them for
// an organization. A report proposes a status for each of its assets, and reviewers decide
// on each proposal.
//
// [Service] files and lists reports. [ReviewService] reviews proposals, withdraws reviews
// and escalates reports. [Service.List] implements the specification's "Organization
// reports listing". The specification has no other operation on reports. Over HTTP, httpapi.New
// also files them, and httpapi.NewOperator has the operations for reviewers.
package report

import (
	"slices"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/step"
)

// Report is a report with its proposals.
type Report struct {
	ID             int64  `json:"id"`
	OrganizationID int64  `json:"organizationId"`
	Title          string `json:"title"`
	Description    string `json:"description"`
	// Status follows from the proposals; see [StatusOf].
	Status Status `json:"status"`
	// BrandID is the host application's ID of the brand, or 0 if it is unknown.
	BrandID int64 `json:"brandId,omitzero"`
	// Reporter is zero if the user who filed the report is unknown.
	Reporter Reporter `json:"reporter,omitzero"`
	// Proposals are in the order in which they were filed.
	Proposals []Proposal `json:"proposals"`
	// CreatedAt and UpdatedAt are in UTC, in whole milliseconds. Reviews, withdrawals
	// and escalations update a report.
	CreatedAt time.Time `json:"createdAt"`
	UpdatedAt time.Time `json:"updatedAt"`
}

// Reporter is the user who filed a report, with the user's present name and e-mail
// address. If the store has no such user, only the ID is set.
type Reporter struct {
	ID         int64  `json:"id"`
	FullName   string `json:"fullName,omitzero"`
	Email      string `json:"email,omitzero"`
	Automation bool   `json:"automation"`
}

// Proposal proposes a status for one asset.
type Proposal struct {
	ID int64 `json:"id"`
	// Asset is the asset with its present status.
	Asset asset.Asset `json:"asset"`
	// Content is the text that was submitted, without surrounding white space.
	Content        string       `json:"content"`
	ProposedStatus asset.Status `json:"proposedStatus"`
	// ReviewID, ReviewStatus, ReviewedBy and ReviewedAt come from the review in
	// effect; see [EffectiveReview]. They are zero if no review is in effect.
	ReviewID     int64        `json:"reviewId,omitzero"`
	ReviewStatus ReviewStatus `json:"reviewStatus,omitzero"`
	ReviewedBy   int64        `json:"reviewedBy,omitzero"`
	ReviewedAt   time.Time    `json:"reviewedAt,omitzero"`
}

// PageBytes implements [step.PageItem].
func (r Report) PageBytes() int {
	size := step.PageBytes(r.Title, r.Description, r.Reporter.FullName, r.Reporter.Email)
	for _, p := range r.Proposals {
		size += step.PageBytes(p.Asset.Canonical, p.Content)
	}
	return size
}

// Updated returns the report after an update at the given time. Its Status follows from
// the proposals; see [StatusOf]. Its UpdatedAt is that time, but never before CreatedAt.
func (r Report) Updated(at time.Time) Report {
	r.Status = StatusOf(r.Proposals)
	r.UpdatedAt = slices.MaxFunc([]time.Time{r.CreatedAt, step.TruncateTime(at)}, time.Time.Compare)
	return r
}
