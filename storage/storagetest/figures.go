package storagetest

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
)

func figureChecks() []requirement {
	return []requirement{
		{"blocks are counted as their changes say", func(p *probe) {
			random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // it must be repeatable
			list := p.addLists("acme")[0]
			p.decideEntries(decideCommand(list, at(0), asset.StatusBlocked, 1, 3))
			for range 500 {
				cmd := statusCommand(site(random.IntN(3)), asset.Statuses()[random.IntN(3)], at(random.IntN(40)))
				cmd.Origin.Cause = pickOne(random, asset.CauseManual, asset.CauseReview, asset.CauseDispute, asset.CauseWithdrawal, asset.CauseImport)
				if cmd.Items[0].Status == asset.StatusBlocked {
					cmd.Reason = pickOne(random, asset.ReasonPhishing, asset.ReasonMalware, asset.ReasonOther)
				}
				cmd.Withdraw = p.has(cmd.Items[0].Identity) && random.IntN(4) == 0
				p.setStatuses(cmd)
			}
			p.publish()
			for _, period := range []asset.Period{{}, {Since: at(10)}, {Before: at(20)}, {Since: at(10), Before: at(20)}, {Since: at(1000)}} {
				got, err := p.CountBlocks(p.Context(), period)
				require.NoError(p, err)
				require.ElementsMatch(p, p.blocksOf(period), got, "%v", period)
			}
		}},
		{"changes that were pruned do not count", func(p *probe) {
			p.set(site(1), asset.StatusBlocked, at(1))
			accepted := statusCommand(site(1), asset.StatusUnknown, at(2))
			accepted.Origin.Cause = asset.CauseDispute
			p.setStatuses(accepted)
			count := func() []asset.BlockCount {
				counts, err := p.CountBlocks(p.Context(), asset.Period{})
				require.NoError(p, err)
				return counts
			}
			require.Equal(p, []asset.BlockCount{{Reason: asset.ReasonOther, Blocks: 1, Lifted: 1}}, count())
			_, err := p.PruneChanges(p.Context(), asset.PruneCommand{Before: at(2), Limit: noLimit})
			require.NoError(p, err)
			require.Empty(p, count())
		}},
		{"decisions that are due are counted", func(p *probe) {
			for n, review := range []time.Time{{}, at(9), at(10), at(11)} {
				cmd := statusCommand(site(n), asset.StatusBlocked, at(0))
				cmd.ReviewAt = review
				p.setStatuses(cmd)
			}
			p.set(site(1), asset.StatusUnknown, at(1)) // its ReviewAt is replaced
			count, err := p.CountDue(p.Context(), at(10))
			require.NoError(p, err)
			require.Equal(p, asset.DueCount{Total: 2, Overdue: 1}, count)
		}},
		{"decisions of disputes have ranks", func(p *probe) {
			decided := func(period asset.Period) dispute.Decided {
				decided, err := p.DecidedDisputes(p.Context(), period)
				require.NoError(p, err)
				return decided
			}
			require.Zero(p, decided(asset.Period{}))
			for i := range 11 {
				d := registeringCommand(1, strconv.Itoa(i))
				d.At = at(i)
				created := p.dispute(d)
				switch {
				case i == 10:
					p.transition(transition(created.ID, dispute.StateWithdrawn, at(50)))
				case i%3 == 0:
					p.transition(acceptance(created.ID, asset.StatusUnknown, at(20)))
				default:
					p.transition(transition(created.ID, dispute.StateRejected, at(20)))
				}
			}
			all := dispute.Decided{Accepted: 4, Rejected: 6, Median: 15 * time.Millisecond, Percentile90: 19 * time.Millisecond}
			require.Equal(p, all, decided(asset.Period{}), "from 11 to 20 milliseconds")
			require.Equal(p, all, decided(asset.Period{Since: at(20), Before: at(21)}))
			require.Zero(p, decided(asset.Period{Before: at(20)}))
			require.Zero(p, decided(asset.Period{Since: at(21)}))
			p.transition(transition(1, dispute.StateOpen, at(30)))
			require.Equal(p, all, decided(asset.Period{Before: at(30)}), "a decision counts although the dispute is open again")
			p.transition(transition(1, dispute.StateRejected, at(100)))
			require.Equal(p, dispute.Decided{Rejected: 1, Median: 100 * time.Millisecond, Percentile90: 100 * time.Millisecond}, decided(asset.Period{Since: at(30)}))
		}},
	}
}

// has reports whether the operators hold a decision on the asset.
func (p *probe) has(identity asset.Identity) bool {
	held, err := p.Held(p.Context(), identity, at(0))
	return err == nil && held.Operators != nil
}

// blocksOf counts the blocks of the period in the feed.
func (p *probe) blocksOf(period asset.Period) []asset.BlockCount {
	p.Helper()
	counts := make([]asset.BlockCount, len(asset.Reasons()))
	previous := make(map[int64]asset.Change)
	for _, entry := range p.feed(asset.FeedCursor{}, noLimit) {
		change := entry.Change
		before := previous[change.AssetID]
		previous[change.AssetID] = change
		if !period.Contains(change.At) {
			continue
		}
		if change.IsBlock() {
			counts[slices.Index(asset.Reasons(), change.Reason)].Blocks++
		}
		if change.Lifts(before) {
			counts[slices.Index(asset.Reasons(), before.Reason)].Lifted++
		}
	}
	for i, reason := range asset.Reasons() {
		counts[i].Reason = reason
	}
	return slices.DeleteFunc(counts, func(c asset.BlockCount) bool { return c.Blocks == 0 && c.Lifted == 0 })
}

func pickOne[T any](random *rand.Rand, of ...T) T { return of[random.IntN(len(of))] }
