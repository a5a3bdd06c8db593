// Package asset defines assets, their status, and the changelog, which records every
// change of a status.
//
// An asset is a URL, a domain, a blockchain address, an e-mail address, a social handle
// or the like. Its [Identity] distinguishes it from all other assets. An asset has one
// [Status], which all organizations share. Each change of the status is recorded as a
// [Change].
//
// Three services work on assets. Each requires only the store interface that it uses:
//
//   - [Service] reads and lists assets, sets their status and lists the changelog.
//   - [HistoryService] returns earlier statuses and prunes old changes.
//   - [FeedService] delivers every change to followers, in order and at least once.
//
// The package contains only rules. Package classify finds the Identity that a text names,
// and the packages under storage implement the store interfaces.
package asset

// MaxID is the largest valid identifier. Identifiers are JSON numbers in the API, and many
// JSON parsers represent whole numbers exactly only up to 2^53-1 (RFC 8259, section 6).
// Identifiers start at 1; 0 means none.
const MaxID = 1<<53 - 1

// ValidID reports whether id is from 1 to [MaxID].
func ValidID(id int64) bool {
	return 1 <= id && id <= MaxID
}

// Identity identifies an asset: its type, and its canonical form within that type. Two
// texts with the same Identity name the same asset. Identities can be compared with ==.
type Identity struct {
	Type      Type   `json:"type"`
	Canonical string `json:"canonical"`
}

// Asset is an asset with its present status.
type Asset struct {
	ID int64 `json:"id"`
	Identity
	Status Status `json:"status"`
}
