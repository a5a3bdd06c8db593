// Package report holds the reports that an organisation's people and machines
// file about assets: each report proposes a status for one asset or several, and
// reviewers decide on each proposal.
//
// [Service.List] follows the specification's "Organization reports listing".
// [Service.File] and [Service.Review] are what fills that list; they are Go API
// only, as the specification gives them no operation.
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
	// CreatedAt and UpdatedAt are in UTC and have whole milliseconds. A review
	// updates a report.
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
	// ReviewStatus, ReviewedBy (a user) and ReviewedAt are those of the last
	// review, and zero before the first. ReviewedBy is 0 too when the reviewer is
	// not known.
	ReviewStatus ReviewStatus
	ReviewedBy   int64
	ReviewedAt   time.Time
}
