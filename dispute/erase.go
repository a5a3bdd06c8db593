package dispute

import (
	"context"
	"slices"
	"strconv"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/step"
)

// EraseLimit is the maximum number of disputes that one step of [QueueService.Erase] erases.
const EraseLimit = 100

// Written reports whether a person writes the text of such notes.
func (k NoteKind) Written() bool {
	return k == NoteKindTransition || k == NoteKindComment
}

// Erased returns d without the personal data of its creator: the e-mail address, the
// description, and the texts that operators have written about it. Its content becomes the
// canonical form of the asset. States, times, and the IDs of the creator and of authors stay.
func (d Dispute) Erased(canonical string) Dispute {
	d.Content, d.Email, d.Description = canonical, "", ""
	d.Notes = slices.Clone(d.Notes)
	for i, note := range d.Notes {
		if note.Kind.Written() {
			d.Notes[i].Text = ""
		}
	}
	return d
}

// ErasedKey returns the form in which the e-mail address of an erased dispute is stored. It
// differs from every [account.EmailKey] of a valid address.
func ErasedKey(id int64) string {
	return strconv.FormatInt(id, 10)
}

// Erase erases the disputes of an e-mail address, as [Dispute.Erased] says, and returns their
// number, even if it fails. The address may dispute the same assets again.
//
// Erase works in atomic steps of at most [EraseLimit] disputes. If it fails, the next call
// erases the rest.
func (s *QueueService) Erase(ctx context.Context, email string) (erased int64, err error) {
	cmd := EraseCommand{
		EmailKey: account.EmailKey(email),
		Limit:    EraseLimit,
		Audit:    audit.New(ctx, s.clock(), audit.KindErasure, audit.ActionErased),
	}
	if !account.ValidEmail(cmd.EmailKey) {
		return 0, nil // no dispute has it
	}
	return step.Repeat(func() (int, bool, error) {
		n, err := s.store.EraseDisputes(ctx, cmd)
		return n, n > 0, err
	})
}

// EraseCommand is one step of [QueueService.Erase].
type EraseCommand struct {
	EmailKey string
	// Limit is the largest number of disputes to erase. It is positive.
	Limit int
	// Audit is the entry of the step; see Entry.
	Audit audit.Entry
}

// Entry returns the entry to record after the step, which has erased that many disputes. It is zero
// for none. Stores call it.
func (cmd EraseCommand) Entry(erased int) audit.Entry {
	if erased == 0 || cmd.Audit.IsZero() {
		return audit.Entry{}
	}
	cmd.Audit.Detail = strconv.Itoa(erased)
	return cmd.Audit
}
