// Package report defines the reports that the people and automations of an organization
// file about assets. A report proposes a status for each of its assets, and reviewers
// decide on each proposal.
//
// [Service] files and lists reports. [ReviewService] reviews, withdraws and escalates.
// Only [Service.List] is an operation of the specification, its "Organization reports
// listing"; everything else is Go API.
package report

import (
	"time"

	"github.com/apguard/apguard/asset"
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
	// Reporter is zero if it is unknown who filed the report.
	Reporter Reporter `json:"reporter,omitzero"`
	// Proposals are in the order in which they were filed.
	Proposals []Proposal `json:"proposals"`
	// CreatedAt and UpdatedAt are in UTC, in whole milliseconds. Reviews, withdrawals
	// and escalations update a report.
	CreatedAt time.Time `json:"createdAt"`
	UpdatedAt time.Time `json:"updatedAt"`
}

// Reporter is the user who filed a report, as the store knows the user now. Everything
// except the ID is zero if the store does not know the user.
type Reporter struct {
	ID         int64  `json:"id"`
	FullName   string `json:"fullName,omitzero"`
	Email      string `json:"email,omitzero"`
	Automation bool   `json:"automation"`
}

// Proposal proposes a status for one asset.
type Proposal struct {
	ID int64 `json:"id"`
	// Asset is the asset as it is now.
	Asset asset.Asset `json:"asset"`
	// Content is the text that was submitted, without surrounding white space.
	Content        string       `json:"content"`
	ProposedStatus asset.Status `json:"proposedStatus"`
	// ReviewID, ReviewStatus, ReviewedBy and ReviewedAt are those of the review in
	// effect; see [EffectiveReview]. They are zero if no review is in effect.
	ReviewID     int64        `json:"reviewId,omitzero"`
	ReviewStatus ReviewStatus `json:"reviewStatus,omitzero"`
	ReviewedBy   int64        `json:"reviewedBy,omitzero"`
	ReviewedAt   time.Time    `json:"reviewedAt,omitzero"`
}

// Updated returns the report with the status that follows from its proposals and the
// time of its update. UpdatedAt is never before CreatedAt.
func (r Report) Updated(at time.Time) Report {
	r.Status = StatusOf(r.Proposals)
	r.UpdatedAt = asset.UpdatedAt(r.CreatedAt, at)
	return r
}
