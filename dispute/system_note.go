package dispute

import (
	"fmt"
	"slices"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
)

// systemNotes returns the notes of a new dispute, whether its asset is BLOCKED here or not. listed says that
// an external list blocks the asset.
func systemNotes(viaAPI bool, verdicts []check.ListVerdict) (notes []Note, listed bool) {
	if viaAPI {
		notes = append(notes, apiNote())
	}
	i := slices.IndexFunc(verdicts, check.ListVerdict.Blocks)
	if i >= 0 {
		notes = append(notes, externalListNote(verdicts[i].List))
	}
	return notes, i >= 0
}

// notesOf returns the notes of the new dispute of an asset. One that is BLOCKED here has no note on external
// lists.
func (cmd CreateCommand) notesOf(disputed asset.Asset, at time.Time) []Note {
	notes := make([]Note, 0, len(cmd.Notes))
	for _, note := range cmd.Notes {
		if note.Kind == NoteKindExternalList && disputed.Status == asset.StatusBlocked {
			continue
		}
		note.CreatedAt = at
		notes = append(notes, note)
	}
	return notes
}

// apiNote returns the system note on disputes that were created through the HTTP API.
func apiNote() Note {
	return Note{Kind: NoteKindAPI, Text: "This dispute was created through the API."}
}

// externalListNote returns the system note on disputes of assets that only the named
// list blocks. The name may be empty.
func externalListNote(list string) Note {
	text := "This asset is not blocked here. It is blocked in an external list."
	if list != "" {
		text = fmt.Sprintf("This asset is not blocked here. It is blocked in the external list %s.", list)
	}
	return Note{Kind: NoteKindExternalList, Text: text}
}

// externalListMessage returns the text of the note that only an external list blocks the
// asset, or an empty text.
func externalListMessage(notes []Note) string {
	for _, note := range notes {
		if note.Kind == NoteKindExternalList {
			return note.Text
		}
	}
	return ""
}
