package storagetest

import (
	"slices"

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

// show returns a report with its reporter and assets as they are now.
func (m *model) show(r report.Report) report.Report {
	if user := m.user(r.Reporter.ID); user != nil {
		r.Reporter = report.Reporter{ID: user.ID, FullName: user.FullName, Email: user.Email, Automation: user.Automation}
	}
	r.Proposals = slices.Clone(r.Proposals)
	for i := range r.Proposals {
		r.Proposals[i].Asset = *m.assetByID(r.Proposals[i].Asset.ID)
	}
	return r
}

func (m *model) reportsBelow(organizationID int64, filter report.Filter, cursor int64, limit int) []report.Report {
	var reports []report.Report
	for _, r := range slices.Backward(m.reports) {
		shown := m.show(r)
		if len(reports) < limit && scopeOf(organizationID).Contains(r.OrganizationID) && (cursor == 0 || r.ID < cursor) && filter.Match(shown) {
			reports = append(reports, shown)
		}
	}
	return reports
}
