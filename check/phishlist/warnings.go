package phishlist

import (
	"slices"

	"github.com/apguard/apguard/asset"
)

// maxIssues is the number of entries of each kind that [Warnings] describes.
const maxIssues = 100

// Warnings counts the entries of a file that have no effect, or probably not the
// intended one. The zero value means that there are none.
type Warnings struct {
	// InvalidHosts is the number of entries and targets that are not hosts and were
	// skipped. They are empty, longer than 253 bytes, or contain a character that is
	// not allowed in a host, as URLs do, or have brackets around something other than
	// an IPv6 address.
	InvalidHosts int
	// FirstInvalidHosts describes the first 100 invalid hosts, with their positions.
	FirstInvalidHosts asset.Issues
	// Duplicates is the number of entries and targets without effect because of an
	// equal one. An allowlist entry overrides equal blocklist entries; otherwise the
	// first one counts. Targets are compared within their list only.
	Duplicates int
	// NonCanonical is the number of allowlist and blocklist entries that are not in
	// the canonical form of [classify.Host], such as Evil.com, evil.com., *.evil.com,
	// .evil.com, bücher.example, [2001:DB8::1] and 0x7f.1. [List.Check] still finds
	// hosts that are spelled the same way, but [List.Status] cannot match them. Fuzzy
	// targets are not counted, because they can match in any form, and content identifiers
	// are not hosts.
	NonCanonical int
	// FirstNonCanonical describes the first 100 of them, with their positions.
	FirstNonCanonical asset.Issues
	// PublicSuffixes is the number of blocklist entries that were skipped because they are
	// public suffixes of the ICANN section of the Public Suffix List, such as com and co.uk.
	PublicSuffixes int
	// FirstPublicSuffixes describes the first 100 of them, with their positions.
	FirstPublicSuffixes asset.Issues
	// BlockedSuffixes are the blocklist entries in effect that are other public suffixes, such
	// as github.io, in file order. Each blocks every domain below it.
	BlockedSuffixes []string
	// AllowedContentIDs is the number of allowlist entries that are IPFS content identifiers.
	// They have no effect: an allowlist exempts hosts.
	AllowedContentIDs int
}

func (w *Warnings) addInvalidHost(position func() string, reason string) {
	if w.InvalidHosts++; w.InvalidHosts <= maxIssues {
		w.FirstInvalidHosts.Add(position(), reason)
	}
}

func (w *Warnings) addNonCanonical(position func() string) {
	if w.NonCanonical++; w.NonCanonical <= maxIssues {
		w.FirstNonCanonical.Add(position(), "is not in canonical form")
	}
}

func (w *Warnings) addPublicSuffix(position func() string) {
	if w.PublicSuffixes++; w.PublicSuffixes <= maxIssues {
		w.FirstPublicSuffixes.Add(position(), "is a public suffix and was skipped")
	}
}

func (w Warnings) clone() Warnings {
	w.FirstInvalidHosts = slices.Clone(w.FirstInvalidHosts)
	w.FirstNonCanonical = slices.Clone(w.FirstNonCanonical)
	w.FirstPublicSuffixes = slices.Clone(w.FirstPublicSuffixes)
	w.BlockedSuffixes = slices.Clone(w.BlockedSuffixes)
	return w
}
