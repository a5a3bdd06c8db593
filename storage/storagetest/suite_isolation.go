package storagetest

import (
	"errors"
	"fmt"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/report"
)

// readersSeeWholeSteps reads while another caller writes several records in each step.
func readersSeeWholeSteps(p *probe) {
	const batches, size = 12, 25
	filed := p.file(fileCommand("report", numbersTo(batches)...))
	p.ensureOrganizations(1)
	list := p.addList(newList("list"))
	write := func() error {
		for i := range batches {
			if err := p.replaceEntries(list, i*size, size); err != nil {
				return err
			}
			numbers := numbersTo(1000 + (i+1)*size)[1000+i*size:]
			if _, err := p.AddToAllowlist(p.Context(), addCommand(1, numbers...)); err != nil {
				return err
			}
			d := registeringCommand(5000+i, "ada@acme.example")
			d.Notes = systemNotes("one", "two", "three")
			if _, err := p.CreateDispute(p.Context(), d); err != nil {
				return err
			}
			review := report.Review{ProposalID: filed.Proposals[i].ID, Status: report.ReviewReject, ReviewedAt: at(i + 1)}
			if _, err := addReview(p.Context(), p, review); err != nil {
				return err
			}
			f := fileCommand("report", 1, 2, 9000+i)
			f.OrganizationID = 2
			if _, err := p.FileReport(p.Context(), f); err != nil {
				return err
			}
		}
		return nil
	}
	p.readWhile(3, write, func() error { return p.checkWholeSteps(size) })
	require.Len(p, p.entries(1), batches*size)
}

// replaceEntries decides on assets in one step, and withdraws them in another one if the number of the first one is odd.
func (p *probe) replaceEntries(list lists.List, first, size int) error {
	decided, err := p.DecideEntries(p.Context(), decideCommand(list, at(first), asset.StatusBlocked, numbersTo(20_000 + first + size)[20_000+first:]...))
	if err != nil || first%2 == 0 {
		return err
	}
	end := endCommand(list, at(first))
	for _, one := range decided {
		end.AssetIDs = append(end.AssetIDs, one.ID)
	}
	return p.WithdrawEntries(p.Context(), end)
}

// checkWholeSteps returns an error if it reads a part of a step.
func (p *probe) checkWholeSteps(batch int) error {
	return errors.Join(p.checkWholeAdditions(batch), p.checkWholeReviews(), p.checkWholeFilings(), p.checkWholeDisputes(), p.checkWholeLists(batch))
}

func (p *probe) checkWholeLists(batch int) error {
	page, err := p.ListEntries(p.Context(), 1, 0, noLimit)
	if err != nil {
		return err
	}
	if len(page.Items)%batch != 0 {
		return fmt.Errorf("the number of entries of a list must be a multiple of %[2]d, the size of the steps, not %[1]d", len(page.Items), batch)
	}
	changes, err := p.Changes(p.Context(), asset.ListChangesRequest{Filter: asset.ChangeFilter{From: asset.StatusBlocked, To: asset.StatusUnknown}, Limit: noLimit})
	if len(changes.Items)%batch != 0 {
		return fmt.Errorf("the number of changes by withdrawals must be a multiple of %[2]d, the size of the steps, not %[1]d", len(changes.Items), batch)
	}
	return err
}

func (p *probe) checkWholeAdditions(batch int) error {
	entries, err := p.AllowlistEntries(p.Context(), allowlist.ListRequest{OrganizationID: 1, Limit: noLimit}, time.Time{})
	if err != nil {
		return err
	}
	if len(entries.Entries)%batch != 0 {
		return fmt.Errorf("the number of allowlist entries must be a multiple of %[2]d, the size of the batches, not %[1]d", len(entries.Entries), batch)
	}
	changes, err := p.Changes(p.Context(), asset.ListChangesRequest{Filter: asset.ChangeFilter{To: asset.StatusAllowed}, Limit: noLimit})
	if len(changes.Items)%batch != 0 {
		return fmt.Errorf("the number of changes must be a multiple of %[2]d, the size of the batches, not %[1]d", len(changes.Items), batch)
	}
	return err
}

func (p *probe) checkWholeReviews() error {
	page, err := p.Reports(p.Context(), report.ListRequest{Scope: report.InOrganization(1), Limit: 10})
	for _, r := range page.Reports {
		updated := r.CreatedAt
		for _, proposal := range r.Proposals {
			if proposal.ReviewedAt.After(updated) {
				updated = proposal.ReviewedAt
			}
		}
		if !r.UpdatedAt.Equal(updated) {
			return fmt.Errorf("UpdatedAt of a report must be %v, the time of its last review, not %v", updated, r.UpdatedAt)
		}
		if want := report.StatusOf(r.Proposals); r.Status != want {
			return fmt.Errorf("the status of a report must be %s, which follows from its proposals, not %s", want, r.Status)
		}
	}
	return err
}

func (p *probe) checkWholeFilings() error {
	page, err := p.Reports(p.Context(), report.ListRequest{Scope: report.InOrganization(2), Limit: noLimit})
	for _, r := range page.Reports {
		if len(r.Proposals) != 3 {
			return fmt.Errorf("a report must have all 3 proposals, not %d", len(r.Proposals))
		}
	}
	return err
}

func (p *probe) checkWholeDisputes() error {
	// A store may skip IDs, but not this many.
	missing := 0
	for id := int64(1); missing < 10; id++ {
		d, err := p.DisputeByID(p.Context(), id)
		switch {
		case errors.Is(err, dispute.ErrNotFound):
			missing++
		case err != nil:
			return err
		case len(d.Notes) != 3:
			return fmt.Errorf("a dispute must have all 3 notes, not %d", len(d.Notes))
		}
	}
	return nil
}
