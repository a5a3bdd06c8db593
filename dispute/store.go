package dispute

import (
	"context"
	"slices"
	"time"

	"github.com/apguard/apguard/asset"
)

// Store is the storage that a [Service] needs. All methods may be called
// concurrently, each is one atomic step, and each returns the context's error
// when the context ends first.
type Store interface {
	// CreateDispute stores what Draft.Of says of the asset as it is, as one step, and
	// returns it.
	//
	// It returns asset.ErrNotFound when there is no asset with that identity and
	// the draft does not say to register it, and ErrExists when there is a
	// dispute of the same asset and EmailKey, also when both arrive at once.
	CreateDispute(ctx context.Context, draft CreateCommand) (Dispute, error)

	// DisputeByID returns the dispute with its notes, or ErrNotFound.
	DisputeByID(ctx context.Context, id int64) (Dispute, error)

	// MoveDispute makes the dispute what Move.Of says, gives its asset the status of
	// the move, if there is one, and records the change with Move.Origin only if the
	// asset had another one. It returns the dispute with its notes as it is
	// afterwards. Of moves that come at once, each finds what the one before has left.
	//
	// It returns ErrNotFound when there is no such dispute, and the error of Move.Of.
	MoveDispute(ctx context.Context, move Transition) (Dispute, error)

	// AddDisputeNote makes the dispute what NoteWrite.Of says and returns it with its
	// notes. Notes that come at once are all kept, as far as there is room for them.
	//
	// It returns ErrNotFound when there is no such dispute, and the error of NoteWrite.Of.
	AddDisputeNote(ctx context.Context, note AddNoteCommand) (Dispute, error)

	// Disputes returns the first disputes that Listing.Match has, in the order of
	// Listing.Compare, at most the listing's limit of them, each as Dispute.Listed
	// returns it.
	Disputes(ctx context.Context, listing Listing) ([]Dispute, error)
}

// CreateCommand is what [Store.CreateDispute] stores.
type CreateCommand struct {
	Identity asset.Identity
	Content  string
	// Register says to register an asset that does not exist, as UNKNOWN.
	Register bool
	Email    string
	// EmailKey is the form under which addresses are compared.
	EmailKey    string
	Description string
	// Notes are the texts of the notes, in their order.
	Notes []string
	// NoteUnlessBlocked is the text of a last note that is left out when it is
	// empty or the asset is BLOCKED.
	NoteUnlessBlocked string
	At                time.Time
}

// Apply returns the new dispute of the asset, with that ID. Every store answers as this
// function does.
func (d CreateCommand) Apply(id int64, disputed asset.Asset) Dispute {
	at := asset.TruncateTime(d.At)
	return Dispute{
		ID:          id,
		AssetID:     disputed.ID,
		Content:     d.Content,
		Email:       d.Email,
		Description: d.Description,
		State:       StateOpen,
		Notes:       d.notesFor(disputed.Status),
		CreatedAt:   at,
		UpdatedAt:   at,
	}
}

// notesFor returns the notes that the dispute of an asset with that status gets.
func (d CreateCommand) notesFor(status asset.Status) []Note {
	texts := d.Notes
	if d.NoteUnlessBlocked != "" && status != asset.StatusBlocked {
		texts = append(slices.Clip(texts), d.NoteUnlessBlocked)
	}
	notes := make([]Note, len(texts))
	for i, text := range texts {
		notes[i] = Note{Text: text, CreatedAt: asset.TruncateTime(d.At)}
	}
	return notes
}
