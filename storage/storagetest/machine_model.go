package storagetest

import (
	"cmp"
	"slices"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/idempotency"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/webhook"
)

// model is the expected content of a store, in plain lists. It copies the IDs that the
// store assigns.
type model struct {
	organizations []account.Organization
	groups        []account.Group
	users         []account.User
	keys          []account.Key
	assets        []asset.Asset
	// bases are those of the assets, by ID, without names.
	bases map[int64]asset.Basis
	// changes are in the order of recording. One that is not of the status has no ID before the feed is
	// read.
	changes []asset.Change
	// recorded counts all changes that were recorded, by their To, without imported ones.
	recorded map[asset.Status]int
	// decisions are those of the operators, by the ID of the asset.
	decisions map[int64]*modelDecision
	// pruned is the largest ID of a removed change, and prunings the number of steps that removed
	// changes.
	pruned, prunings int64
	// entries have only the ID of their asset.
	entries   []modelEntry
	disputes  []modelDispute
	events    []dispute.Event
	lastEvent int64 // the largest position
	// reports have only the IDs of their reporter and assets. They are in the order of
	// filing.
	reports []report.Report
	// reviews are in the order of their IDs.
	reviews []report.Review
	records map[idempotency.ID]idempotency.Record
	lists   []lists.List
	// onLists are what the lists hold on assets.
	onLists []modelListEntry
	// endpoints are ordered by ID.
	endpoints []webhook.Endpoint
	// trail is the audit trail, the oldest entry first.
	trail []audit.Entry
}

type modelEntry struct {
	organizationID int64
	entry          allowlist.Entry
}

type modelDispute struct {
	emailKey string
	dispute  dispute.Dispute
}

// find returns the first element that matches, or nil.
func find[T any](list []T, match func(T) bool) *T {
	for i := range list {
		if match(list[i]) {
			return &list[i]
		}
	}
	return nil
}

// above returns the elements with an ID above id, ordered by ID.
func above[T any](list []T, id int64, idOf func(T) int64) []T {
	found := slices.DeleteFunc(slices.Clone(list), func(one T) bool { return idOf(one) <= id })
	slices.SortFunc(found, func(a, b T) int { return cmp.Compare(idOf(a), idOf(b)) })
	return found
}

// orZero returns the value, or zero for nil.
func orZero[T any](value *T) T {
	if value == nil {
		var zero T
		return zero
	}
	return *value
}

// put replaces the first element that matches, or appends the new one.
func put[T any](list []T, element T, match func(T) bool) []T {
	if old := find(list, match); old != nil {
		*old = element
		return list
	}
	return append(list, element)
}
