package phishlist

import (
	"slices"

	"github.com/apguard/apguard/asset"
)

// maxPlaces is how many entries of a kind are told with their place.
const maxPlaces = 100

// Findings tells which entries of a file have no effect, or hardly the one that was
// meant. The zero value has nothing to tell.
type Findings struct {
	// NoHosts is how many entries and targets were left out because they are no
	// hosts: empty, longer than 253 bytes, with a character that no host has, as in a
	// URL or after a NUL, or in brackets without being an IPv6 address.
	NoHosts int
	// FirstNoHosts are the first 100 of them, with their places.
	FirstNoHosts asset.Issues
	// Repeated is how many entries of allowlists and blocklists can never decide,
	// because the same entry stands in an allowlist or in a blocklist before, and how
	// many fuzzy targets stand in their list before. Of these targets only the first
	// is kept.
	Repeated int
	// NotCanonical is how many entries of allowlists and blocklists are not written
	// as hosts of assets are (see [classify.Host]), such as Evil.com, evil.com.,
	// *.evil.com, .evil.com, bücher.example, [2001:DB8::1] and 0x7f.1. They are kept,
	// and [List.Check] finds them in hosts that are written so, but [List.Status]
	// finds no asset by them. Fuzzy targets are not counted, as what resembles them
	// is found all the same.
	NotCanonical int
	// FirstNotCanonical are the first 100 of these, with their places.
	FirstNotCanonical asset.Issues
}

func (f *Findings) addNoHost(place func() string, reason string) {
	if f.NoHosts++; f.NoHosts <= maxPlaces {
		f.FirstNoHosts.Add(place(), reason)
	}
}

func (f *Findings) addNotCanonical(place func() string) {
	if f.NotCanonical++; f.NotCanonical <= maxPlaces {
		f.FirstNotCanonical.Add(place(), "is not written as a host of an asset is")
	}
}

func (f Findings) clone() Findings {
	f.FirstNoHosts = slices.Clone(f.FirstNoHosts)
	f.FirstNotCanonical = slices.Clone(f.FirstNotCanonical)
	return f
}
