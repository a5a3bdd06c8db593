package dispute

import "fmt"

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
