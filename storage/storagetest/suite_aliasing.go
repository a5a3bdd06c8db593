package storagetest

import (
	"slices"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/webhook"
)

// aliasingChecks overwrite slices that the store received or returned. The contents of
// the store must not change.
func aliasingChecks() []requirement {
	return []requirement{
		{"scopes of a key are not shared", func(p *probe) {
			key := newKey("key", 0, 0, account.ScopeDispute, account.ScopeReports)
			p.putKey(key)
			key.Scopes[0] = account.ScopeChangelog
			want := []account.Scope{account.ScopeDispute, account.ScopeReports}
			require.Equal(p, want, p.principal("key").Scopes, "after a change of the scopes that the store received")
			p.principal("key").Scopes[0] = account.ScopeChangelog
			require.Equal(p, want, p.principal("key").Scopes, "after a change of the scopes that the store returned")
		}},
		{"scopes of updated and new keys are not shared", func(p *probe) {
			want := []account.Scope{account.ScopeDispute, account.ScopeReports}
			p.putKey(newKey("key", 0, 0, want...))
			fresh := p.rotate("key", at(1), time.Hour)
			clear(p.keyRecord("key").Key.Scopes)
			clear(p.expire("key", at(2)).Scopes)
			require.Equal(p, want, p.key(fresh).Scopes, "after a change of the scopes of the old key")
			clear(p.keyRecord(fresh).Key.Scopes)
			clear(p.revoke(fresh, at(3)).Scopes)
			clear(p.revoke(fresh, at(4)).Scopes)
			clear(p.keys(0)[0].Scopes)
			require.Equal(p, want, p.key("key").Scopes)
			require.Equal(p, want, p.key(fresh).Scopes)
		}},
		{"scopes in an update of a key are not shared", func(p *probe) {
			want := []account.Scope{account.ScopeDispute, account.ScopeReports}
			p.putKey(newKey("key", 0, 0, account.ScopeReports))
			var before []account.Scope
			changed, successor := slices.Clone(want), newKey("new", 0, 0, want...)
			_, err := p.UpdateKey(p.Context(), account.HashKey("key"), func(old account.Key) (account.KeyUpdate, error) {
				before, old.Scopes = old.Scopes, changed
				return account.KeyUpdate{Key: old, Successor: &successor}, nil
			})
			require.NoError(p, err)
			clear(before)
			clear(changed)
			clear(successor.Scopes)
			require.Equal(p, []account.Scope{account.ScopeDispute, account.ScopeReports}, p.key("key").Scopes)
			require.Equal(p, []account.Scope{account.ScopeDispute, account.ScopeReports}, p.key("new").Scopes)

			_, err = p.UpdateKey(p.Context(), account.HashKey("key"), func(old account.Key) (account.KeyUpdate, error) {
				clear(old.Scopes)
				return account.KeyUpdate{}, errRefused
			})
			require.ErrorIs(p, err, errRefused)
			require.Equal(p, []account.Scope{account.ScopeDispute, account.ScopeReports}, p.key("key").Scopes, "after a refused update")
		}},
		{"a page of organizations is not shared", func(p *probe) {
			p.putOrganization(1, "acme")
			clear(p.organizations(0, 10))
			require.Equal(p, "acme", only(p, p.organizations(0, 10)).Slug)
		}},
		{"the groups of an organization are not shared", func(p *probe) {
			p.newGroup(1, "group")
			clear(p.groups(1))
			require.Equal(p, "group", only(p, p.groups(1)).Name)
		}},
		{"a page of the changelog is not shared", func(p *probe) {
			p.block(at(0), at(1))
			want := p.changes(asset.ChangeFilter{})
			for _, filter := range []asset.ChangeFilter{{}, {Identity: site(0)}} {
				clear(p.changes(filter))
			}
			require.Equal(p, want, p.changes(asset.ChangeFilter{}))
		}},
		{"a list of assets and a command with statuses are not shared", func(p *probe) {
			cmd := statusesCommand(at(0), asset.StatusBlocked, 1, 2)
			before := p.setStatuses(cmd)
			want := p.list(asset.Filter{})
			clear(cmd.Items)
			clear(before)
			clear(p.list(asset.Filter{}))
			clear(p.assetsByIdentity(site(1), site(2)))
			require.Equal(p, want, p.list(asset.Filter{}))
		}},
		{"what is held on an asset is not shared", func(p *probe) {
			p.set(site(1), asset.StatusAllowed, at(0))
			p.set(site(1), asset.StatusBlocked, at(1))
			want := p.held(site(1), at(2)).Operators.Clone()
			for _, held := range []asset.Held{p.held(site(1), at(2)), only(p, p.setStatuses(statusesCommand(at(2), asset.StatusBlocked, 1)))} {
				held.Operators.Note, held.Operators.Replaced.Note = "another", "another"
			}
			require.Equal(p, want, p.held(site(1), at(2)).Operators)
		}},
		{"a page of the feed is not shared", func(p *probe) {
			p.block(at(0), at(1))
			feed := p.feed(asset.FeedCursor{}, 10)
			clear(p.since(asset.FeedCursor{}, 10))
			require.Equal(p, feed, p.feed(asset.FeedCursor{}, 10))
		}},
		{"an add command and its outcomes are not shared", func(p *probe) {
			group := p.newGroup(1, "group")
			cmd := addCommand(1, 1, 2)
			cmd.Entries[0].Content = "submitted"
			cmd.GroupIDs = []int64{group}
			outcomes := p.add(cmd)
			want := p.entries(1)
			clear(cmd.Entries)
			clear(cmd.GroupIDs)
			clear(outcomes)
			require.Equal(p, want, p.entries(1), "after a change of the command")
			clear(p.entries(1))
			require.Equal(p, want, p.entries(1), "after a change of the returned entries")
		}},
		{"notes of a dispute are not shared", func(p *probe) {
			d := registeringCommand(1, "ada@acme.example")
			d.Notes = append(make([]dispute.Note, 0, 8), systemNotes("one", "two", "three")...)
			created := p.dispute(d)
			require.Equal(p, systemNotes("one", "two", "three"), d.Notes, "CreateDispute must not change its argument")
			require.Zero(p, d.Notes[:4][3], "CreateDispute must not append to its argument")
			clear(d.Notes)
			clear(created.Notes)
			clear(p.disputeByID(created.ID).Notes)
			clear(p.disputeWithAsset(created.ID).Notes)
			require.Equal(p, []string{"one", "two", "three"}, noteTexts(p.disputeByID(created.ID)))
		}},
		{"notes of an updated dispute are not shared", func(p *probe) {
			d := p.disputeIn(1, dispute.StateOpen)
			clear(p.transition(transition(d.ID, dispute.StateUnderReview, at(1))).Notes)
			noted := p.addNote(noteCommand(d.ID, "note", at(2)))
			want := p.disputeByID(d.ID)
			p.transition(transition(d.ID, dispute.StateRejected, at(3)))
			require.Equal(p, want, noted, "an update must not change a dispute that was returned earlier")
			clear(noted.Notes)
			require.Equal(p, []string{"to UNDER_REVIEW", "note", "to REJECTED"}, noteTexts(p.disputeByID(d.ID)))
		}},
		{"notes in an update of a dispute are not shared", func(p *probe) {
			d := p.disputeIn(1, dispute.StateRejected)
			_, err := p.UpdateDispute(p.Context(), dispute.UpdateCommand{DisputeID: d.ID, Apply: func(d dispute.Dispute) (dispute.Update, error) {
				clear(d.Notes)
				return dispute.Update{}, dispute.ErrTooManyNotes
			}})
			require.ErrorIs(p, err, dispute.ErrTooManyNotes)
			require.Equal(p, d, p.disputeByID(d.ID), "after a change of the notes by the update")

			var notes []dispute.Note
			got, err := p.UpdateDispute(p.Context(), dispute.UpdateCommand{DisputeID: d.ID, Apply: func(d dispute.Dispute) (dispute.Update, error) {
				notes = d.Notes
				return noteCommand(d.ID, "note", at(1)).Apply(d)
			}})
			require.NoError(p, err)
			clear(notes)
			require.Equal(p, []string{"to REJECTED", "note"}, noteTexts(got), "after a later change of the notes that the update received")
			require.Equal(p, got, p.disputeByID(d.ID), "after a later change of the notes that the update received")
		}},
		{"a page of disputes is not shared", func(p *probe) {
			p.disputeIn(1, dispute.StateOpen)
			want := p.allDisputes(dispute.Filter{})
			clear(p.allDisputes(dispute.Filter{}))
			require.Equal(p, want, p.allDisputes(dispute.Filter{}))
		}},
		{"proposals of a report are not shared", func(p *probe) {
			f := fileCommand("report", 1, 2)
			filed := p.file(f)
			clear(f.Proposals)
			reviewed := p.review(report.Review{ProposalID: filed.Proposals[0].ID, Status: report.ReviewSkip, ReviewedAt: at(1)})
			clear(filed.Proposals)
			clear(reviewed.Proposals)
			listed := p.reports(1, report.Filter{})
			for _, r := range listed {
				clear(r.Proposals)
			}
			clear(listed)
			got := p.newestReport(1)
			require.Equal(p, site(1), got.Proposals[0].Asset.Identity)
			require.Equal(p, report.ReviewSkip, got.Proposals[0].ReviewStatus)
			require.Equal(p, site(2), got.Proposals[1].Asset.Identity)
		}},
		{"reviews and reviewed reports are not shared", func(p *probe) {
			proposal := p.newProposal()
			clear(p.escalate(1, 1).Proposals)
			reviewed := p.review(reviewOf(proposal, report.ReviewApprove, 2))
			clear(p.withdrawAt(reviewed.Proposals[0].ReviewID, 3).Proposals)
			clear(p.reportByID(1).Proposals)
			want := p.reviewsOf(proposal.ID)
			require.Len(p, want, 2)
			clear(p.reviewsOf(proposal.ID))
			require.Equal(p, want, p.reviewsOf(proposal.ID))
			require.Equal(p, p.newestReport(1), p.reportByID(1))
			require.Equal(p, want[0].ID, p.reportByID(1).Proposals[0].ReviewID)
		}},
		{"lists and their entries are not shared", func(p *probe) {
			list := p.addLists("a", "b")[0]
			cmd := decideCommand(list, at(0), asset.StatusBlocked, 1, 2)
			decided := p.decideEntries(cmd)
			all, entries := p.lists(), p.listEntries(list.ID)
			clear(cmd.Entries)
			clear(decided)
			clear(p.lists())
			clear(p.listEntries(list.ID))
			require.Equal(p, all, p.lists())
			require.Equal(p, entries, p.listEntries(list.ID))
		}},
		{"the decisions of lists on an asset are not shared", func(p *probe) {
			added := p.addLists("a", "b")
			p.decideEntries(decideCommand(added[0], at(0), asset.StatusBlocked, 1))
			earlier := p.held(site(1), at(2))
			p.decideEntries(decideCommand(added[1], at(1), asset.StatusBlocked, 1))
			require.Len(p, earlier.Lists, 1)
			want := p.held(site(1), at(2))
			for _, held := range []asset.Held{earlier, p.held(site(1), at(2)), only(p, p.setStatuses(statusesCommand(at(2), asset.StatusBlocked, 1)))} {
				clear(held.Lists)
			}
			require.Equal(p, want.Lists, p.held(site(1), at(2)).Lists)
			p.withdrawEntries(endCommand(added[0], at(3), want.ID))
			require.Equal(p, []int64{added[0].ID, added[1].ID}, heldBy(want), "after a withdrawal")
		}},
		{"lists of an endpoint are not shared", func(p *probe) {
			want := fullEndpoint()
			want.ID, want.State = 1, webhook.StateActive
			clearLists := func(e webhook.Endpoint) {
				clear(e.Events)
				clear(e.Filter.Types)
				clear(e.Filter.Statuses)
			}
			given := want.Stored()
			clearLists(p.addEndpoint(given))
			clearLists(given)
			require.Equal(p, want, p.endpoint(1), "after a change of the lists that the store received and returned")
			clearLists(p.endpoint(1))
			clearLists(only(p, p.endpoints()))
			page, err := p.DueEndpoints(p.Context(), webhook.DueCursor{}, at(10), 10)
			require.NoError(p, err)
			clearLists(only(p, page.Items))
			require.Equal(p, want, p.endpoint(1), "after a change of the lists that the store returned")
			given = want.Stored()
			var before webhook.Endpoint
			clearLists(p.updateEndpoint(1, func(e *webhook.Endpoint) { before, *e = *e, given }))
			clearLists(given)
			clearLists(before)
			require.Equal(p, want, p.endpoint(1), "after a change of the lists of an update")
			_, err = p.UpdateEndpoint(p.Context(), 1, func(old webhook.Endpoint) (webhook.Endpoint, error) {
				clearLists(old)
				return webhook.Endpoint{}, errRefused
			}, audit.Entry{})
			require.ErrorIs(p, err, errRefused)
			require.Equal(p, want, p.endpoint(1), "after a refused update")
		}},
		{"a seed is not shared", func(p *probe) {
			seed := storage.Seed{
				Organizations: []storage.SeedOrganization{{ID: 1, Slug: "acme", Groups: []storage.SeedGroup{{ID: 1, Name: "group"}}}},
				Keys:          []storage.SeedKey{{Key: "key", Organization: "acme", Scopes: []account.Scope{account.ScopeDispute}}},
			}
			require.NoError(p, p.Import(p.Context(), seed))
			seed.Organizations[0].Groups[0].Name = "changed"
			seed.Keys[0].Scopes[0] = account.ScopeReports
			require.Equal(p, "group", only(p, p.groups(1)).Name)
			require.Equal(p, []account.Scope{account.ScopeDispute}, p.principal("key").Scopes)
		}},
		{"arguments are not changed", func(p *probe) {
			groups := []int64{p.newGroup(1, "a"), p.newGroup(1, "b"), p.newGroup(1, "c")}
			slices.Reverse(groups)
			a := addCommand(1, 5, 3, 4, 1)
			a.GroupIDs = slices.Clone(groups)
			p.add(a)
			require.Equal(p, groups, a.GroupIDs)
			require.Equal(p, []allowlist.Entry{entryFor(5), entryFor(3), entryFor(4), entryFor(1)}, a.Entries)

			f := fileCommand("report", 5, 3, 4, 1)
			p.file(f)
			require.Equal(p, fileCommand("report", 5, 3, 4, 1), f)

			filter := report.Filter{BrandIDs: []int64{3, 1, 2, 1}, ReviewStatuses: []report.ReviewStatus{report.ReviewSkip, report.ReviewApprove, report.ReviewSkip}}
			p.reports(1, filter)
			require.Equal(p, []int64{3, 1, 2, 1}, filter.BrandIDs)
			require.Equal(p, []report.ReviewStatus{report.ReviewSkip, report.ReviewApprove, report.ReviewSkip}, filter.ReviewStatuses)

			d := p.disputeIn(1, dispute.StateOpen)
			states := []dispute.State{dispute.StateRejected, dispute.StateOpen, dispute.StateRejected}
			listed := dispute.Filter{States: slices.Clone(states)}
			p.allDisputes(listed)
			require.Equal(p, states, listed.States)
			m := transition(d.ID, dispute.StateWithdrawn, at(1))
			m.From = slices.Clone(states)
			p.transition(m)
			require.Equal(p, states, m.From)

			list := p.addLists("a")[0]
			decide := decideCommand(list, at(0), asset.StatusBlocked, 5, 3, 4, 1)
			p.decideEntries(decide)
			require.Equal(p, decideCommand(list, at(0), asset.StatusBlocked, 5, 3, 4, 1), decide)
			end := endCommand(list, at(1), 3, 1, 4, 2)
			p.withdrawEntries(end)
			require.Equal(p, []int64{3, 1, 4, 2}, end.AssetIDs)

			key := newKey("key", 0, 0, account.ScopeReports, account.ScopeChangelog, account.ScopeDispute)
			p.putKey(key)
			require.Equal(p, []account.Scope{account.ScopeReports, account.ScopeChangelog, account.ScopeDispute}, key.Scopes)
		}},
	}
}
