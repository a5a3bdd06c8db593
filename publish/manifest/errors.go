package manifest

import (
	"errors"
	"fmt"
)

// Errors of [Open].
var (
	// ErrSignature reports that no signature is that of a known key, or that one of a known key is wrong.
	ErrSignature = errors.New("manifest is not signed with the key of the publisher")
	// ErrMalformed reports that a signed text is not a manifest. Also [Manifest.Sign] returns it.
	ErrMalformed = errors.New("malformed manifest")
)

// Errors of [Manifest.Refusal]. What is held stays.
var (
	// ErrOlder reports that the manifest is older than one that was accepted before. A cache may have repeated it. If
	// the store was restored from a backup, clients must start again.
	ErrOlder = errors.New("manifest is older than the last one")
	// ErrOtherStore reports that the manifest is of another store than the last one, such as that of a test with the
	// same key. If the publisher has another store, clients must start again.
	ErrOtherStore = errors.New("manifest is of another store than the last one; start again to accept it")
	// ErrTooOld reports that the manifest is older than the client permits. The publisher may have stopped, or the
	// clock of the client is fast.
	ErrTooOld = errors.New("manifest is too old")
	// ErrFuture reports that the manifest is from the future. The clock of the client is slow, or that of the
	// publisher is fast.
	ErrFuture = errors.New("manifest is from the future")
)

var (
	// ErrMissing reports that the manifest lacks a file that the client needs, because it is not published.
	ErrMissing = errors.New("not published")
	// ErrFile reports that a file has another size or content than the manifest says.
	ErrFile = errors.New("file differs from the manifest")
)

// RulesError reports that the files were made by other rules than those of this program.
type RulesError struct {
	// Have is the version of the rules of the manifest.
	Have int
	// Want is classify.Version.
	Want int
}

// Error returns the versions.
func (e *RulesError) Error() string {
	return fmt.Sprintf("manifest has rules version %d, this program has %d", e.Have, e.Want)
}
