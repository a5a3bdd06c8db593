package storagetest

import (
	"errors"
	"slices"
	"strconv"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/lists"
)

func listConcurrencyChecks() []requirement {
	return []requirement{
		{"one of 16 concurrent calls adds a list", func(p *probe) {
			for n := range races / 4 {
				name := strconv.Itoa(n)
				p.oneSucceeds(concurrently(16, func(int) error {
					_, err := p.PutList(p.Context(), name, func(old lists.List, _ int) (lists.List, audit.Entry, error) {
						if old.ID != 0 {
							return lists.List{}, audit.Entry{}, lists.ErrNameTaken
						}
						return newList(name), audit.Entry{}, nil
					})
					return err
				}), lists.ErrNameTaken)
				require.Len(p, p.lists(), n+1)
			}
		}},
		{"lists that are added concurrently have different IDs, and each is counted by the next", func(p *probe) {
			const added = 16
			counts := make([]int, added)
			p.allSucceed(concurrently(added, func(i int) error {
				name := strconv.Itoa(i)
				_, err := p.PutList(p.Context(), name, func(_ lists.List, count int) (lists.List, audit.Entry, error) {
					counts[i] = count
					return newList(name), audit.Entry{}, nil
				})
				return err
			}))
			slices.Sort(counts)
			require.Equal(p, numbersTo(added), counts)
			seen := make(map[int64]bool)
			for _, list := range p.lists() {
				seen[list.ID] = true
			}
			require.Len(p, seen, added)
		}},
		{"no concurrent change of a list is lost", func(p *probe) {
			const changes = 24
			p.addList(newList("a"))
			p.allSucceed(concurrently(changes, func(int) error {
				_, err := p.PutList(p.Context(), "a", func(old lists.List, _ int) (lists.List, audit.Entry, error) {
					old.Begun++
					return old, audit.Entry{}, nil
				})
				return err
			}))
			require.EqualValues(p, 1+changes, only(p, p.lists()).Begun)
		}},
		{"no step of a sync is done once another one has begun", supersededSync},
		{"concurrent steps on the same assets decide one after the other", meetingSteps},
	}
}

// supersededSync begins a sync while steps of the one before it run.
func supersededSync(p *probe) {
	const steps, size = 8, 5
	list := p.addList(newList("a"))
	var begun []lists.HeldEntry
	errs := concurrently(steps+1, func(i int) error {
		if i < steps {
			_, err := p.DecideEntries(p.Context(), decideCommand(list, at(0), asset.StatusBlocked, numbersTo((i + 1) * size)[i*size:]...))
			return err
		}
		p.beginSync("a")
		begun = p.listEntries(list.ID)
		return nil
	})
	done := 0
	for _, err := range errs[:steps] {
		if err == nil {
			done++
		} else {
			require.ErrorIs(p, err, lists.ErrSuperseded)
		}
	}
	require.NoError(p, errs[steps])
	require.Len(p, begun, done*size, "what was done before the next sync began")
	require.Equal(p, begun, p.listEntries(list.ID))
}

// meetingSteps lets lists, operators and organizations decide on the same assets, in ascending and in
// descending order.
func meetingSteps(p *probe) {
	const assets, rounds, perRound = 10, 4, 4
	added := p.addLists("a", "b")
	p.ensureOrganizations(1)
	all := p.decideEntries(decideCommand(added[0], at(0), asset.StatusBlocked, numbersTo(assets)...))
	assetIDs := make([]int64, assets)
	for i, one := range all {
		assetIDs[i] = one.ID
	}
	p.allSucceed(concurrently(2*perRound, func(i int) error {
		numbers, held := numbersTo(assets), slices.Clone(assetIDs)
		if i >= perRound {
			slices.Reverse(numbers)
			slices.Reverse(held)
		}
		var errs []error
		for round := range rounds {
			now := at(10*round + i)
			switch i % perRound {
			case 0:
				errs = append(errs, p.WithdrawEntries(p.Context(), endCommand(added[0], now, held...)))
			case 1:
				_, err := p.DecideEntries(p.Context(), decideCommand(added[1], now, asset.Statuses()[1+round%2], numbers...))
				errs = append(errs, err)
			case 2:
				_, err := p.SetAssetStatuses(p.Context(), statusesCommand(now, asset.Statuses()[round%3], numbers[:assets/2]...))
				errs = append(errs, err)
			default:
				add := addCommand(1, numbers...)
				add.At = now
				_, err := p.AddToAllowlist(p.Context(), add)
				_, removal := p.RemoveFromAllowlist(p.Context(), removeCommand(1, sorted(held)...))
				errs = append(errs, err, removal)
			}
		}
		return errors.Join(errs...)
	}))
	require.Empty(p, p.listEntries(added[0].ID))
	require.Len(p, p.listEntries(added[1].ID), assets)
	for n := range assets {
		p.validChanges(site(n))
		if held := p.held(site(n), at(99)); held.Operators == nil && held.LastEntry.IsZero() {
			require.Equal(p, only(p, held.Lists).Status, held.Status)
		}
	}
}
