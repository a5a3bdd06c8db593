package storagetest

import (
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/step"
)

// disputeEvents publishes all events and returns them.
func (p *probe) disputeEvents() []dispute.Event {
	p.Helper()
	p.publish()
	return allPages(p, noLimit, func(last dispute.Event) step.Page[dispute.Event] { return p.eventPage(last.Position, noLimit) })
}

func (p *probe) eventPage(after int64, limit int) step.Page[dispute.Event] {
	p.Helper()
	page, err := p.DisputeEvents(p.Context(), after, limit)
	require.NoError(p, err, "DisputeEvents after %d", after)
	return page
}

func (p *probe) lastDisputeEvent() int64 {
	p.Helper()
	last, err := p.LastDisputeEvent(p.Context())
	require.NoError(p, err, "LastDisputeEvent")
	return last
}

// eventOf returns the event at the position, by which the dispute got into the state.
func eventOf(position int64, d dispute.Dispute, n int, state dispute.State, seconds int) dispute.Event {
	return dispute.Event{
		Position: position, DisputeID: d.ID, AssetID: d.AssetID, Type: site(n).Type, Canonical: site(n).Canonical, State: state, At: at(seconds),
	}
}

func disputeEventChecks() []requirement {
	const ada, grace = "ada@acme.example", "grace@acme.example"
	return []requirement{
		{"each dispute that is created or closed is an event", func(p *probe) {
			require.Empty(p, p.disputeEvents(), "an empty store")
			require.Zero(p, p.lastDisputeEvent())
			first := p.dispute(registeringCommand(1, ada))
			second := p.dispute(registeringCommand(2, ada))
			p.addNote(noteCommand(first.ID, "note", at(1)))
			p.transition(transition(second.ID, dispute.StateUnderReview, at(2)))
			p.transition(acceptance(second.ID, asset.StatusAllowed, at(3)))
			p.transition(transition(first.ID, dispute.StateWithdrawn, at(4)))
			p.transition(transition(first.ID, dispute.StateOpen, at(5)))
			p.transition(transition(first.ID, dispute.StateRejected, at(6)))
			require.Equal(p, []dispute.Event{
				eventOf(1, first, 1, dispute.StateOpen, 0),
				eventOf(2, second, 2, dispute.StateOpen, 0),
				eventOf(3, second, 2, dispute.StateAccepted, 3),
				eventOf(4, first, 1, dispute.StateWithdrawn, 4),
				eventOf(5, first, 1, dispute.StateRejected, 6),
			}, p.disputeEvents())
			require.EqualValues(p, 5, p.lastDisputeEvent())
		}},
		{"what is refused is no event", func(p *probe) {
			p.dispute(registeringCommand(1, ada))
			_, err := p.CreateDispute(p.Context(), registeringCommand(1, ada))
			require.ErrorIs(p, err, dispute.ErrExists)
			_, err = p.UpdateDispute(p.Context(), dispute.UpdateCommand{DisputeID: 1, Apply: func(dispute.Dispute) (dispute.Update, error) {
				return dispute.Update{Note: dispute.Note{Kind: dispute.NoteKindTransition, State: dispute.StateAccepted}}, errRefused
			}})
			require.ErrorIs(p, err, errRefused)
			require.Len(p, p.disputeEvents(), 1)
		}},
		{"pages of events are limited by bytes", func(p *probe) {
			requirePagesByBytes(p, func(sizes []int) {
				for i, size := range sizes {
					cmd := registeringCommand(i, ada)
					cmd.Identity.Canonical = fmt.Sprintf("https://%d.example/", i)
					e := dispute.Event{Canonical: cmd.Identity.Canonical}
					cmd.Identity.Canonical += strings.Repeat("f", size-e.PageBytes())
					p.dispute(cmd)
				}
				p.publish()
			}, func(last dispute.Event) step.Page[dispute.Event] { return p.eventPage(last.Position, noLimit) })
		}},
		{"an erased dispute keeps its events, which name no person", func(p *probe) {
			cmd := registeringCommand(1, ada)
			cmd.Content = "HTTPS://Ada@site-1.example"
			d := p.dispute(cmd)
			want := []dispute.Event{eventOf(1, d, 1, dispute.StateOpen, 0)}
			require.Equal(p, want, p.disputeEvents())
			require.Equal(p, 1, p.erase(ada, 10))
			require.Equal(p, want, p.disputeEvents())
		}},
		{"a removed dispute has no events, and their positions are not used again", func(p *probe) {
			p.closedDisputeBy(ada, 1, at(1))
			kept := p.dispute(registeringCommand(1, grace))
			p.closedDisputeBy(ada, 2, at(1))
			p.publish()
			p.closedDisputeBy(ada, 3, at(1)) // without a position when it is removed
			require.Equal(p, 3, p.pruneDisputes(at(2), 0, noLimit).Removed)
			require.Equal(p, []dispute.Event{eventOf(3, kept, 1, dispute.StateOpen, 0)}, p.disputeEvents())
			last := p.lastDisputeEvent()
			require.GreaterOrEqual(p, last, int64(5))
			p.dispute(registeringCommand(2, ada))
			events := p.disputeEvents()
			require.Len(p, events, 2)
			require.Greater(p, events[1].Position, last)
		}},
	}
}

func disputeEventConcurrencyChecks() []requirement {
	return []requirement{
		{"a follower of the events of disputes misses none", func(p *probe) {
			const writers, disputes, size = 6, 12, 5
			var (
				writing atomic.Int64
				seen    []dispute.Event
			)
			writing.Store(writers)
			p.allSucceed(concurrently(writers+1, func(i int) error {
				if i == writers {
					for after := int64(0); ; {
						last := writing.Load() == 0
						if _, err := p.PublishChanges(p.Context(), size); err != nil {
							return err
						}
						page, err := p.DisputeEvents(p.Context(), after, size)
						if err != nil {
							return err
						}
						seen = append(seen, page.Items...)
						if len(page.Items) > 0 {
							after = page.Last().Position
						} else if last {
							return nil
						}
					}
				}
				defer writing.Add(-1)
				for n := range disputes {
					d, err := p.CreateDispute(p.Context(), registeringCommand(n, fmt.Sprintf("%d@acme.example", i)))
					if err != nil {
						return err
					}
					if _, err := p.tryTransition(transition(d.ID, dispute.StateRejected, at(n))); err != nil {
						return err
					}
				}
				return nil
			}))
			require.Equal(p, p.disputeEvents(), seen)
			require.Len(p, seen, 2*writers*disputes)
			state := make(map[int64]dispute.State)
			for _, e := range seen {
				want := dispute.StateOpen
				if state[e.DisputeID] != "" {
					want = dispute.StateRejected
				}
				require.Equal(p, want, e.State, "the events of dispute %d must be in order", e.DisputeID)
				state[e.DisputeID] = e.State
			}
		}},
	}
}
