package storagetest

import (
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/report"
)

func reportPruneConcurrencyChecks() []requirement {
	return []requirement{
		{"reports that are filed, reviewed or reopened while others are pruned stay", reportsWhilePruning},
	}
}

// pruneReportsOnce is a whole pruning for goroutines other than that of the test.
func (p *probe) pruneReportsOnce(limit int) (removed int, err error) {
	cmd := report.PruneCommand{Scope: report.AnyOrganization(), Before: at(50), Limit: limit}
	for {
		step, err := p.PruneReports(p.Context(), cmd)
		removed += step.Removed
		if err != nil || step.Done {
			return removed, err
		}
		cmd.After = step.Next
	}
}

// reportsWhilePruning reviews closed reports again, withdraws the reviews of others and files
// new ones while two other callers prune. A report that was changed is there with its reviews,
// and one that could not be found is gone.
func reportsWhilePruning(p *probe) {
	const size, pruners, workers = 60, 2, 3
	closed := make([]report.Report, size)
	for n := range closed {
		closed[n] = p.closedReport(1, n%7, at(10))
	}
	var changed, removed, filed atomic.Int64
	reviews := make([]int, size)
	change := func(n, count int, err error) error {
		if errors.Is(err, report.ErrReviewNotFound) || errors.Is(err, report.ErrProposalNotFound) || errors.Is(err, report.ErrNotFound) {
			return nil
		}
		reviews[n] = count
		changed.Add(1)
		return err
	}
	p.allSucceed(concurrently(pruners+workers, func(i int) error {
		switch i {
		case 0, 1:
			n, err := p.pruneReportsOnce(7 + i)
			removed.Add(int64(n))
			return err
		case 2:
			for n := size - 1; n >= 0; n -= 3 { // from the other end, to meet those who prune
				_, err := p.WithdrawReview(p.Context(), withdrawCommand(closed[n].Proposals[0].ReviewID, at(100)))
				if err := change(n, 1, err); err != nil {
					return err
				}
			}
		case 3:
			for n := size - 2; n >= 0; n -= 3 {
				review := report.Review{ProposalID: closed[n].Proposals[0].ID, Status: report.ReviewApprove, ReviewedAt: at(100)}
				_, err := addReview(p.Context(), p, review)
				if err := change(n, 2, err); err != nil {
					return err
				}
			}
		default:
			for n := range size / 2 {
				if _, err := p.FileReport(p.Context(), fileCommand(fmt.Sprint("new ", n), n%9, (n+1)%9)); err != nil {
					return err
				}
				filed.Add(1)
			}
		}
		return nil
	}))
	require.EqualValues(p, size, removed.Load()+changed.Load(), "each closed report is removed once or stays")
	require.Len(p, p.reports(0, report.Filter{}), int(changed.Load()+filed.Load()))
	for n, r := range closed {
		got, err := p.ReportByID(p.Context(), report.AnyOrganization(), r.ID)
		if reviews[n] == 0 {
			require.ErrorIs(p, err, report.ErrNotFound)
			continue
		}
		require.NoError(p, err)
		p.validReport(got)
		require.Len(p, p.reviewsOf(got.Proposals[0].ID), reviews[n])
		p.validChanges(site(n % 7))
	}
}
