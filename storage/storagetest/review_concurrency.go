package storagetest

import (
	"errors"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
)

func reviewConcurrencyChecks() []requirement {
	return []requirement{
		{"concurrent reviews of one proposal are all stored, and the last decision is in effect", func(p *probe) {
			const callers = 16
			proposal := p.newProposal()
			p.allSucceed(concurrently(callers, func(i int) error {
				_, err := addReview(p.Context(), p, reviewOf(proposal, report.ReviewStatuses()[i%4], i))
				return err
			}))
			stored := p.reviewsOf(proposal.ID)
			require.Len(p, stored, callers)
			for _, status := range report.ReviewStatuses() {
				of := 0
				for _, review := range stored {
					if review.Status == status {
						of++
					}
				}
				require.Equal(p, callers/4, of, status)
			}
			p.validReport(p.newestReport(1))
			p.validChanges(site(1))
		}},
		{"one of eight concurrent withdrawals of a review succeeds", func(p *probe) {
			proposal := p.newProposal()
			id := p.decide(proposal, report.ReviewApprove, 1)
			p.oneSucceeds(concurrently(8, func(i int) error {
				_, err := p.WithdrawReview(p.Context(), withdrawCommand(id, at(i)))
				return err
			}), report.ErrWithdrawn)
			require.Len(p, p.changes(asset.ChangeFilter{}), 2)
			p.validChanges(site(1))
			p.validReport(p.newestReport(1))
		}},
		{"of two opposite reviews by callers who saw the same review, one succeeds", func(p *probe) {
			for range races {
				proposal := p.newProposal()
				p.set(proposal.Asset.Identity, asset.StatusUnknown, at(0))
				p.oneSucceeds(concurrently(2, func(i int) error {
					cmd := reviewCommand(reviewOf(proposal, []report.ReviewStatus{report.ReviewApprove, report.ReviewReject}[i], i))
					cmd.IfReview = new(int64)
					_, err := p.AddReviews(p.Context(), cmd)
					return err
				}), asset.ErrChanged)
				p.assetFollowsReview(proposal.ID)
			}
		}},
		{"of a review and a withdrawal by callers who saw the same review, one succeeds", func(p *probe) {
			for range races {
				proposal := p.newProposal()
				p.set(proposal.Asset.Identity, asset.StatusUnknown, at(0))
				seen := p.decide(proposal, report.ReviewApprove, 1)
				p.oneSucceeds(concurrently(2, func(i int) (err error) {
					review, withdrawal := reviewCommand(reviewOf(proposal, report.ReviewReject, i)), withdrawCommand(seen, at(2))
					review.IfReview, withdrawal.IfReview = &seen, &seen
					if i == 0 {
						_, err = p.AddReviews(p.Context(), review)
					} else {
						_, err = p.WithdrawReview(p.Context(), withdrawal)
					}
					return err
				}), asset.ErrChanged)
			}
		}},
		{"concurrent withdrawals of all approvals put the asset back at most once", func(p *probe) {
			const callers = 8
			proposal := p.newProposal()
			var reviews [callers]int64
			for i := range reviews {
				reviews[i] = p.decide(proposal, report.ReviewApprove, i)
			}
			p.allSucceed(concurrently(callers, func(i int) error {
				_, err := p.WithdrawReview(p.Context(), withdrawCommand(reviews[i], at(i)))
				return err
			}))
			// It goes back if the approval that changed it is withdrawn last.
			changes := map[asset.Status]int{asset.StatusBlocked: 1, asset.StatusUnknown: 2}[p.asset(site(1)).Status]
			require.Len(p, p.changes(asset.ChangeFilter{}), changes)
			p.validChanges(site(1))
			p.validReport(p.newestReport(1))
		}},
		{"after concurrent reviews, withdrawals, escalations and changes, reports follow from their reviews", func(p *probe) {
			first, second := p.file(fileCommand("first", 1, 2, 3)), p.file(fileCommand("second", 3, 2, 1))
			p.allSucceed(concurrently(12, func(i int) error {
				r := []report.Report{first, second}[i%2]
				for step := range 4 {
					if err := p.raceStep(r, i, step); err != nil {
						return err
					}
				}
				return nil
			}))
			for _, r := range p.reports(1, report.Filter{}) {
				p.validReport(r)
			}
			for n := 1; n <= 3; n++ {
				p.validChanges(site(n))
			}
		}},
	}
}

// raceStep executes one of several steps on a report. It returns nil if another caller has
// left nothing to do.
func (p *probe) raceStep(r report.Report, caller, step int) error {
	proposal := r.Proposals[(caller+step)%len(r.Proposals)]
	switch (caller/2 + step) % 4 {
	case 0:
		_, err := escalate(p.Context(), p, escalateRequest(r.ID), at(step))
		if errors.Is(err, report.ErrDecided) {
			return nil
		}
		return err
	case 1:
		return p.withdrawAny(proposal.ID)
	case 2:
		_, err := p.SetAssetStatuses(p.Context(), statusCommand(proposal.Asset.Identity, asset.StatusAllowed, at(step)))
		return err
	default:
		_, err := addReview(p.Context(), p, reviewOf(proposal, report.ReviewApprove, step))
		return err
	}
}

// withdrawAny withdraws a decision of a proposal, if there is one.
func (p *probe) withdrawAny(proposalID int64) error {
	reviews, err := p.Reviews(p.Context(), report.AnyOrganization(), proposalID, 0, noLimit)
	for _, review := range reviews.Items {
		if review.Weight() < 2 {
			continue
		}
		_, err = p.WithdrawReview(p.Context(), withdrawCommand(review.ID, at(1)))
		if errors.Is(err, report.ErrWithdrawn) {
			return nil
		}
		return err
	}
	return err
}

// races is how often two decisions are made at the same time.
const races = 20

// assetFollowsReview requires that the newest report's asset has the status that its review says.
func (p *probe) assetFollowsReview(proposalID int64) {
	p.Helper()
	proposal := proposalOf(p, p.newestReport(1), proposalID)
	want := asset.StatusUnknown
	if proposal.ReviewStatus == report.ReviewApprove {
		want = proposal.ProposedStatus
	}
	require.Equal(p, want, proposal.Asset.Status, "after a %s", proposal.ReviewStatus)
	require.Len(p, p.reviewsOf(proposalID), 1)
}
