package apguard_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite" // the driver of the host application; it needs no cgo

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/audit/trail"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
	"github.com/apguard/apguard/storage/sqlite"
)

// phishing is an external list that blocks everything.
type phishing struct{}

func (phishing) Name() string { return "Phishing" }

func (phishing) Status(context.Context, asset.Identity) (asset.Status, error) {
	return asset.StatusBlocked, nil
}

// newGuardOn returns a Guard on the store with all options set.
func newGuardOn(store storage.Store) *apguard.Guard {
	return apguard.New(store, apguard.Options{
		Clock:         noon,
		RefuseBlocked: true,
		ExternalLists: check.ExternalLists{phishing{}},
	})
}

// hostDatabase opens a database of a host application with a table of its own.
func hostDatabase(t *testing.T) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(t.TempDir(), "host.db")+
		"?_pragma=foreign_keys(1)&_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_txlock=immediate")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	require.NoError(t, sqlite.Migrate(t.Context(), db))
	_, err = db.ExecContext(t.Context(), "CREATE TABLE takedowns (asset_id INTEGER PRIMARY KEY)")
	require.NoError(t, err)
	return db
}

// hostGuard returns a Guard on the database of a host application, with an API key.
func hostGuard(t *testing.T) (*sql.DB, *apguard.Guard, string) {
	t.Helper()
	db := hostDatabase(t)
	store, err := sqlite.New(t.Context(), db, sqlite.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	guard := newGuardOn(store)
	secret, err := guard.Keys.Create(t.Context(), account.KeyRequest{})
	require.NoError(t, err)
	return db, guard, secret
}

// A host application writes to its own table and through the service in one transaction.
func TestGuard_With(t *testing.T) {
	t.Parallel()
	const content = "https://bad.example"
	for reason, test := range map[string]struct {
		end  func(*sql.Tx) error
		kept bool
	}{
		"both are kept by a commit":     {(*sql.Tx).Commit, true},
		"neither is kept by a rollback": {(*sql.Tx).Rollback, false},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			db := hostDatabase(t)
			store, err := sqlite.New(t.Context(), db, sqlite.Options{})
			require.NoError(t, err)
			guard := newGuardOn(store)

			tx, err := db.BeginTx(t.Context(), nil)
			require.NoError(t, err)
			bad, err := guard.With(sqlite.InTx(tx)).SetStatus(t.Context(), content, asset.StatusBlocked, asset.Origin{})
			require.NoError(t, err)
			_, err = tx.ExecContext(t.Context(), "INSERT INTO takedowns VALUES (?)", bad.ID)
			require.NoError(t, err)
			_, err = guard.Asset(t.Context(), content)
			require.ErrorIs(t, err, asset.ErrNotFound, "others must not see it yet")
			require.NoError(t, test.end(tx))

			_, err = guard.Asset(t.Context(), content)
			require.Equal(t, test.kept, err == nil)
			var kept bool
			require.NoError(t, db.QueryRowContext(t.Context(), "SELECT EXISTS (SELECT 1 FROM takedowns)").Scan(&kept))
			require.Equal(t, test.kept, kept)
			require.NoError(t, store.Close())
		})
	}
}

func TestGuard_With_Options(t *testing.T) {
	t.Parallel()
	tx, err := hostDatabase(t).BeginTx(t.Context(), nil)
	require.NoError(t, err)
	defer func() { require.NoError(t, tx.Rollback()) }()
	guard := newGuardOn(nil).With(sqlite.InTx(tx))
	putOrganization(t, guard, 1)
	setStatus(t, guard, "https://bad.example", asset.StatusBlocked)

	changes, err := guard.Changelog(t.Context(), asset.ChangelogQuery{})
	require.NoError(t, err)
	for change, err := range changes {
		require.NoError(t, err)
		require.Equal(t, noon(), change.At, "the clock")
	}
	added, err := guard.Allowlist.Add(t.Context(), allowlist.AddRequest{
		OrganizationID: 1,
		Items:          []allowlist.Item{{Content: "https://bad.example"}},
	})
	require.NoError(t, err)
	require.ErrorIs(t, added.Results[0].Err, allowlist.ErrBlocked)
	created, err := guard.Disputes.Create(t.Context(), dispute.CreateRequest{Content: "https://unknown.example", Email: "ada@acme.example"})
	require.NoError(t, err, "an asset that the external list alone knows")
	require.Equal(t, noon(), created.Dispute.CreatedAt)

	secret, err := guard.Keys.Create(t.Context(), account.KeyRequest{})
	require.NoError(t, err)
	key, err := guard.Keys.Get(t.Context(), account.HashKey(secret))
	require.NoError(t, err)
	require.Equal(t, noon(), key.CreatedAt)
}

// Authentication does not write to a transaction of the host.
func TestGuard_With_KeyUse(t *testing.T) {
	t.Parallel()
	db, guard, secret := hostGuard(t)
	hash := account.HashKey(secret)

	tx, err := db.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	with := guard.With(sqlite.InTx(tx))
	_, err = with.With(sqlite.InTx(tx)).Keys.Authenticate(t.Context(), secret)
	require.NoError(t, err)
	_, err = with.Keys.Authenticate(t.Context(), secret)
	require.NoError(t, err)
	require.NoError(t, tx.Commit())
	key, err := guard.Keys.Get(t.Context(), hash)
	require.NoError(t, err)
	require.True(t, key.LastUsedAt.IsZero())

	_, err = guard.Keys.Authenticate(t.Context(), secret)
	require.NoError(t, err)
	key, err = guard.Keys.Get(t.Context(), hash)
	require.NoError(t, err)
	require.Equal(t, noon(), key.LastUsedAt, "the service itself does")
}

// What a transaction writes to a key holds at once when it is committed, even if the key was
// read meanwhile, and never if it is rolled back.
func TestGuard_With_KeyCache(t *testing.T) {
	t.Parallel()
	for reason, test := range map[string]struct {
		end  func(*sql.Tx) error
		want error
	}{
		"a commit":   {(*sql.Tx).Commit, account.ErrRevokedKey},
		"a rollback": {(*sql.Tx).Rollback, nil},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			db, guard, secret := hostGuard(t)
			_, err := guard.Keys.Authenticate(t.Context(), secret)
			require.NoError(t, err)

			tx, err := db.BeginTx(t.Context(), nil)
			require.NoError(t, err)
			with := guard.With(sqlite.InTx(tx))
			_, err = with.Keys.Revoke(t.Context(), account.HashKey(secret))
			require.NoError(t, err)
			fresh, err := with.Keys.Create(t.Context(), account.KeyRequest{})
			require.NoError(t, err)
			_, err = with.Keys.Authenticate(t.Context(), secret)
			require.ErrorIs(t, err, account.ErrRevokedKey)
			_, err = with.Keys.Authenticate(t.Context(), fresh)
			require.NoError(t, err)
			_, err = guard.Keys.Authenticate(t.Context(), secret)
			require.NoError(t, err, "others must not see it yet")
			_, err = guard.Keys.Authenticate(t.Context(), fresh)
			require.ErrorIs(t, err, account.ErrUnknownKey, "others must not see it yet")
			require.NoError(t, test.end(tx))

			_, err = guard.Keys.Authenticate(t.Context(), secret)
			require.ErrorIs(t, err, test.want)
			_, err = guard.Keys.Authenticate(t.Context(), fresh)
			require.Equal(t, test.want != nil, err == nil)
		})
	}
}

func noon() time.Time {
	return time.Date(2025, time.January, 5, 12, 0, 0, 0, time.UTC)
}

// The caller keeps its slice of external lists and may change it.
func TestGuard_With_ExternalLists(t *testing.T) {
	t.Parallel()
	lists := check.ExternalLists{phishing{}}
	guard := apguard.New(memory.New(), apguard.Options{ExternalLists: lists})
	lists[0] = nil
	verdicts, failed := guard.With(memory.New()).ExternalLists.Verdicts(t.Context(), asset.Identity{Type: asset.TypeURL, Canonical: "https://a.example"})
	require.Empty(t, failed)
	require.Equal(t, []check.ListVerdict{{List: "Phishing", Status: asset.StatusBlocked}}, verdicts)
}

// An act of administration and its entry in the audit trail are in the transaction of the host
// application.
func TestGuard_With_audit(t *testing.T) {
	t.Parallel()
	db, guard, _ := hostGuard(t)
	told := func() int {
		t.Helper()
		page, err := guard.Audit.List(t.Context(), trail.ListRequest{Filter: trail.Filter{Kind: audit.KindUser}})
		require.NoError(t, err)
		return len(page.Items)
	}
	for end, want := range map[string]struct {
		end  func(*sql.Tx) error
		user error
		told int
	}{
		"rollback": {(*sql.Tx).Rollback, account.ErrUserNotFound, 0},
		"commit":   {(*sql.Tx).Commit, nil, 1},
	} {
		before := told()
		tx, err := db.BeginTx(t.Context(), nil)
		require.NoError(t, err)
		user := account.User{ID: int64(len(end)), FullName: "Ada"}
		require.NoError(t, guard.With(sqlite.InTx(tx)).Accounts.PutUser(t.Context(), user))
		require.NoError(t, want.end(tx))
		_, err = guard.Accounts.User(t.Context(), user.ID)
		require.ErrorIs(t, err, want.user, end)
		require.Equal(t, before+want.told, told(), end)
	}
}
