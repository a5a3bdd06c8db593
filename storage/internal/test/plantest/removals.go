package plantest

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/internal/test/fixtures"
)

// Removal is a call that removes, expires, prunes or erases something.
type Removal struct {
	Call fixtures.Call
	// Changes are the beginnings of the statements with which the call changes tables.
	Changes []string
	// Scans is the table that the call may scan, or empty.
	Scans string
}

// Removals returns all kinds of removals, with small steps. They suit a database in which the
// organization has entries of the assets 2, 9, 16 and so on up to 65, group 1, and a CLOSED report
// soon after the ID 1115. Some entries have ended, assets have old changes, and disputes after the
// ID 1000 are closed.
func Removals(organization int64) map[string]Removal {
	const limit = 10 // with larger steps, a database could scan tables of the size that tests fill
	var (
		old    = time.UnixMilli(500_000)
		listed = []int64{2, 9, 16, 23, 30, 37, 44, 51, 58, 65}
	)
	removeEntries := func(ids []int64) fixtures.Call {
		return func(ctx context.Context, store storage.Store) error {
			_, err := store.RemoveFromAllowlist(ctx, allowlist.RemoveCommand{
				OrganizationID: organization, AssetIDs: ids, At: time.UnixMilli(7), Origin: asset.Origin{Cause: asset.CauseAllowlistRemoval},
			})
			return err
		}
	}
	pruneReports := func(scope report.Scope) fixtures.Call {
		return func(ctx context.Context, store storage.Store) error {
			_, err := store.PruneReports(ctx, report.PruneCommand{Scope: scope, Before: old, After: 1115, Limit: limit})
			return err
		}
	}
	var (
		entries  = []string{"DELETE FROM apguard_allowlist"}
		reports  = []string{"DELETE FROM apguard_reviews", "DELETE FROM apguard_proposals", "DELETE FROM apguard_reports"}
		disputes = []string{"DELETE FROM apguard_dispute_notes", "DELETE FROM apguard_dispute_events", "DELETE FROM apguard_disputes"}
	)
	return map[string]Removal{
		"removal of an entry":                  {Call: removeEntries(listed[:1]), Changes: entries},
		"removal of entries":                   {Call: removeEntries(listed), Changes: entries},
		"pruning of reports":                   {Call: pruneReports(report.AnyOrganization()), Changes: reports},
		"pruning of an organization's reports": {Call: pruneReports(report.InOrganization(organization)), Changes: reports},
		"expiry of entries": {Changes: entries, Call: func(ctx context.Context, store storage.Store) error {
			_, err := store.ExpireEntries(ctx, allowlist.ExpireCommand{At: time.UnixMilli(500), Limit: limit})
			return err
		}},
		"expiry of decisions": {
			Changes: []string{"DELETE FROM apguard_decisions"},
			Call: func(ctx context.Context, store storage.Store) error {
				_, err := store.ExpireDecisions(ctx, asset.ExpireCommand{At: time.UnixMilli(500), Limit: limit})
				return err
			},
		},
		"another end of an entry": {Changes: []string{"UPDATE apguard_allowlist"}, Call: func(ctx context.Context, store storage.Store) error {
			return store.SetEntryExpiry(ctx, allowlist.SetExpiryRequest{OrganizationID: organization, AssetID: listed[0]}, time.UnixMilli(7))
		}},
		"pruning of changes": {Changes: []string{"DELETE FROM apguard_changes"}, Call: func(ctx context.Context, store storage.Store) error {
			_, err := store.PruneChanges(ctx, asset.PruneCommand{Before: old, Limit: limit})
			return err
		}},
		"pruning of disputes": {Changes: disputes, Call: func(ctx context.Context, store storage.Store) error {
			_, err := store.PruneDisputes(ctx, dispute.PruneCommand{Before: old, After: 1000, Limit: limit})
			return err
		}},
		"erasure of disputes": {
			Changes: []string{"UPDATE apguard_disputes", "UPDATE apguard_dispute_notes"},
			Call: func(ctx context.Context, store storage.Store) error {
				_, err := store.EraseDisputes(ctx, dispute.EraseCommand{EmailKey: "key 7", Limit: limit})
				return err
			},
		},
		"removal of a group": {Changes: []string{"DELETE FROM apguard_groups"}, Call: func(ctx context.Context, store storage.Store) error {
			return store.RemoveGroup(ctx, organization, 1, audit.Entry{})
		}},
		"removal of an organization": {
			Changes: []string{"DELETE FROM apguard_organizations", "DELETE FROM apguard_groups", "DELETE FROM apguard_keys"},
			Call: func(ctx context.Context, store storage.Store) error {
				return store.RemoveOrganization(ctx, organization, audit.Entry{})
			},
		},
		"removal of a user": {
			Changes: []string{"DELETE FROM apguard_users", "DELETE FROM apguard_keys"},
			Scans:   "apguard_keys",
			Call:    func(ctx context.Context, store storage.Store) error { return store.RemoveUser(ctx, 7, audit.Entry{}) },
		},
	}
}

// RequireChanges requires that the statements of the call are those that change its tables, and
// possibly others.
func (r Removal) RequireChanges(tb testing.TB, statements []Statement) {
	tb.Helper()
	for _, change := range r.Changes {
		sent := slices.ContainsFunc(statements, func(s Statement) bool { return strings.HasPrefix(s.SQL, change+" ") })
		require.True(tb, sent, "no %s in %v", change, statements)
	}
}
