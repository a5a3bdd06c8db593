// Package report holds the reports that an organization's people and machines
// file about assets: each report proposes a status for one asset or several, and
// reviewers decide on each proposal.
//
// [Service.List] follows the specification's "Organization reports listing". All
// else is Go API only, as the specification gives it no operation: [Service.File]
// and [Service.Review] are what fills that list, [Service.Withdraw] takes a decision
// back, [Service.Escalate] passes a report on, and [Service.Get] and
// [Service.Reviews] read it. Every [Review] is kept.
package report

import (
	"time"

	"github.com/apguard/apguard/asset"
)

// Report is what was reported about one asset or several.
type Report struct {
	ID             int64
	OrganizationID int64
	Title          string
	Description    string
	Status         Status
	// BrandID is the host's identifier of the brand concerned, 0 when none is
	// known.
	BrandID int64
	// Reporter has the ID 0 when nobody is known to have filed the report.
	Reporter Reporter
	// Proposals are in the order in which they were filed.
	Proposals []Proposal
	// CreatedAt and UpdatedAt are in UTC and have whole milliseconds. A review, a
	// withdrawal and an escalation update a report.
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Reporter is the user who filed a report, as the store knows that user now. For
// a user whom the store does not know, all but the ID is zero.
type Reporter struct {
	ID         int64
	FullName   string
	Email      string
	Automation bool
}

// Proposal proposes a status for one asset.
type Proposal struct {
	ID             int64
	Asset          asset.Asset
	ProposedStatus asset.Status
	// ReviewID, ReviewStatus, ReviewedBy (a user) and ReviewedAt are those of the
	// review that stands, as [Standing] has it, and zero when there is none.
	// ReviewedBy is 0 too when the reviewer is not known.
	ReviewID     int64
	ReviewStatus ReviewStatus
	ReviewedBy   int64
	ReviewedAt   time.Time
}

// Show makes standing the review that the proposal shows.
func (p *Proposal) Show(standing Review) {
	p.ReviewID, p.ReviewStatus = standing.ID, standing.Status
	p.ReviewedBy, p.ReviewedAt = standing.By, standing.At
}

// Visible reports whether what belongs to the owner, an organization, can be seen by
// one who asks for that of an organization, or with 0 for that of any.
func Visible(owner, organizationID int64) bool {
	return organizationID == 0 || organizationID == owner
}
