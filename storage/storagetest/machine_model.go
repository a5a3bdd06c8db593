package storagetest

import (
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/report"
)

// model is what a store must hold: plain lists, in which every question is
// answered by going through all of it. It gives no identifiers; it takes over
// those of the store.
type model struct {
	organizations []account.Organization
	groups        []account.Group
	users         []account.User
	keys          []account.Key
	assets        []asset.Asset
	// changes are in the order of recording.
	changes []asset.Change
	// entries have the identifier alone of their asset.
	entries  []modelEntry
	disputes []modelDispute
	// reports have the identifiers alone of their reporter and assets. They are
	// in the order of filing.
	reports []report.Report
	// reviews are in the order of their identifiers.
	reviews []report.Review
}

type modelEntry struct {
	organizationID int64
	entry          allowlist.Entry
}

type modelDispute struct {
	emailKey string
	dispute  dispute.Dispute
}

// find returns the first element that is right, or nil.
func find[T any](list []T, right func(T) bool) *T {
	for i := range list {
		if right(list[i]) {
			return &list[i]
		}
	}
	return nil
}

// put replaces the first element that is the same, or adds a new one.
func put[T any](list []T, element T, same func(T) bool) []T {
	if old := find(list, same); old != nil {
		*old = element
		return list
	}
	return append(list, element)
}
