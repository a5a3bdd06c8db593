package apguard

import (
	"context"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/report"
)

// FigureMonths is the number of months of [Figures].
const FigureMonths = 12

// Figures say how the lists of a server are kept, for the person who answers for them.
type Figures struct {
	// Months are the last [FigureMonths] months in UTC, oldest first. The last one is the present month.
	Months []MonthFigures
	// Due says how many decisions of the operators are to be looked at again.
	Due asset.DueCount
	// Disputes and Reports wait for operators and reviewers.
	Disputes dispute.Backlog
	Reports  report.Backlog
	// Lists is the number of lists, and FailingLists are those whose last sync or fetch failed, ordered by name.
	Lists        int
	FailingLists []lists.List
}

// MonthFigures are the figures of a month.
type MonthFigures struct {
	// Month is the start of the month in UTC.
	Month time.Time
	// Disputes says how disputes were decided in the month.
	Disputes dispute.Decided
	// Reasons counts the blocks of operators in the month, and those that accepted disputes have ended in it, by the
	// reason of the block. A dispute that has ended no block of operators is not among them: only a list had blocked its
	// asset, for example, or another dispute has freed it before.
	Reasons []asset.BlockCount
}

// Blocks returns the number of blocks in the month, of all reasons.
func (m MonthFigures) Blocks() int {
	blocks := 0
	for _, reason := range m.Reasons {
		blocks += reason.Blocks
	}
	return blocks
}

// Figures returns the figures of the present time. Its parts are read one after the other, so they may be of slightly
// different times. What was pruned does not count.
func (g *Guard) Figures(ctx context.Context) (figures Figures, err error) {
	for _, month := range months(g.options.Clock()) {
		one := MonthFigures{Month: month.Since}
		if one.Disputes, err = g.DisputeQueue.Decided(ctx, month); err != nil {
			return Figures{}, err
		}
		if one.Reasons, err = g.History.CountBlocks(ctx, month); err != nil {
			return Figures{}, err
		}
		figures.Months = append(figures.Months, one)
	}
	if figures.Due, err = g.Assets.CountDue(ctx); err != nil {
		return Figures{}, err
	}
	if figures.Disputes, err = g.DisputeQueue.Backlog(ctx); err != nil {
		return Figures{}, err
	}
	if figures.Reports, err = g.Reviews.Backlog(ctx, report.AnyOrganization()); err != nil {
		return Figures{}, err
	}
	all, err := g.Lists.List(ctx)
	if err != nil {
		return Figures{}, err
	}
	figures.Lists = len(all)
	for _, list := range all {
		if list.Failures > 0 {
			figures.FailingLists = append(figures.FailingLists, list)
		}
	}
	return figures, nil
}

// months returns the months of the figures at a time.
func months(at time.Time) []asset.Period {
	year, month, _ := at.UTC().Date()
	periods := make([]asset.Period, FigureMonths)
	for i := range periods {
		start := time.Date(year, month-time.Month(FigureMonths-1-i), 1, 0, 0, 0, 0, time.UTC)
		periods[i] = asset.Period{Since: start, Before: start.AddDate(0, 1, 0)}
	}
	return periods
}
