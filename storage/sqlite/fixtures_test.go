package sqlite_test

import (
	"context"
	"database/sql"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/internal/sqlstore"
)

// querier is a pool of connections or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// everything returns all rows of all tables of the service, as texts.
func everything(tb testing.TB, in querier) map[string][]string {
	tb.Helper()
	found := make(map[string][]string)
	for _, table := range sqlstore.Tables() {
		found[table] = rowsOf(tb, in, table)
	}
	return found
}

func rowsOf(tb testing.TB, in querier, table string) []string {
	tb.Helper()
	rows, err := in.QueryContext(tb.Context(), "SELECT * FROM "+table+" ORDER BY 1, 2")
	require.NoError(tb, err)
	defer rows.Close() //nolint:errcheck // rows.Err says what went wrong
	columns, err := rows.Columns()
	require.NoError(tb, err)
	var found []string
	for rows.Next() {
		values, places := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			places[i] = &values[i]
		}
		require.NoError(tb, rows.Scan(places...))
		found = append(found, fmt.Sprint(values))
	}
	require.NoError(tb, rows.Err())
	return found
}

// column returns what a query for one column finds.
func column(tb testing.TB, in querier, query string) []string {
	tb.Helper()
	rows, err := in.QueryContext(tb.Context(), query)
	require.NoError(tb, err)
	defer rows.Close() //nolint:errcheck // rows.Err says what went wrong
	var found []string
	for rows.Next() {
		var one string
		require.NoError(tb, rows.Scan(&one))
		found = append(found, one)
	}
	require.NoError(tb, rows.Err())
	return found
}

// day is when everything happens.
func day() time.Time {
	return time.Date(2025, time.January, 5, 10, 0, 0, 0, time.UTC)
}

// keysAt returns a key service on the store whose clock stands still.
func keysAt(store account.KeyStore, now time.Time) *account.KeyService {
	return account.NewKeyService(store, account.KeyOptions{Clock: func() time.Time { return now }})
}

// refusedUpdate is an update that returns an error.
func refusedUpdate(account.Key) (account.KeyUpdate, error) {
	return account.KeyUpdate{}, account.ErrExpiredKey
}

// site returns the identity of an asset.
func site(name string) asset.Identity {
	return asset.Identity{Type: asset.TypeURL, Canonical: "https://" + name + ".example"}
}

// blocking makes the asset BLOCKED.
func blocking(name string) asset.SetStatusCommand {
	return asset.SetStatusCommand{
		SetStatusRequest: asset.SetStatusRequest{
			Identity: site(name),
			Status:   asset.StatusBlocked,
			Origin:   asset.Origin{Cause: asset.CauseManual},
		},
		At: day(),
	}
}

// disputing registers the asset and disputes it, with a note.
func disputing(name, note string) dispute.CreateCommand {
	identity := site(name)
	return dispute.CreateCommand{
		Identity: identity,
		Content:  identity.Canonical,
		Register: true,
		Email:    "ada@acme.example",
		EmailKey: "ada@acme.example",
		Notes:    []dispute.Note{{Kind: dispute.NoteKindAPI, Text: note}},
		At:       day(),
	}
}

// adding puts n new assets on the allowlist of organization 1, in groups of that
// organization or of none.
func adding(name string, n int, groups ...int64) allowlist.AddCommand {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("%s-%d", name, i)
	}
	a := additionOf(names...)
	a.GroupIDs = groups
	return a
}

// additionOf puts these assets on the allowlist of organization 1.
func additionOf(names ...string) allowlist.AddCommand {
	cmd := allowlist.AddCommand{OrganizationID: 1, Status: asset.StatusAllowed, At: day(), Origin: asset.Origin{Cause: asset.CauseAllowlist}}
	for _, name := range names {
		identity := site(name)
		cmd.Candidates = append(cmd.Candidates, allowlist.Candidate{
			Identity: identity, Item: allowlist.Item{Content: identity.Canonical},
		})
	}
	return cmd
}

func reviews(store report.ReviewStore) *report.ReviewService {
	return report.NewReviewService(store, report.Options{Clock: day})
}

// filing reports the assets.
func filing(names ...string) report.FileCommand {
	f := report.FileCommand{OrganizationID: 1, Title: "Title", At: day()}
	for _, name := range names {
		identity := site(name)
		f.Proposals = append(f.Proposals, report.NewProposal{
			Identity: identity, Content: identity.Canonical, ProposedStatus: asset.StatusBlocked,
		})
	}
	return f
}

// furnish puts a little of everything into a store: organization, user, group,
// dispute, report and proposal 1, which nobody has reviewed, report and proposal 2,
// which were rejected, with a withdrawal, and then approved, a key whose hash is zero, a revoked one whose hash
// begins with 7, and an expired one with 8.
func furnish(tb testing.TB, store storage.Store) {
	tb.Helper()
	ctx := tb.Context()
	require.NoError(tb, store.PutOrganization(ctx, account.Organization{ID: 1, Slug: "acme"}))
	require.NoError(tb, store.PutUser(ctx, account.User{ID: 1, FullName: "Ada", Email: "ada@acme.example"}))
	_, err := store.PutGroup(ctx, account.Group{OrganizationID: 1})
	require.NoError(tb, err)
	require.NoError(tb, store.PutKey(ctx, account.Key{OrganizationID: 1, UserID: 1, CreatedAt: day()}))
	require.NoError(tb, store.PutKey(ctx, account.Key{Hash: [32]byte{7}, CreatedAt: day()}))
	_, err = keysAt(store, day()).Revoke(ctx, [32]byte{7})
	require.NoError(tb, err)
	require.NoError(tb, store.PutKey(ctx, account.Key{Hash: [32]byte{8}, CreatedAt: day(), ExpiresAt: day()}))
	_, err = store.CreateDispute(ctx, disputing("a", "note"))
	require.NoError(tb, err)
	_, err = store.AddToAllowlist(ctx, adding("b", 3))
	require.NoError(tb, err)
	_, err = store.FileReport(ctx, filing("a"))
	require.NoError(tb, err)
	_, err = store.FileReport(ctx, filing("b-1"))
	require.NoError(tb, err)
	_, err = reviews(store).Review(ctx, report.ReviewRequest{Scope: report.AnyOrganization(), ProposalID: 2, Status: report.ReviewReject})
	require.NoError(tb, err)
	_, err = reviews(store).Withdraw(ctx, report.WithdrawRequest{Scope: report.AnyOrganization(), ReviewID: 1})
	require.NoError(tb, err)
	_, err = reviews(store).Review(ctx, report.ReviewRequest{Scope: report.AnyOrganization(), ProposalID: 2, Status: report.ReviewApprove})
	require.NoError(tb, err)
	_, err = store.SetAssetStatus(ctx, blocking("b-0"))
	require.NoError(tb, err)
}

// write is a call that writes.
type write func(ctx context.Context, store storage.Store) error

// writes are calls that succeed on a store after furnish.
func writes() map[string]write {
	return map[string]write{
		"put organization": func(ctx context.Context, store storage.Store) error {
			return store.PutOrganization(ctx, account.Organization{ID: 1, Slug: "new"})
		},
		"put group": func(ctx context.Context, store storage.Store) error {
			_, err := store.PutGroup(ctx, account.Group{OrganizationID: 1})
			return err
		},
		"put group with an identifier": func(ctx context.Context, store storage.Store) error {
			_, err := store.PutGroup(ctx, account.Group{ID: 1, OrganizationID: 1, Name: "new"})
			return err
		},
		"put user": func(ctx context.Context, store storage.Store) error {
			return store.PutUser(ctx, account.User{ID: 1, FullName: "new"})
		},
		"put key": func(ctx context.Context, store storage.Store) error {
			return store.PutKey(ctx, account.Key{Hash: [32]byte{1}, OrganizationID: 1, UserID: 1})
		},
		"revoke key": func(ctx context.Context, store storage.Store) error {
			_, err := keysAt(store, day()).Revoke(ctx, [32]byte{})
			return err
		},
		"expire key": func(ctx context.Context, store storage.Store) error {
			_, err := keysAt(store, day()).SetExpiry(ctx, [32]byte{}, day())
			return err
		},
		"rotate key": func(ctx context.Context, store storage.Store) error {
			_, err := keysAt(store, day()).Rotate(ctx, [32]byte{}, 0)
			return err
		},
		"record key use": func(ctx context.Context, store storage.Store) error {
			return store.RecordKeyUse(ctx, account.KeyUse{At: day(), LastBefore: day()})
		},
		"set asset status": func(ctx context.Context, store storage.Store) error {
			_, err := store.SetAssetStatus(ctx, blocking("new"))
			return err
		},
		"prune changes": func(ctx context.Context, store storage.Store) error {
			_, err := store.PruneChanges(ctx, asset.PruneCommand{Before: day().AddDate(1, 0, 0), Limit: 10})
			return err
		},
		"add to allowlist": func(ctx context.Context, store storage.Store) error {
			a := additionOf("new", "a", "b-2", "other")
			a.Candidates[3].GroupID = 1
			_, err := store.AddToAllowlist(ctx, a)
			return err
		},
		"create dispute": func(ctx context.Context, store storage.Store) error {
			_, err := store.CreateDispute(ctx, disputing("new", "note"))
			return err
		},
		"update dispute": func(ctx context.Context, store storage.Store) error {
			acceptance := dispute.Transition{To: dispute.StateAccepted, AssetStatus: asset.StatusAllowed, At: day()}
			_, err := store.UpdateDispute(ctx, 1, acceptance.Apply)
			return err
		},
		"file report": func(ctx context.Context, store storage.Store) error {
			_, err := store.FileReport(ctx, filing("new", "other"))
			return err
		},
		"review proposal": func(ctx context.Context, store storage.Store) error {
			_, err := reviews(store).Review(ctx, report.ReviewRequest{Scope: report.AnyOrganization(), ProposalID: 1, Status: report.ReviewApprove})
			return err
		},
		"withdraw review": func(ctx context.Context, store storage.Store) error {
			_, err := reviews(store).Withdraw(ctx, report.WithdrawRequest{Scope: report.AnyOrganization(), ReviewID: 2, Reason: "new"})
			return err
		},
		"escalate report": func(ctx context.Context, store storage.Store) error {
			_, err := reviews(store).Escalate(ctx, report.EscalateRequest{Scope: report.AnyOrganization(), ReportID: 1, Comment: "new"})
			return err
		},
	}
}
