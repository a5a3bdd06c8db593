package publish

import (
	"errors"

	"github.com/apguard/apguard/publish/manifest"
)

// ErrNewer reports that the folder has a manifest of a later version of the same store, which is not replaced. The
// store may have been restored from a backup: see docs/publish.md.
var ErrNewer = errors.New("manifest in the folder has a later version of the store")

// ErrNotCleaned reports that everything is published, but old files could not be removed.
var ErrNotCleaned = errors.New("old files in the folder cannot be removed")

// ErrOtherKey reports that the folder has a manifest of another key, which is not replaced: clients would refuse the new
// one.
var ErrOtherKey = errors.New("the manifest in the folder is signed by another key; publish with that key too, or remove manifest.json")

// ErrUnpublished reports that exports have changes that are not in the feed yet. On a store that publishes changes later,
// a server that writes to it must run.
var ErrUnpublished = errors.New("changes are not published yet; a server that writes to the store must run")

// errReplaced reports that another publisher has replaced the manifest meanwhile.
var errReplaced = errors.New("another publisher has replaced the manifest several times")

// The reasons for [Publication.Anew].
var (
	// ErrStore reports that the manifest in the folder has files of another store.
	ErrStore = errors.New("manifest in the folder is of another store")
	// ErrRules reports that the manifest in the folder has files that were made by other rules.
	ErrRules = errors.New("manifest in the folder is of other rules")
	// ErrTime reports that the manifest in the folder is from the future. One of the clocks is wrong.
	ErrTime = errors.New("manifest in the folder is from the future")
	// ErrLost reports that files are gone that the manifest in the folder names.
	ErrLost = errors.New("files are missing in the folder")
)

// Publication says what [Publisher.Publish] has done.
type Publication struct {
	// Manifest is the one in the folder.
	Manifest manifest.Manifest
	// Files are the files that were written, in their order, and Bytes their size together with that of the manifest.
	Files []manifest.File
	Bytes int64
	// Skipped says that nothing was written, because another publisher has published the same or more.
	Skipped bool
	// Anew are the reasons why the manifest in the folder was not continued, or only in part. They match
	// [manifest.ErrSignature], [manifest.ErrMalformed], [ErrStore], [ErrRules], [ErrTime] or [ErrLost]. An empty
	// folder is no reason.
	Anew error
	// Dropped are the formats of exports that the manifest had before and does not have any more, because the options
	// lack them.
	Dropped []string
	// Removed is the number of old files that were removed.
	Removed int
}
