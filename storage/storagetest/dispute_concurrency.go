package storagetest

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/report"
)

func disputeConcurrencyChecks() []requirement {
	return []requirement{
		{"one of 16 concurrent resolutions of a dispute succeeds", func(p *probe) {
			d := p.disputeIn(1, dispute.StateUnderReview)
			before := len(p.changes(asset.ChangeFilter{}))
			p.oneSucceeds(concurrently(16, func(i int) error {
				t := acceptance(d.ID, asset.StatusAllowed, at(i))
				if i%2 == 1 {
					t = transition(d.ID, dispute.StateRejected, at(i))
				}
				t.Actor = int64(i + 1)
				_, err := p.tryTransition(t)
				return err
			}), dispute.ErrInvalidTransition)

			got := p.disputeByID(d.ID)
			p.validHistory(got)
			require.Len(p, got.Notes, len(d.Notes)+1, "only the successful resolution must add a note")
			changes := p.changes(asset.ChangeFilter{})
			if got.State == dispute.StateRejected {
				require.Len(p, changes, before)
				require.Equal(p, asset.StatusBlocked, p.asset(site(1)).Status)
				return
			}
			require.Len(p, changes, before+1)
			require.Equal(p, asset.StatusAllowed, p.asset(site(1)).Status)
			last, _ := got.LastTransition()
			require.Equal(p, last.Author, p.newestChange().Origin.Actor, "the change must be of the successful resolution")
		}},
		{"one of 16 concurrent callers starts the review of a dispute", func(p *probe) {
			d := p.disputeIn(1, dispute.StateOpen)
			p.oneSucceeds(concurrently(16, func(i int) error {
				_, err := p.tryTransition(transition(d.ID, dispute.StateUnderReview, at(i)))
				return err
			}), dispute.ErrInvalidTransition)
		}},
		{"each of 16 concurrent updates of a dispute receives the previous one", func(p *probe) {
			d := p.disputeIn(1, dispute.StateOpen)
			seen := make([]int, 16)
			p.allSucceed(concurrently(len(seen), func(i int) error {
				_, err := p.UpdateDispute(p.Context(), dispute.UpdateCommand{DisputeID: d.ID, Apply: func(d dispute.Dispute) (dispute.Update, error) {
					seen[i] = len(d.Notes)
					return noteCommand(d.ID, "note", at(i)).Apply(d)
				}})
				return err
			}))
			slices.Sort(seen)
			for i, notes := range seen {
				require.Equal(p, i, notes, "each update must receive the notes of the previous ones, not %v notes", seen)
			}
			require.Len(p, p.disputeByID(d.ID).Notes, len(seen))
		}},
		{"concurrent notes and transitions of one dispute are all stored", func(p *probe) {
			d := p.disputeIn(1, dispute.StateOpen)
			p.allSucceed(concurrently(16, func(i int) error {
				if i%2 == 0 {
					_, err := p.tryAddNote(noteCommand(d.ID, strconv.Itoa(i), at(-i)))
					return err
				}
				_, err := p.tryTransition(transition(d.ID, dispute.States()[i%5], at(-i)))
				if errors.Is(err, dispute.ErrInvalidTransition) {
					return nil
				}
				return err
			}))
			got := p.disputeByID(d.ID)
			p.validHistory(got)
			texts := noteTexts(got)
			for i := 0; i < 16; i += 2 {
				require.Contains(p, texts, strconv.Itoa(i))
			}
		}},
		{"concurrent resolutions and other changes of the same assets form one history", resolversAndWriters},
		{"readers see all of a transition or nothing", readersSeeWholeTransitions},
		{"readers see a dispute and its asset at the same time", readersSeeDecidedAssets},
	}
}

// resolversAndWriters accepts disputes, two of each asset, while other callers change the
// same assets.
func resolversAndWriters(p *probe) {
	const assets = 4
	disputes := make([]int64, 0, 2*assets)
	for n := range assets {
		p.set(site(n), asset.StatusBlocked, at(0))
		for _, email := range []string{"a@acme.example", "b@acme.example"} {
			disputes = append(disputes, p.dispute(disputeCommand(n, email)).ID)
		}
	}
	filed := p.file(fileCommand("report", numbersTo(assets)...))
	p.ensureOrganizations(ids(24)...)
	p.allSucceed(concurrently(24, func(i int) (err error) {
		switch i % 6 {
		case 0, 1:
			id := disputes[2*(i/6)+i%6]
			_, err = p.tryTransition(acceptance(id, []asset.Status{asset.StatusUnknown, asset.StatusAllowed}[i%2], at(i)))
		case 2:
			_, err = p.SetAssetStatuses(p.Context(), statusCommand(site(i/6), asset.StatusBlocked, at(i)))
		case 3:
			_, err = p.AddToAllowlist(p.Context(), addCommand(int64(i), 3, 1, 2, 0))
		case 4:
			_, err = addReview(p.Context(), p, report.Review{ProposalID: filed.Proposals[i/6].ID, Status: report.ReviewApprove, ReviewedAt: at(i)})
		default:
			_, err = p.CreateDispute(p.Context(), disputeCommand(i/6, "c@acme.example"))
		}
		return err
	}))
	for n := range assets {
		p.validChanges(site(n))
	}
	for _, id := range disputes {
		require.Equal(p, dispute.StateAccepted, p.disputeByID(id).State)
	}
}

// readersSeeDecidedAssets reads disputes with their assets while another caller accepts them.
func readersSeeDecidedAssets(p *probe) {
	disputes := make([]int64, 20)
	for n := range disputes {
		disputes[n] = p.disputeIn(n, dispute.StateOpen).ID
	}
	write := func() error {
		for _, id := range disputes {
			if _, err := p.tryTransition(acceptance(id, asset.StatusAllowed, at(1))); err != nil {
				return err
			}
		}
		return nil
	}
	p.readWhile(2, write, func() error {
		for _, id := range disputes {
			got, err := p.DisputeWithAsset(p.Context(), id)
			if err != nil {
				return err
			}
			if (got.State == dispute.StateAccepted) != (got.Asset.Status == asset.StatusAllowed) {
				return fmt.Errorf("a dispute must not be %s while its asset is %s", got.State, got.Asset.Status)
			}
		}
		return nil
	})
}

// readersSeeWholeTransitions reads while another caller changes the state of a dispute
// repeatedly.
func readersSeeWholeTransitions(p *probe) {
	d := p.disputeIn(1, dispute.StateOpen)
	write := func() error {
		for i := range 30 {
			to := []dispute.State{dispute.StateUnderReview, dispute.StateRejected, dispute.StateOpen}[i%3]
			if _, err := p.tryTransition(transition(d.ID, to, at(i))); err != nil {
				return err
			}
		}
		return nil
	}
	p.readWhile(2, write, func() error { return p.checkWholeTransitions(d.ID) })
}

// checkWholeTransitions returns an error if it reads a part of a transition, or if the
// dispute is not listed once.
func (p *probe) checkWholeTransitions(id int64) error {
	d, err := p.DisputeByID(p.Context(), id)
	if err != nil {
		return err
	}
	last, changed := d.LastTransition()
	if changed && (last.State != d.State || !last.CreatedAt.Equal(d.UpdatedAt)) || !changed && d.State != dispute.StateOpen {
		return fmt.Errorf("the state %s and UpdatedAt %v of a dispute must be those of its last transition %+v", d.State, d.UpdatedAt, last)
	}
	listed, err := p.Disputes(p.Context(), dispute.ListRequest{Filter: dispute.Filter{States: dispute.States()}, Limit: 10})
	if err == nil && !slices.Equal(disputeIDs(listed.Items), []int64{id}) {
		return fmt.Errorf("a list of all states must have the dispute once during a transition, not disputes %v", disputeIDs(listed.Items))
	}
	return err
}
