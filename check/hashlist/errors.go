package hashlist

import (
	"errors"
	"fmt"

	"github.com/apguard/apguard/asset"
)

// Errors of [List.Check]. They match [asset.ErrUnavailable], and none is a verdict: treat them as "do not
// show", or ask the server.
var (
	// ErrNoList reports that the list was never filled.
	ErrNoList = fmt.Errorf("no hash list yet: %w", asset.ErrUnavailable)
	// ErrOutdated reports that the list is older than the limit of [New], or that the clock was set
	// back so that its age is unknown.
	ErrOutdated = fmt.Errorf("hash list is outdated: %w", asset.ErrUnavailable)
)

// Errors of [List.Update] and [List.Load]. The list is unchanged after an error.
var (
	// ErrDamaged reports that the data is not a hash list, or that its checksum is wrong.
	ErrDamaged = errors.New("damaged hash list")
	// ErrReplayed reports a difference to another list than the one that is held, such as one that was
	// applied before.
	ErrReplayed = errors.New("hash list is the difference to another one")
	// ErrDowngraded reports that the list is older than the one that is held. If the store of the server
	// was restored from a backup, continue with a new List.
	ErrDowngraded = errors.New("hash list is older than the one that is held")
)

// RulesError reports that a hash list was made by other rules than those of this program. Its hashes
// are not those of the same contents. The list is unchanged, and answers until it is outdated.
type RulesError struct {
	// Have is the version of the rules of the hash list, 0 if the server does not say it.
	Have int
	// Want is classify.Version.
	Want int
}

// Error returns the versions.
func (e *RulesError) Error() string {
	return fmt.Sprintf("hash list has rules version %d, this program has %d", e.Have, e.Want)
}
