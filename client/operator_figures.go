package client

import (
	"context"
	"time"

	"github.com/apguard/apguard/asset"
)

// Figures say how the lists of a server are kept, for the person who answers for them.
type Figures struct {
	// Months are the last twelve months in UTC, oldest first. The last one is the present month.
	Months []MonthFigures `json:"months"`
	// Due counts the decisions that are to be looked at again.
	Due struct {
		// Total counts all, and Overdue those whose time has come.
		Total   int `json:"total"`
		Overdue int `json:"overdue"`
	} `json:"due"`
	// Disputes and Reports wait for operators and reviewers.
	Disputes Waiting `json:"disputes"`
	Reports  Waiting `json:"reports"`
	Lists    struct {
		// Total is the number of lists, and Failing are those whose last sync or fetch failed, ordered by name.
		Total   int           `json:"total"`
		Failing []FailingList `json:"failing"`
	} `json:"lists"`
}

// MonthFigures are the figures of a month.
type MonthFigures struct {
	// Month is a month such as "2025-06".
	Month string `json:"month"`
	// Blocks is the number of blocks of operators and reviewers, of all reasons.
	Blocks int `json:"blocks"`
	// DisputesDecided is the number of decisions about disputes, and DisputesAccepted that of those that accepted one.
	DisputesDecided  int `json:"disputesDecided"`
	DisputesAccepted int `json:"disputesAccepted"`
	// HoursMedian and Hours90 are the median and the 90th percentile of the hours from the creation of a dispute to its
	// decision. They are nil if none was decided.
	HoursMedian *float64 `json:"hoursMedian"`
	Hours90     *float64 `json:"hours90"`
	// Reasons has the blocks by reason.
	Reasons []ReasonFigures `json:"reasons"`
}

// ReasonFigures are the figures of a reason in a month.
type ReasonFigures struct {
	Reason asset.Reason `json:"reason"`
	Blocks int          `json:"blocks"`
	// DisputesAccepted is the number of blocks that accepted disputes have ended.
	DisputesAccepted int `json:"disputesAccepted"`
}

// Waiting says how much waits.
type Waiting struct {
	Open int `json:"open"`
	// OldestAt is when the oldest was created. It is zero for none.
	OldestAt time.Time `json:"oldestAt"`
}

// FailingList is a list whose last sync or fetch failed.
type FailingList struct {
	Name string `json:"name"`
	// SyncedAt is when the last sync was completed. It is zero for never.
	SyncedAt time.Time `json:"syncedAt"`
	FailedAt time.Time `json:"failedAt"`
	// Error says why it failed, for operators.
	Error string `json:"error"`
}

func (f *Figures) validate() error {
	if len(f.Months) == 0 || f.Lists.Failing == nil {
		return responseError("it has no figures")
	}
	return nil
}

// Figures returns the figures of the present time.
func (o *Operator) Figures(ctx context.Context) (Figures, error) {
	return getPage[Figures](ctx, o.sender, "/figures", nil)
}
