package storagetest

import (
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/pending"
	"github.com/apguard/apguard/report"
)

func actChecks() []requirement {
	return []requirement{
		{"every field of an act is read back", func(p *probe) {
			given := fullAct()
			want := given
			want.ID = 1
			given.ID = 77
			require.Equal(p, want, p.addAct(pending.AddCommand{Act: given}), "the given ID is ignored")
			require.Equal(p, want, p.act(1))
			require.Equal(p, []pending.Act{want}, p.acts("", at(0)))
		}},
		{"times are truncated to milliseconds", func(p *probe) {
			given := fullAct()
			given.CreatedAt, given.ExpiresAt, given.DecidedAt, given.ReviewAt = at(3).Add(999), at(4).Add(999), at(5).Add(999), at(2).Add(999)
			given.Assets[0].ExpiresAt = at(1).Add(999)
			want := fullAct()
			want.ID = 1
			require.Equal(p, want, p.addAct(pending.AddCommand{Act: given}))
			require.Equal(p, want, p.act(1))
		}},
		{"nothing of an act is shared with the caller", func(p *probe) {
			change := func(a pending.Act) {
				a.Assets[0].Identity.Canonical, a.Review.Comment, a.List.Name = "changed", "changed", "changed"
			}
			given, want := fullAct(), fullAct()
			want.ID = 1
			change(p.addAct(pending.AddCommand{Act: given}))
			change(given)
			change(p.act(1))
			change(only(p, p.acts("", at(0))))
			require.Equal(p, want, p.act(1))
		}},
		{"there is no last act at the beginning", func(p *probe) {
			last, err := p.LastAct(p.Context())
			require.NoError(p, err)
			require.Zero(p, last)
		}},
		{"an unknown act is not found", func(p *probe) {
			p.addAct(actCommand(1))
			for _, id := range []int64{0, 2, asset.MaxID} {
				_, err := p.ActByID(p.Context(), id)
				require.Equal(p, pending.ErrNotFound, err)
				_, err = p.DecideAct(p.Context(), pending.DecideCommand{ID: id, To: pending.StateRejected, At: at(1), Audit: act()})
				require.Equal(p, pending.ErrNotFound, err)
			}
		}},
		{"the act that is asked for twice is the same", func(p *probe) {
			first := p.addAct(actCommand(1))
			again := actCommand(1)
			again.Act.Actor, again.Act.CreatedAt = 2, at(1)
			require.Equal(p, first, p.addAct(again))
			require.NotEqual(p, first.ID, p.addAct(actCommand(2)).ID)
			again.Act.CreatedAt = first.ExpiresAt
			require.NotEqual(p, first.ID, p.addAct(again).ID, "the first has expired")
			require.Len(p, p.acts("", at(0)), 3)
			last, err := p.LastAct(p.Context())
			require.NoError(p, err)
			require.EqualValues(p, 3, last)
		}},
		{"a decided act can be asked for again", func(p *probe) {
			first := p.addAct(actCommand(1))
			_, err := p.DecideAct(p.Context(), pending.DecideCommand{ID: first.ID, To: pending.StateRejected, Actor: 2, At: at(1)})
			require.NoError(p, err)
			require.Equal(p, first.ID+1, p.addAct(actCommand(1)).ID)
		}},
		{"an act that is refused is not stored", func(p *probe) {
			cmd := actCommand(1)
			cmd.Refused, cmd.Audit = errRefused, act()
			_, err := p.AddAct(p.Context(), cmd)
			require.Equal(p, errRefused, err)
			require.Empty(p, p.acts("", at(0)))
		}},
		{"acts are listed by their state at a time", func(p *probe) {
			approved, rejected, waiting := p.addAct(actCommand(1)), p.addAct(actCommand(2)), p.addAct(actCommand(3))
			_, err := p.DecideAct(p.Context(), approval(approved.ID, at(1), 1))
			require.NoError(p, err)
			_, err = p.DecideAct(p.Context(), pending.DecideCommand{ID: rejected.ID, To: pending.StateRejected, Actor: 1, At: at(1)})
			require.NoError(p, err)
			later := waiting.ExpiresAt
			require.Equal(p, []int64{3}, actIDs(p.acts(pending.StatePending, at(1))))
			require.Equal(p, []int64{3}, actIDs(p.acts(pending.StatePending, later.Add(-1))))
			require.Empty(p, p.acts(pending.StateExpired, later.Add(-1)))
			require.Empty(p, p.acts(pending.StatePending, later))
			require.Equal(p, []int64{3}, actIDs(p.acts(pending.StateExpired, later)))
			require.Equal(p, []int64{1}, actIDs(p.acts(pending.StateApproved, later)))
			require.Equal(p, []int64{2}, actIDs(p.acts(pending.StateRejected, later)))
			require.Equal(p, []int64{1, 2, 3}, actIDs(p.acts("", later)))
		}},
		{"acts are read in pages", func(p *probe) {
			for n := range 7 {
				cmd := actCommand(n)
				cmd.Act.Note = strings.Repeat("x", 100_000)
				p.addAct(cmd)
			}
			page, err := p.Acts(p.Context(), pending.ListRequest{After: 2, Limit: 1}, at(0))
			require.NoError(p, err)
			require.Equal(p, []int64{3}, actIDs(page.Items))
			require.True(p, page.More)
			page, err = p.Acts(p.Context(), pending.ListRequest{After: 1, Limit: 10}, at(0))
			require.NoError(p, err)
			require.Equal(p, []int64{2, 3}, actIDs(page.Items), "limited by its bytes")
			require.True(p, page.More)
			page, err = p.Acts(p.Context(), pending.ListRequest{After: 6, Limit: 10}, at(0))
			require.NoError(p, err)
			require.Equal(p, []int64{7}, actIDs(page.Items))
			require.False(p, page.More)
		}},
		{"what is done to acts is told once", func(p *probe) {
			add := actCommand(1)
			add.Audit = act()
			asked := p.addAct(add)
			p.addAct(add)
			decide := approval(asked.ID, at(1), 1)
			decide.Audit = act()
			_, err := p.DecideAct(p.Context(), decide)
			require.NoError(p, err)
			_, err = p.DecideAct(p.Context(), decide)
			require.Error(p, err)
			require.Equal(p, []audit.Entry{act().On(asked.ID), act()}, p.told())
		}},
	}
}

func actIDs(acts []pending.Act) []int64 {
	found := make([]int64, len(acts))
	for i, one := range acts {
		found[i] = one.ID
	}
	return found
}

func actDecisionChecks() []requirement {
	return []requirement{
		{"an approval executes the act in the same step", func(p *probe) {
			asked := p.addAct(actCommand(1, 2))
			got, err := p.DecideAct(p.Context(), approval(asked.ID, at(1), 1, 2))
			require.NoError(p, err)
			want := asked
			want.State, want.DecidedBy, want.DecidedAt, want.Comment = pending.StateApproved, 2, at(1), "yes"
			require.Equal(p, want, got)
			require.Equal(p, want, p.act(asked.ID))
			require.Equal(p, asset.StatusBlocked, p.statusOf(1))
			require.Equal(p, asset.StatusBlocked, p.statusOf(2))
		}},
		{"a rejection executes nothing", func(p *probe) {
			asked := p.addAct(actCommand(1))
			got, err := p.DecideAct(p.Context(), pending.DecideCommand{ID: asked.ID, To: pending.StateRejected, Actor: 1, At: at(1)})
			require.NoError(p, err)
			require.Equal(p, pending.StateRejected, got.State)
			require.Empty(p, p.list(asset.Filter{}))
		}},
		{"an act whose asset has changed stays pending, and nothing is stored", func(p *probe) {
			asked := p.addAct(actCommand(1, 2))
			p.set(site(2), asset.StatusAllowed, at(1))
			before := p.list(asset.Filter{})
			cmd := approval(asked.ID, at(2), 1, 2)
			cmd.Audit = act()
			_, err := p.DecideAct(p.Context(), cmd)
			require.Equal(p, asset.ErrChanged, err)
			require.Equal(p, asked, p.act(asked.ID))
			require.Equal(p, before, p.list(asset.Filter{}))
			require.Empty(p, p.told())
		}},
		{"the error of Apply is returned unchanged", func(p *probe) {
			asked := p.addAct(actCommand(1))
			cmd := approval(asked.ID, at(1), 1)
			cmd.Refused = errRefused
			_, err := p.DecideAct(p.Context(), cmd)
			require.Equal(p, errRefused, err)
			cmd.Actor = asked.Actor
			_, err = p.DecideAct(p.Context(), cmd)
			require.Equal(p, pending.ErrSameOperator, err)
			require.Equal(p, asked, p.act(asked.ID))
		}},
		{"a review is added in the same step", func(p *probe) {
			proposal := p.file(fileCommand("report", 1)).Proposals[0]
			cmd := reviewAct(p, proposal)
			_, err := p.DecideAct(p.Context(), cmd)
			require.NoError(p, err)
			require.Equal(p, asset.StatusBlocked, p.statusOf(1))
			require.Equal(p, report.ReviewApprove, only(p, p.reviewsOf(proposal.ID)).Status)
		}},
		{"a review whose asset has changed is not added", func(p *probe) {
			proposal := p.file(fileCommand("report", 1)).Proposals[0]
			cmd := reviewAct(p, proposal)
			p.set(site(1), asset.StatusAllowed, at(1))
			_, err := p.DecideAct(p.Context(), cmd)
			require.Equal(p, asset.ErrChanged, err)
			require.Empty(p, p.reviewsOf(proposal.ID))
			require.Equal(p, pending.StatePending, p.act(cmd.ID).State)
		}},
		{"a review that is refused leaves the act pending", func(p *probe) {
			proposal := p.file(fileCommand("report", 1)).Proposals[0]
			cmd := reviewAct(p, proposal)
			other := int64(99)
			cmd.Review.IfReview = &other
			_, err := p.DecideAct(p.Context(), cmd)
			require.Equal(p, asset.ErrChanged, err)
			cmd.Review.ProposalID = 99
			_, err = p.DecideAct(p.Context(), cmd)
			require.Equal(p, report.ErrNotFound, err)
			require.Equal(p, pending.StatePending, p.act(cmd.ID).State)
		}},
		{"a sync that another one has replaced is not approved", func(p *probe) {
			list := p.addLists("a")[0]
			asked := p.addAct(actCommand(1))
			cmd := pending.DecideCommand{ID: asked.ID, To: pending.StateApproved, Actor: 2, At: at(1), Sync: &lists.DecideCommand{ListID: list.ID, Begun: list.Begun}}
			p.beginSync("a")
			_, err := p.DecideAct(p.Context(), cmd)
			require.Equal(p, lists.ErrSuperseded, err)
			require.Equal(p, asked, p.act(asked.ID))
			cmd.Sync.Begun++
			_, err = p.DecideAct(p.Context(), cmd)
			require.NoError(p, err)
		}},
	}
}

func actConcurrencyChecks() []requirement {
	return []requirement{
		{"one of 16 concurrent decisions of an act counts", func(p *probe) {
			for n := range races / 4 {
				asked := p.addAct(actCommand(n))
				errs := concurrently(16, func(i int) error {
					cmd := approval(asked.ID, at(1), n)
					if i%4 == 3 {
						cmd = pending.DecideCommand{ID: asked.ID, To: pending.StateRejected, Actor: 3, At: at(1)}
					}
					cmd.Audit = act()
					_, err := p.DecideAct(p.Context(), cmd)
					return err
				})
				p.oneSucceeds(errs, pending.ErrDecided)
				require.Equal(p, p.act(asked.ID).State == pending.StateApproved, len(p.assetChanges(n)) == 1)
				require.Len(p, p.told(), n+1)
			}
		}},
		{"concurrent requests for one act get the same one", func(p *probe) {
			for n := range races / 4 {
				found := make([]int64, 8)
				p.allSucceed(concurrently(8, func(i int) error {
					got, err := p.AddAct(p.Context(), actCommand(n))
					found[i] = got.ID
					return err
				}))
				for _, id := range found {
					require.Equal(p, found[0], id)
				}
			}
		}},
		{"an act is approved or its asset changed", func(p *probe) {
			for n := range races / 4 {
				asked := p.addAct(actCommand(n))
				errs := concurrently(2, func(i int) error {
					if i == 0 {
						_, err := p.SetAssetStatuses(p.Context(), statusesCommand(at(1), asset.StatusAllowed, n))
						return err
					}
					_, err := p.DecideAct(p.Context(), approval(asked.ID, at(1), n))
					return err
				})
				require.NoError(p, errs[0])
				if errs[1] != nil {
					require.ErrorIs(p, errs[1], asset.ErrChanged)
					require.Equal(p, asset.StatusAllowed, p.statusOf(n))
				}
				require.Equal(p, errs[1] == nil, p.act(asked.ID).State == pending.StateApproved)
			}
		}},
	}
}

// assetChanges returns the changes of a site.
func (p *probe) assetChanges(n int) []asset.Change {
	p.Helper()
	return p.changes(asset.ChangeFilter{Identity: site(n)})
}
