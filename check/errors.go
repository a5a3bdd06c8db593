package check

import (
	"errors"
	"fmt"
)

// The reasons to refuse one content, for errors.Is.
var (
	// ErrContentRequired reports that the content is blank.
	ErrContentRequired = errors.New("content is required")
	// ErrInvalidFormat reports that the content is not a recognized asset. The error also
	// matches that of [classify.Classify].
	ErrInvalidFormat = errors.New("invalid asset format")
)

// ErrTooMany reports that a batch has more than [MaxContents] contents. The error is an
// [*asset.InputError].
var ErrTooMany = fmt.Errorf("more than %d contents", MaxContents)
