package dispute

import "errors"

// Errors of this package. Its functions also return errors that match
// [asset.ErrNotFound] and [asset.ErrInvalid]. Any other error comes from the storage or
// the context.
var (
	// ErrExists reports that the e-mail address already has a dispute of this asset.
	ErrExists = errors.New("dispute already exists for this asset and e-mail")
	// ErrNotFound reports that there is no dispute with this ID.
	ErrNotFound = errors.New("dispute not found")
	// ErrTooManyNotes reports that the dispute would exceed [MaxNotes] or
	// [MaxTotalNoteBytes].
	ErrTooManyNotes = errors.New("dispute has too many notes")
	// ErrInvalidTransition reports that the state of the dispute does not allow the
	// transition. The error is a [*TransitionError].
	ErrInvalidTransition = errors.New("invalid transition of a dispute")
)
