// Package manifest has the manifest of a published folder: a small signed text that names every file, with its size
// and its SHA-256. Clients that verify it can trust the files, wherever they come from:
//
//	m, err := manifest.Open(data, note.VerifierList(verifier))
//	if err == nil {
//		err = m.Refusal(last, time.Now(), maxAge)
//	}
//	if err != nil {
//		... // keep what is held
//	}
//	files, err := m.Hashes(held)
//
// A manifest is a signed note of golang.org/x/mod/sumdb/note. Its text is a JSON object, which docs/publish.md describes.
package manifest

import (
	"time"

	"github.com/apguard/apguard/asset"
)

const (
	// Name is the name of the manifest in its folder.
	Name = "manifest.json"
	// MaxSize is the maximum size of a manifest with its signatures, in bytes.
	MaxSize = 1 << 20
	// MaxFileSize is the maximum size of a file, in bytes.
	MaxFileSize = 1<<53 - 1
	// MaxName is the maximum length of the name of a file, in bytes.
	MaxName = 128
)

// Manifest describes the files of a published folder at one version of its store. The zero value is that of an empty
// folder at no time, which every client refuses.
type Manifest struct {
	// Version is the position in the feed to which the files lead.
	Version asset.FeedCursor
	// Time is a time before which every committed change is in the files. It is in UTC, in whole milliseconds.
	Time time.Time
	// Rules is classify.Version of the program that has made the files.
	Rules int
	// Files are the files, in the order of the text. Names are unique, and so are steps of a kind from one version.
	Files []File
}

// Kind says what a file has.
type Kind string

// The kinds of files.
const (
	// KindHashes is a response of GET /asset/hashes: whole lists, or with Since the difference to the lists of that
	// version.
	KindHashes Kind = "hashes"
	// KindExport is a list of all assets that are ALLOWED or BLOCKED. Its format says how they are written.
	KindExport Kind = "export"
	// KindChanges is a page of GET /asset/feed: the changes after Since, up to Version.
	KindChanges Kind = "changes"
	// KindMetaMask is a list for MetaMask's clients. Its format says which one.
	KindMetaMask Kind = "metamask"
)

// FormatJSONL is the format of the export from which mirrors are filled.
const FormatJSONL = "jsonl"

// File is a file of a folder. Its content never changes.
type File struct {
	// Name is the name in the folder. It has 1 to [MaxName] letters, digits, "-" and ".", and does not begin with
	// ".", so it is never a path. It is not [Name].
	Name string
	Kind Kind
	// Format is the format of an export or of a list for MetaMask's clients.
	Format string
	// Since is the version from which a step starts. It is zero for whole files, and for changes from the start.
	Since asset.FeedCursor
	// Version is the version of what the file has, or to which a step leads.
	Version asset.FeedCursor
	// Size is the size in bytes, from 0 to [MaxFileSize].
	Size int64
	// SHA256 is the SHA-256 of the content.
	SHA256 [32]byte
}

// IsStep reports whether the file leads from one version to another, and is not whole.
func (f File) IsStep() bool {
	return f.Kind == KindChanges || f.Kind == KindHashes && f.Since != asset.FeedCursor{}
}
