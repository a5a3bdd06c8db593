package httpapi

import (
	"context"
	"math"
	"time"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/lists"
)

type figuresResponse struct {
	Months   []monthResponse `json:"months"`
	Due      dueResponse     `json:"due"`
	Disputes waitingResponse `json:"disputes"`
	Reports  waitingResponse `json:"reports"`
	Lists    listsFigures    `json:"lists"`
}

type monthResponse struct {
	Month            string `json:"month"`
	Blocks           int    `json:"blocks"`
	DisputesDecided  int    `json:"disputesDecided"`
	DisputesAccepted int    `json:"disputesAccepted"`
	// HoursMedian and Hours90 are null if no dispute was decided.
	HoursMedian *float64         `json:"hoursMedian"`
	Hours90     *float64         `json:"hours90"`
	Reasons     []reasonResponse `json:"reasons"`
}

type reasonResponse struct {
	Reason           asset.Reason `json:"reason"`
	Blocks           int          `json:"blocks"`
	DisputesAccepted int          `json:"disputesAccepted"`
}

type dueResponse struct {
	Total   int `json:"total"`
	Overdue int `json:"overdue"`
}

type waitingResponse struct {
	Open int `json:"open"`
	// OldestAt is null if nothing waits.
	OldestAt *string `json:"oldestAt"`
}

type listsFigures struct {
	Total   int           `json:"total"`
	Failing []failingList `json:"failing"`
}

type failingList struct {
	Name string `json:"name"`
	// SyncedAt is null if the list was never synced.
	SyncedAt *string `json:"syncedAt"`
	FailedAt string  `json:"failedAt"`
	Error    string  `json:"error"`
}

func (o operator) figures(ctx context.Context, _ struct{}) (apguard.Figures, error) {
	return o.guard.Figures(ctx)
}

func newFiguresResponse(f apguard.Figures) figuresResponse {
	return figuresResponse{
		Months:   mapped(f.Months, newMonthResponse),
		Due:      dueResponse(f.Due),
		Disputes: waitingResponse{f.Disputes.Open + f.Disputes.UnderReview, knownTime(f.Disputes.OldestAt)},
		Reports:  waitingResponse{f.Reports.Todo + f.Reports.InProgress, knownTime(f.Reports.OldestAt)},
		Lists: listsFigures{f.Lists, mapped(f.FailingLists, func(list lists.List) failingList {
			return failingList{list.Name, knownTime(list.SyncedAt), timestamp(list.FailedAt), list.Error}
		})},
	}
}

func newMonthResponse(m apguard.MonthFigures) monthResponse {
	month := monthResponse{
		Month:            m.Month.Format("2006-01"),
		Blocks:           m.Blocks(),
		DisputesDecided:  m.Disputes.Accepted + m.Disputes.Rejected,
		DisputesAccepted: m.Disputes.Accepted,
		Reasons: mapped(m.Reasons, func(count asset.BlockCount) reasonResponse {
			return reasonResponse{count.Reason, count.Blocks, count.Lifted}
		}),
	}
	if month.DisputesDecided > 0 {
		month.HoursMedian, month.Hours90 = new(hours(m.Disputes.Median)), new(hours(m.Disputes.Percentile90))
	}
	return month
}

// hours returns a time in hours with two decimals.
func hours(d time.Duration) float64 { return math.Round(d.Hours()*100) / 100 }
