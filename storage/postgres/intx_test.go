package postgres_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/internal/test/accounttest"
	"github.com/apguard/apguard/internal/test/benchtest"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/internal/sqlstore"
	"github.com/apguard/apguard/storage/internal/test/fixtures"
	"github.com/apguard/apguard/storage/postgres"
)

// begin begins a host transaction, which ends with its connection after the test.
func begin(t *testing.T, dsn string, level pgx.TxIsoLevel) pgx.Tx {
	t.Helper()
	tx, err := connect(t, dsn).BeginTx(t.Context(), pgx.TxOptions{IsoLevel: level})
	require.NoError(t, err)
	return tx
}

// requireUsable requires that the transaction can continue and commit.
func requireUsable(t *testing.T, tx pgx.Tx) {
	t.Helper()
	_, err := tx.Exec(t.Context(), "INSERT INTO tickets VALUES (1)")
	require.NoError(t, err, "the transaction is unusable")
	require.NoError(t, tx.Commit(t.Context()))
}

func TestInTx_HostTablesAtomic(t *testing.T) {
	t.Parallel()
	for reason, test := range map[string]struct {
		end  func(pgx.Tx, context.Context) error
		rows int
	}{
		"committed":   {pgx.Tx.Commit, 1},
		"rolled back": {pgx.Tx.Rollback, 0},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			dsn := newDatabase(t)
			migrate(t, dsn)
			execute(t, dsn, "CREATE TABLE tickets (id BIGINT)")
			tx := begin(t, dsn, pgx.ReadCommitted)
			_, err := tx.Exec(t.Context(), "INSERT INTO tickets VALUES (1)")
			require.NoError(t, err)
			store := accounttest.Organizations(t, postgres.InTx(tx), 1)
			require.NoError(t, block(t.Context(), store, "https://a.example"))
			_, err = store.AddToAllowlist(t.Context(), benchtest.AddCommand(1, 1))
			require.NoError(t, err)
			require.NoError(t, store.Close(), "Close does nothing")
			changes, err := store.Changes(t.Context(), asset.ListChangesRequest{Limit: 10})
			require.NoError(t, err)
			require.Len(t, changes.Items, 2, "a call reads the changes of earlier calls")
			require.Zero(t, queryValue[int](t, dsn, "SELECT count(*) FROM apguard_assets"), "other connections read nothing yet")

			require.NoError(t, test.end(tx, t.Context()))
			require.Equal(t, test.rows, queryValue[int](t, dsn, "SELECT count(*) FROM tickets"))
			require.Equal(t, test.rows, queryValue[int](t, dsn, "SELECT count(*) FROM apguard_allowlist"))
			require.Equal(t, 2*test.rows, queryValue[int](t, dsn, "SELECT count(*) FROM apguard_changes"))
		})
	}
}

// The transaction of the host application keeps its durability.
func TestInTx_RecordKeyUse(t *testing.T) {
	t.Parallel()
	dsn := newDatabase(t)
	migrate(t, dsn)
	tx := begin(t, dsn, pgx.ReadCommitted)
	require.NoError(t, postgres.InTx(tx).RecordKeyUse(t.Context(), account.KeyUse{At: time.Now()}))
	var durability string
	require.NoError(t, tx.QueryRow(t.Context(), "SHOW synchronous_commit").Scan(&durability))
	require.Equal(t, "on", durability)
}

func TestInTx_ContractErrorChangesNothing(t *testing.T) {
	t.Parallel()
	dsn := newDatabase(t)
	migrate(t, dsn)
	execute(t, dsn, "CREATE TABLE tickets (id BIGINT)")
	fixtures.Fill(t, open(t, dsn))
	for reason, refusal := range fixtures.Refusals() {
		t.Run(reason, func(t *testing.T) {
			tx := begin(t, dsn, pgx.ReadCommitted)
			err := refusal.Call(t.Context(), postgres.InTx(tx))
			require.Equal(t, refusal.Want, err, "the error must be unchanged")
			require.NotContains(t, err.Error(), "postgres: ", "an error of the contract is returned unchanged")
			requireUsable(t, tx)
		})
	}
}

// If two host transactions make conflicting calls, the second waits for the first. Its
// result follows from the data that the first has committed, and it can continue.
func TestInTx_ConcurrentTransactions(t *testing.T) {
	t.Parallel()
	const last = "https://batch-0.example/asset/4"
	type call func(context.Context, storage.Store) error
	putGroup := func(id, organization int64) call {
		return func(ctx context.Context, s storage.Store) error {
			_, err := s.PutGroup(ctx, account.Group{ID: id, OrganizationID: organization}, audit.Entry{})
			return err
		}
	}
	putOrganization := func(id int64) call {
		return func(ctx context.Context, s storage.Store) error {
			return s.PutOrganization(ctx, account.Organization{ID: id, Slug: "acme"}, audit.Entry{})
		}
	}
	set := func(status asset.Status) call {
		return func(ctx context.Context, s storage.Store) error { return setStatus(ctx, s, last, status) }
	}
	// setBefore also stores the organization that adds.
	setBefore := func(status asset.Status) call {
		return func(ctx context.Context, s storage.Store) error {
			return errors.Join(putOrganization(1)(ctx, s), set(status)(ctx, s))
		}
	}
	add := func(ctx context.Context, s storage.Store) error {
		a := benchtest.AddCommand(0, 5)
		a.RefuseBlocked = map[asset.Identity]bool{a.Entries[4].Asset.Identity: true}
		outcomes, err := s.AddToAllowlist(ctx, a)
		if err != nil {
			return err
		}
		return outcomes[4].Err
	}
	hash := account.HashKey("key")
	put := func(ctx context.Context, s storage.Store) error {
		return s.PutKey(ctx, account.Key{Hash: hash}, audit.Entry{})
	}
	revoke := func(ctx context.Context, s storage.Store) error {
		_, err := fixtures.Keys(s, fixtures.Time()).Revoke(ctx, hash)
		return err
	}
	rotate := func(ctx context.Context, s storage.Store) error {
		_, err := fixtures.Keys(s, fixtures.Time()).Rotate(ctx, hash, 0)
		return err
	}
	recordUse := func(ctx context.Context, s storage.Store) error {
		return s.RecordKeyUse(ctx, account.KeyUse{Hash: hash, At: fixtures.Time(), LastBefore: fixtures.Time()})
	}
	create := func(ctx context.Context, s storage.Store) error {
		_, err := s.CreateDispute(ctx, disputeCommand(last))
		return err
	}
	for reason, test := range map[string]struct {
		before        call // committed before, if set
		first, second call
		want          error
	}{
		"a rotation concurrent with a revocation":          {put, revoke, rotate, account.ErrRevokedKey},
		"a rotation concurrent with another one":           {put, rotate, rotate, account.ErrRevokedKey},
		"a key put concurrent with its revocation":         {put, revoke, put, account.ErrRevokedKey},
		"a new key put concurrent with itself":             {nil, put, put, nil},
		"a key put concurrent with a rotation":             {put, rotate, put, account.ErrRevokedKey},
		"a use concurrent with a revocation":               {put, revoke, recordUse, nil},
		"the same dispute twice":                           {nil, create, create, dispute.ErrExists},
		"the same entries":                                 {putOrganization(1), add, add, allowlist.ErrExists},
		"an entry concurrent with blocking a new asset":    {putOrganization(1), set(asset.StatusBlocked), add, allowlist.ErrBlocked},
		"an entry concurrent with blocking a known asset":  {setBefore(asset.StatusAllowed), set(asset.StatusBlocked), add, allowlist.ErrBlocked},
		"an entry concurrent with the end of its blocking": {setBefore(asset.StatusBlocked), set(asset.StatusUnknown), add, nil},
		"the same group":                                   {nil, putGroup(10, 1), putGroup(10, 1), nil},
		"another organization's group":                     {nil, putGroup(10, 1), putGroup(10, 2), account.ErrGroupTaken},
		"a new group concurrent with a chosen one":         {nil, putGroup(1, 1), putGroup(0, 1), nil},
		"the same slug":                                    {nil, putOrganization(1), putOrganization(2), account.ErrSlugTaken},
		"a status of the same new asset":                   {nil, set(asset.StatusBlocked), set(asset.StatusBlocked), nil},
		"a dispute concurrent with a new asset":            {nil, set(asset.StatusBlocked), create, nil},
		"an import concurrent with an import":              {nil, importSeed, importSeed, storage.ErrNotEmpty},
		"an import concurrent with a group":                {nil, putGroup(10, 1), importSeed, storage.ErrNotEmpty},
	} {
		t.Run(reason, func(t *testing.T) {
			dsn := newDatabase(t)
			migrate(t, dsn)
			execute(t, dsn, "CREATE TABLE tickets (id BIGINT)")
			if test.before != nil {
				require.NoError(t, test.before(t.Context(), open(t, dsn)))
			}
			first := begin(t, dsn, pgx.ReadCommitted)
			require.NoError(t, test.first(t.Context(), postgres.InTx(first)))

			second := begin(t, dsn, pgx.ReadCommitted)
			done := make(chan error, 1)
			go func() { done <- test.second(t.Context(), postgres.InTx(second)) }()
			awaitLockWaits(t, dsn, 1)
			require.Empty(t, done)
			require.NoError(t, first.Commit(t.Context()))
			require.ErrorIs(t, <-done, test.want)
			requireUsable(t, second)
		})
	}
}

func importSeed(ctx context.Context, s storage.Store) error {
	return s.Import(ctx, storage.Seed{Organizations: []storage.SeedOrganization{{
		ID: 1, Slug: "acme", Groups: []storage.SeedGroup{{ID: 10, Name: "group"}},
	}}})
}

// A host transaction whose snapshot is older than the committed data must not write.
func TestInTx_OldSnapshot(t *testing.T) {
	t.Parallel()
	for reason, call := range map[string]func(context.Context, storage.Store) error{
		"a status": func(ctx context.Context, s storage.Store) error { return block(ctx, s, "https://a.example") },
		"a slug": func(ctx context.Context, s storage.Store) error {
			return s.PutOrganization(ctx, account.Organization{ID: 2, Slug: "acme"}, audit.Entry{})
		},
		"a group": func(ctx context.Context, s storage.Store) error {
			_, err := s.PutGroup(ctx, account.Group{ID: 1, OrganizationID: 2}, audit.Entry{})
			return err
		},
		"an entry": func(ctx context.Context, s storage.Store) error {
			cmd := fixtures.AddCommand("b-1")
			cmd.OrganizationID = 5
			if err := s.PutOrganization(ctx, account.Organization{ID: cmd.OrganizationID, Slug: "other"}, audit.Entry{}); err != nil {
				return err
			}
			_, err := s.AddToAllowlist(ctx, cmd)
			return err
		},
		"an import": func(ctx context.Context, s storage.Store) error {
			return s.Import(ctx, storage.Seed{Organizations: []storage.SeedOrganization{{ID: 5, Slug: "other"}}})
		},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			dsn := newDatabase(t)
			store := open(t, dsn)
			tx := begin(t, dsn, pgx.RepeatableRead)
			_, err := tx.Exec(t.Context(), "SELECT 1 FROM apguard_assets")
			require.NoError(t, err)
			fixtures.Fill(t, store)

			err = call(t.Context(), postgres.InTx(tx))
			require.ErrorIs(t, err, postgres.ErrSerialization)
			require.ErrorContains(t, err, "postgres: ")
			require.NoError(t, tx.Rollback(t.Context()))
		})
	}
}

// A new group waits for a concurrent group with an explicit ID, until that ID is reserved.
func TestInTx_PutGroupSerializes(t *testing.T) {
	t.Parallel()
	dsn := newDatabase(t)
	store := open(t, dsn)
	inserted, release, done := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		done <- postgres.Write(t.Context(), store, func(ctx context.Context, on sqlstore.Conn) error {
			if err := on.Serialize(ctx, "groups"); err != nil {
				return err
			}
			if _, err := on.Exec(ctx, "INSERT INTO apguard_groups (id, organization_id, name) VALUES (1, 1, '')"); err != nil {
				return err
			}
			close(inserted)
			<-release
			return on.ReserveIDs(ctx, "apguard_groups")
		})
	}()
	<-inserted
	tx := begin(t, dsn, pgx.ReadCommitted)
	var group account.Group
	given := make(chan error, 1)
	go func() {
		var err error
		group, err = postgres.InTx(tx).PutGroup(t.Context(), account.Group{OrganizationID: 1}, audit.Entry{})
		given <- err
	}()
	awaitLockWaits(t, dsn, 1)
	close(release)
	require.NoError(t, <-done)
	require.NoError(t, <-given)
	require.EqualValues(t, 2, group.ID)
}

func TestInTx_DatabaseFailure(t *testing.T) {
	t.Parallel()
	dsn := newDatabase(t)
	tx := begin(t, dsn, pgx.ReadCommitted)
	_, err := postgres.InTx(tx).Groups(t.Context(), 1)
	require.ErrorContains(t, err, "postgres: groups: ")
	var failed *pgconn.PgError
	require.ErrorAs(t, err, &failed, "the tables do not exist")
	require.NotErrorIs(t, err, postgres.ErrSerialization)
}
