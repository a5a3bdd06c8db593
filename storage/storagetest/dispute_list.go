package storagetest

import (
	"slices"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/step"
)

// createDisputesAt creates disputes of asset 1 at these times, each by another address.
func (p *probe) createDisputesAt(times ...time.Time) {
	p.Helper()
	for i, when := range times {
		d := registeringCommand(1, sites(i)[0])
		d.At = when
		p.dispute(d)
	}
}

// fillDisputes creates disputes 1 to 6, of two assets and three addresses, in all states.
func fillDisputes(p *probe) {
	p.Helper()
	for i, c := range []struct {
		asset    int
		emailKey string
		state    dispute.State
	}{
		{1, "a", dispute.StateOpen},
		{1, "b", dispute.StateRejected},
		{1, "c", dispute.StateWithdrawn},
		{2, "a", dispute.StateAccepted},
		{2, "b", dispute.StateOpen},
		{2, "c", dispute.StateUnderReview},
	} {
		d := registeringCommand(c.asset, "Mail of "+c.emailKey)
		d.EmailKey = c.emailKey
		d.At = at(10 * (i + 1))
		created := p.dispute(d)
		if c.state != dispute.StateOpen {
			p.transition(transition(created.ID, c.state, at(100)))
		}
	}
}

func disputeListChecks() []requirement {
	closed := []dispute.State{dispute.StateWithdrawn, dispute.StateAccepted, dispute.StateRejected}
	return []requirement{
		{"the disputes of an assignee are those that the user took up or closed", func(p *probe) {
			fillDisputes(p)
			taken := transition(5, dispute.StateUnderReview, at(101))
			taken.Actor = 8
			p.transition(taken)
			released := transition(6, dispute.StateOpen, at(102))
			released.Actor = 8
			p.transition(released)
			require.Equal(p, []int64{5}, disputeIDs(p.allDisputes(dispute.Filter{Assignee: 8})))
			require.Empty(p, p.allDisputes(dispute.Filter{Assignee: 8, States: closed}))
			require.Equal(p, []int64{5}, disputeIDs(p.allDisputes(dispute.Filter{Assignee: 8, Identity: site(2)})))
			require.Empty(p, p.allDisputes(dispute.Filter{Assignee: 9}))
		}},
		{"the backlog has the disputes that are not closed", func(p *probe) {
			backlog := func() dispute.Backlog {
				backlog, err := p.DisputeBacklog(p.Context())
				require.NoError(p, err)
				return backlog
			}
			require.Zero(p, backlog())
			fillDisputes(p)
			require.Equal(p, dispute.Backlog{Open: 2, UnderReview: 1, OldestAt: at(10)}, backlog())
			p.transition(transition(1, dispute.StateWithdrawn, at(103)))
			require.Equal(p, dispute.Backlog{Open: 1, UnderReview: 1, OldestAt: at(50)}, backlog())
		}},
		{"disputes are ordered and filtered from year 1 to 9999", func(p *probe) {
			all := sampleTimes()
			p.createDisputesAt(slices.Concat(all[5:], all[:5])...)
			oldest := dispute.ListRequest{OldestFirst: true, Limit: noLimit}
			for i, d := range p.disputes(oldest) {
				p.sameTime(all[i], d.CreatedAt, "the time of a listed dispute")
				p.sameTime(all[i], d.UpdatedAt, "the update of a listed dispute")
			}
			require.Equal(p, p.disputes(oldest), p.disputesByPages(oldest, 1))
			newest := dispute.ListRequest{Limit: noLimit}
			require.Equal(p, p.disputes(newest), p.disputesByPages(newest, 1))
			for i, when := range all {
				require.Len(p, p.allDisputes(dispute.Filter{Created: asset.Period{Since: when}}), len(all)-i, "since %v", when)
				if !when.IsZero() {
					require.Len(p, p.allDisputes(dispute.Filter{Created: asset.Period{Before: when}}), i, "before %v", when)
				}
			}
		}},
		{"e-mail keys are compared byte by byte", func(p *probe) {
			p.set(site(1), asset.StatusBlocked, at(0))
			var keys []string
			for _, text := range differentTexts {
				d := disputeCommand(1, text)
				if d.EmailKey = account.EmailKey(text); slices.Contains(keys, d.EmailKey) {
					continue
				}
				keys = append(keys, d.EmailKey)
				created := p.dispute(d)
				require.Equal(p, []int64{created.ID}, disputeIDs(p.allDisputes(dispute.Filter{Email: text})), "e-mail key %q", text)
			}
		}},
	}
}

// disputesByPages reads the whole list in pages of the given size.
func (p *probe) disputesByPages(req dispute.ListRequest, size int) []dispute.Dispute {
	p.Helper()
	return allPages(p, size, func(last dispute.Dispute) step.Page[dispute.Dispute] {
		return p.disputePage(disputesAfter(req, last, size))
	})
}

// disputesAfter returns the request of the page after a dispute, or of the first one after the zero Dispute.
func disputesAfter(req dispute.ListRequest, last dispute.Dispute, size int) dispute.ListRequest {
	if req.Limit = size; last.ID != 0 {
		req.Cursor = last.Cursor()
	}
	return req
}
