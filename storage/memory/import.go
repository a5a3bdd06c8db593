package memory

import (
	"cmp"
	"context"
	"slices"

	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage"
)

// Import implements [storage.Store].
func (s *Store) Import(ctx context.Context, seed storage.Seed) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	records, err := seed.Records()
	if err != nil {
		return err
	}
	return s.do(ctx, func(t *tables) error {
		if !t.empty() {
			return storage.ErrNotEmpty
		}
		t.importAccounts(records)
		t.importAssets(records)
		t.importReports(records)
		t.record(records.Audit)
		return nil
	})
}

// empty reports whether there are no records. All others refer to an asset or a report.
func (t *tables) empty() bool {
	return len(t.organizations)+len(t.groups)+len(t.users)+len(t.keys)+len(t.assets)+len(t.reports)+len(t.idempotency)+len(t.lists)+len(t.endpoints)+len(t.audit) == 0
}

func (t *tables) importAccounts(records storage.Records) {
	for _, organization := range records.Organizations {
		t.putOrganization(organization)
	}
	for _, group := range records.Groups {
		t.putGroup(group)
	}
	for _, user := range records.Users {
		t.users[user.ID] = user
	}
	for _, key := range records.Keys {
		t.putKey(key)
	}
}

// importAssets imports the assets and their changes, which are ordered by ID.
func (t *tables) importAssets(records storage.Records) {
	for _, a := range records.Assets {
		row := t.addAsset(a.Asset)
		row.Basis, row.operators = a.Basis, a.Operators
	}
	for _, change := range records.Changes {
		t.assetsByID[change.AssetID].changes.insert(&change)
		t.changes = append(t.changes, &change)
		t.feed = append(t.feed, &change)
		t.lastChange = change.ID
	}
	slices.SortFunc(t.changes, compareChanges)
}

// importReports imports the reports, which may have any order, and their reviews.
func (t *tables) importReports(records storage.Records) {
	byID := func(a, b report.Report) int { return cmp.Compare(a.ID, b.ID) }
	for _, r := range slices.SortedFunc(slices.Values(records.Reports), byID) {
		row := t.addReport(r)
		for _, proposal := range r.Proposals {
			t.addProposal(row, proposal, t.assetsByID[proposal.Asset.ID])
		}
	}
	for _, review := range records.Reviews {
		t.addReview(review)
	}
}
