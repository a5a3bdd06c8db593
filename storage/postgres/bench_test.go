package postgres_test

import (
	"crypto/sha256"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/test/accounttest"
	"github.com/apguard/apguard/internal/test/benchtest"
	"github.com/apguard/apguard/storage/internal/test/plantest"
	"github.com/apguard/apguard/storage/postgres"
)

// rounds is the number of measurements of each way. The ways take turns under the same
// conditions.
const rounds = 11

// median returns the median of the durations, in seconds.
func median(durations []time.Duration) float64 {
	slices.Sort(durations)
	return durations[len(durations)/2].Seconds()
}

// measure returns the duration of a call.
func measure(tb testing.TB, do func() error) time.Duration {
	tb.Helper()
	begin := time.Now()
	require.NoError(tb, do())
	return time.Since(begin)
}

// The three statements that are needed to add a batch of new assets.
const (
	bareAssets = `INSERT INTO apguard_assets (type, identity_hash, canonical, status)
		SELECT 0, h, c, 1 FROM unnest($1::BYTEA[], $2::TEXT[]) AS n (h, c) RETURNING id`
	bareChanges = `INSERT INTO apguard_changes (id, asset_id, type, from_status, to_status, changed_at, cause, actor, reference)
		SELECT nextval('apguard_changes_id_seq'), id, 0, 0, 1, $2, 0, 0, '' FROM unnest($1::BIGINT[]) AS n (id)`
	bareEntries = `INSERT INTO apguard_allowlist (organization_id, asset_id, group_id, name, description, added_at)
		SELECT 1, id, NULL, 'An asset', '', $2 FROM unnest($1::BIGINT[]) AS n (id)`
)

// addBare adds a batch in a transaction of three statements with arrays.
func addBare(tb testing.TB, on *pgx.Conn, cmd allowlist.AddCommand) error {
	tb.Helper()
	var (
		hashes = make([][]byte, len(cmd.Entries))
		texts  = make([]string, len(cmd.Entries))
		at     = cmd.At.UnixMilli()
	)
	for i, c := range cmd.Entries {
		hash := sha256.Sum256([]byte(c.Asset.Canonical))
		hashes[i], texts[i] = hash[:], c.Asset.Canonical
	}
	return pgx.BeginFunc(tb.Context(), on, func(tx pgx.Tx) error {
		rows, err := tx.Query(tb.Context(), bareAssets, hashes, texts)
		if err != nil {
			return err
		}
		ids, err := pgx.CollectRows(rows, pgx.RowTo[int64])
		if err != nil {
			return err
		}
		if _, err := tx.Exec(tb.Context(), bareChanges, ids, at); err != nil {
			return err
		}
		_, err = tx.Exec(tb.Context(), bareEntries, ids, at)
		return err
	})
}

// addRowByRow adds a batch in a transaction with three statements for each asset.
func addRowByRow(tb testing.TB, on *pgx.Conn, cmd allowlist.AddCommand) error {
	tb.Helper()
	at := cmd.At.UnixMilli()
	return pgx.BeginFunc(tb.Context(), on, func(tx pgx.Tx) error {
		for _, c := range cmd.Entries {
			hash := sha256.Sum256([]byte(c.Asset.Canonical))
			var id int64
			err := tx.QueryRow(tb.Context(), bareAssets, [][]byte{hash[:]}, []string{c.Asset.Canonical}).Scan(&id)
			if err != nil {
				return err
			}
			if _, err := tx.Exec(tb.Context(), bareChanges, []int64{id}, at); err != nil {
				return err
			}
			if _, err := tx.Exec(tb.Context(), bareEntries, []int64{id}, at); err != nil {
				return err
			}
		}
		return nil
	})
}

// BenchmarkAddToAllowlist adds 1,000 new assets at a time, durably. It reports the rates
// relative to the driver alone.
func BenchmarkAddToAllowlist(b *testing.B) {
	dsn := newDatabase(b)
	store := accounttest.Organizations(b, open(b, dsn), 1)
	on := connect(b, dsn)
	var ours, bare, rows []time.Duration
	batch := 0
	next := func() allowlist.AddCommand {
		batch++
		return benchtest.AddCommand(batch, allowlist.MaxItems)
	}
	for b.Loop() {
		for range rounds {
			a := next()
			ours = append(ours, measure(b, func() error {
				_, err := store.AddToAllowlist(b.Context(), a)
				return err
			}))
			a = next()
			bare = append(bare, measure(b, func() error { return addBare(b, on, a) }))
			a = next()
			rows = append(rows, measure(b, func() error { return addRowByRow(b, on, a) }))
		}
	}
	b.ReportMetric(1000*median(ours), "ms/batch")
	b.ReportMetric(median(bare)/median(ours), "x/bare")
	b.ReportMetric(median(rows)/median(ours), "x/rowbyrow")
}

// BenchmarkChanges reads 100,000 changes in pages. It reports the rate relative to the driver
// alone with one query.
func BenchmarkChanges(b *testing.B) {
	const changes = 100_000
	dsn := newDatabase(b)
	store := accounttest.Organizations(b, open(b, dsn), 1)
	for batch := range changes / allowlist.MaxItems {
		_, err := store.AddToAllowlist(b.Context(), benchtest.AddCommand(batch, allowlist.MaxItems))
		require.NoError(b, err)
	}
	on := connect(b, dsn)
	_, err := on.Exec(b.Context(), "VACUUM ANALYZE")
	require.NoError(b, err)
	statement := plantest.Build(b, postgres.Dialect().Changes(asset.ListChangesRequest{Limit: changes}))

	var ours, bare []time.Duration
	for b.Loop() {
		for range rounds {
			ours = append(ours, measure(b, func() error { return readPages(b, store, changes) }))
			bare = append(bare, measure(b, func() error { return scanBare(b, on, statement, changes) }))
		}
	}
	b.ReportMetric(1000*median(ours), "ms/changelog")
	b.ReportMetric(median(bare)/median(ours), "x/bare")
}

// readPages reads all changes as the service does.
func readPages(tb testing.TB, store *postgres.Store, want int) error {
	tb.Helper()
	var after asset.ChangeCursor
	for {
		page, err := store.Changes(tb.Context(), asset.ListChangesRequest{Cursor: after, Limit: asset.MaxLimit})
		if err != nil {
			return err
		}
		want -= len(page.Items)
		if !page.More {
			require.Zero(tb, want)
			return nil
		}
		after = page.Last().Cursor()
	}
}

// scanBare reads the rows of one query.
func scanBare(tb testing.TB, on *pgx.Conn, statement plantest.Statement, want int) error {
	tb.Helper()
	rows, err := on.Query(tb.Context(), statement.SQL, statement.Args...)
	if err != nil {
		return err
	}
	var (
		id, assetID, at, actor                      int64
		kind, content, from, to, cause, description string
	)
	tag, err := pgx.ForEachRow(rows, []any{&id, &assetID, &kind, &content, &from, &to, &at, &cause, &actor, &description},
		func() error { return nil })
	require.EqualValues(tb, want, tag.RowsAffected())
	return err
}
