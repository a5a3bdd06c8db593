package rules

import (
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/report"
)

// Limits are the limits that a front end needs before it sends a request. Lengths are in bytes
// of UTF-8.
type Limits struct {
	// RulesVersion is [classify.Version]. Data of other rules, such as hash lists, does not fit.
	RulesVersion int `json:"rulesVersion"`
	// MaxAssets and MaxItems are the maximum numbers of elements of a batch add and of a batch
	// of checks.
	MaxAssets int `json:"maxAssets"`
	MaxItems  int `json:"maxContents"`
	// MaxContent is the maximum length of the content of an asset.
	MaxContent int `json:"maxContent"`
	// MaxName and MaxDescription are the maximum lengths of the texts of an asset in a batch add.
	MaxName        int `json:"maxName"`
	MaxDescription int `json:"maxDescription"`
	// MaxDisputeDescription is the maximum length of the description of a dispute, MaxNote that
	// of a note or a reason, and MaxComment that of the comment of a review.
	MaxDisputeDescription int `json:"maxDisputeDescription"`
	MaxNote               int `json:"maxNote"`
	MaxComment            int `json:"maxComment"`

	AssetTypes     []asset.Type          `json:"assetTypes"`
	AssetStatuses  []asset.Status        `json:"assetStatuses"`
	DisputeStates  []dispute.State       `json:"disputeStates"`
	ReportStatuses []report.Status       `json:"reportStatuses"`
	ReviewStatuses []report.ReviewStatus `json:"reviewStatuses"`
}

func limits(struct{}) Limits {
	return Limits{
		RulesVersion:          classify.Version,
		MaxAssets:             allowlist.MaxItems,
		MaxItems:              check.MaxItems,
		MaxContent:            classify.MaxContent,
		MaxName:               allowlist.MaxName,
		MaxDescription:        allowlist.MaxDescription,
		MaxDisputeDescription: dispute.MaxDescription,
		MaxNote:               dispute.MaxNoteBytes,
		MaxComment:            report.MaxComment,
		AssetTypes:            asset.Types(),
		AssetStatuses:         asset.Statuses(),
		DisputeStates:         dispute.States(),
		ReportStatuses:        report.Statuses(),
		ReviewStatuses:        report.ReviewStatuses(),
	}
}
