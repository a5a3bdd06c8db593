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
	// CreateDispute stores the draft as one step and returns the dispute with the
	// notes that Draft.NotesFor has for the asset as it is.
	//
	// It returns asset.ErrNotFound when there is no asset with that identity and
	// the draft does not say to register it, and ErrExists when there is a
	// dispute of the same asset and EmailKey, also when both arrive at once.
	CreateDispute(ctx context.Context, draft Draft) (Dispute, error)

	// DisputeByID returns the dispute with its notes, or ErrNotFound.
	DisputeByID(ctx context.Context, id int64) (Dispute, error)
}

// Draft is what [Store.CreateDispute] stores.
type Draft struct {
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

// NotesFor returns the notes that the dispute of an asset with that status gets.
func (d Draft) NotesFor(status asset.Status) []Note {
	texts := d.Notes
	if d.NoteUnlessBlocked != "" && status != asset.StatusBlocked {
		texts = append(slices.Clip(texts), d.NoteUnlessBlocked)
	}
	notes := make([]Note, len(texts))
	for i, text := range texts {
		notes[i] = Note{Text: text, CreatedAt: asset.Moment(d.At)}
	}
	return notes
}
