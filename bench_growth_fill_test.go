//go:build cgo

package apguard_test

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/internal/test/accounttest"
	"github.com/apguard/apguard/internal/test/postgrestest"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/postgres"
	"github.com/apguard/apguard/storage/sqlite"
)

// month is the time in which each asset changes once.
const month = 30 * 24 * time.Hour

// growthDatabase is a database that is filled without a service, while no store is open.
type growthDatabase interface {
	open(b *testing.B) storage.Store
	// change records a change of each asset in the month from begin on, in the order of the IDs.
	change(b *testing.B, from, to int, begin time.Time)
	// date gives each asset the time of its change in that month, which must be the last one.
	date(b *testing.B, begin time.Time)
	// optimize does what a database does by itself after some time.
	optimize(b *testing.B)
	bytes(b *testing.B) int64
}

// growthSQLite is the path of a database file.
type growthSQLite string

func newGrowthSQLite(b *testing.B) growthDatabase {
	b.Helper()
	return growthSQLite(filepath.Join(b.TempDir(), "growth.db"))
}

func (path growthSQLite) open(b *testing.B) storage.Store {
	b.Helper()
	store, err := sqlite.Open(b.Context(), string(path), sqlite.Options{})
	require.NoError(b, err)
	return store
}

func (path growthSQLite) change(b *testing.B, from, to int, begin time.Time) {
	b.Helper()
	path.each(b, `INSERT INTO apguard_changes (asset_id, type, from_status, to_status, changed_at, cause, actor, reference, source)
		SELECT id, type, ?4, ?5, ?1 + id * ?2 / (?3 + 1), 5, 0, '', iif(?5 = 0, -3, source) FROM apguard_assets
		WHERE id > ?6 AND id <= ?7 ORDER BY id`, begin, from, to)
}

func (path growthSQLite) date(b *testing.B, begin time.Time) {
	b.Helper()
	path.each(b, "UPDATE apguard_assets SET changed_at = ?1 + id * ?2 / (?3 + 1) WHERE id > ?4 AND id <= ?5", begin)
}

func (growthSQLite) optimize(*testing.B) {}

// each executes a statement for 100,000 assets at a time, as the write-ahead log grows until a transaction ends. Its
// arguments are the beginning and the length of the month, the largest ID, args, and the IDs.
func (path growthSQLite) each(b *testing.B, statement string, begin time.Time, args ...any) {
	b.Helper()
	const step = 100_000
	db, err := sql.Open("sqlite3", "file:"+string(path)+"?_synchronous=OFF&_cache_size=-262144")
	require.NoError(b, err)
	db.SetMaxOpenConns(1)
	var last int
	require.NoError(b, db.QueryRowContext(b.Context(), "SELECT max(id) FROM apguard_assets").Scan(&last))
	args = append([]any{begin.UnixMilli(), month.Milliseconds(), last}, args...)
	for after := 0; after < last; after += step {
		_, err := db.ExecContext(b.Context(), statement, append(args, after, after+step)...)
		require.NoError(b, err)
	}
	require.NoError(b, db.Close())
}

func (path growthSQLite) bytes(b *testing.B) int64 {
	b.Helper()
	info, err := os.Stat(string(path))
	require.NoError(b, err)
	return info.Size()
}

// growthPostgres is a connection to a schema, whose connection string is dsn.
type growthPostgres struct {
	*pgx.Conn
	dsn string
}

func newGrowthPostgres(b *testing.B) growthDatabase {
	b.Helper()
	dsn := postgrestest.NewDatabase(b)
	on, err := pgx.Connect(b.Context(), dsn)
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, on.Close(context.WithoutCancel(b.Context()))) })
	return growthPostgres{on, dsn}
}

func (p growthPostgres) open(b *testing.B) storage.Store {
	b.Helper()
	store, err := postgres.Open(b.Context(), p.dsn, postgres.Options{})
	require.NoError(b, err)
	return store
}

// change gives each 1,000 changes a row of the feed, whose identifiers have no gaps without other writers.
func (p growthPostgres) change(b *testing.B, from, to int, begin time.Time) {
	b.Helper()
	p.execute(b, `INSERT INTO apguard_feed (changes) SELECT least(1000, n - first)
		FROM (SELECT count(*) AS n FROM apguard_assets) AS a, generate_series(0, n - 1, 1000) AS f (first)`)
	p.execute(b, `INSERT INTO apguard_changes (id, asset_id, type, from_status, to_status, changed_at, cause, actor, reference, source)
		SELECT f.first + row_number() OVER (ORDER BY a.id) - 1, a.id, a.type, $3::BIGINT, $4::BIGINT,
			$1::BIGINT + a.id * $2::BIGINT / (f.last + 1), 5, 0, '', CASE $4::BIGINT WHEN 0 THEN -3 ELSE a.source END
		FROM (SELECT max(id) AS last, currval('apguard_changes_id_seq') - (count(*) - 1) / 1000 * 1000 AS first FROM apguard_assets) AS f,
			apguard_assets a ORDER BY a.id`, begin.UnixMilli(), month.Milliseconds(), from, to)
}

func (p growthPostgres) date(b *testing.B, begin time.Time) {
	b.Helper()
	p.execute(b, `UPDATE apguard_assets SET changed_at = $1::BIGINT + id * $2::BIGINT / (last + 1)
		FROM (SELECT max(id) AS last FROM apguard_assets) AS m`, begin.UnixMilli(), month.Milliseconds())
}

func (p growthPostgres) optimize(b *testing.B) {
	b.Helper()
	p.execute(b, "VACUUM (ANALYZE) apguard_assets, apguard_changes, apguard_decisions, apguard_feed")
}

func (p growthPostgres) execute(b *testing.B, statement string, args ...any) {
	b.Helper()
	_, err := p.Exec(b.Context(), statement, args...)
	require.NoError(b, err)
}

func (p growthPostgres) bytes(b *testing.B) (size int64) {
	b.Helper()
	require.NoError(b, p.QueryRow(b.Context(), `SELECT sum(pg_total_relation_size(oid))::BIGINT FROM pg_class
		WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`).Scan(&size))
	return size
}

// fill imports the assets, and then writes their other changes. The last one blocks the asset, as the import does.
func (g *growth) fill(b *testing.B, db growthDatabase) {
	b.Helper()
	file := listFile(b, 0, g.assets)
	store := accounttest.Organizations(b, db.open(b), 1)
	began := time.Now()
	clock := func() time.Time { return g.start.Add(time.Since(began)) }
	took := seconds(func() {
		counts, err := lists.Import(b.Context(), apguard.New(store, apguard.Options{Clock: clock}).Assets,
			lists.Read(file, lists.Lines, lists.ReadOptions{}), lists.ImportOptions{})
		require.NoError(b, err)
		require.Equal(b, lists.Counts{Lines: g.assets, Set: g.assets}, counts)
	})
	require.NoError(b, store.Close())
	reportStep(b, "fill", map[string]float64{"assets/s": float64(g.assets) / took})
	const blocked = 2 // the code; those of UNKNOWN and ALLOWED are 0 and 1
	from := blocked
	for n := 1; n < g.changes; n++ {
		to := (n + 1) % 2
		if n == g.changes-1 {
			to = blocked
			db.date(b, g.month(n))
		}
		db.change(b, from, to, g.month(n))
		from = to
	}
	db.optimize(b)
	reportStep(b, "disk", map[string]float64{"MB": float64(db.bytes(b)) / 1e6})
}

// growthContent returns the content with a number: of ten, five are domains, four are URLs and one is an address. Twenty
// neighboring numbers have the same host for their URLs.
func growthContent(n int) string {
	switch n % 10 {
	case 0, 1, 2, 3:
		return fmt.Sprintf("login-%d.shop-%d.com", n, n/2)
	case 4:
		return fmt.Sprintf("wallet-%d.net", n)
	case 9:
		return fmt.Sprintf("0x%040x", uint64(n)*0x9e3779b97f4a7c15)
	default:
		return fmt.Sprintf("https://host-%d.example-%d.org/account/%d?id=verify", n/20, n/200, n)
	}
}

// listFile returns a file with contents, one on each line.
func listFile(b *testing.B, first, n int) *os.File {
	b.Helper()
	file, err := os.Create(filepath.Join(b.TempDir(), "list"))
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, file.Close()) })
	w := bufio.NewWriter(file)
	for i := range n {
		_, err := fmt.Fprintln(w, growthContent(first+i))
		require.NoError(b, err)
	}
	require.NoError(b, w.Flush())
	_, err = file.Seek(0, io.SeekStart)
	require.NoError(b, err)
	return file
}
