//go:build cgo

package sqlite_test

import (
	"database/sql"
	"database/sql/driver"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/test/benchtest"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/storage/internal/sqlstore"
	"github.com/apguard/apguard/storage/sqlite"
)

const listSize = 1_000_000

// BenchmarkImport imports a hosts file into an empty database, durably. "x/bare" compares its
// rate with that of the bare driver, which inserts the same assets and changes in
// transactions of the same size and neither reads the file nor classifies the hosts.
func BenchmarkImport(b *testing.B) {
	size := benchtest.Sized(listSize)
	var file strings.Builder
	for i := range size {
		fmt.Fprintf(&file, "0.0.0.0 %s\n", listedHost(i))
	}
	for b.Loop() {
		rows := make([][]driver.Value, size)
		for i := range rows {
			identity := asset.Identity{Type: asset.TypePage, Canonical: listedHost(i)}
			rows[i] = []driver.Value{int64(1), sqlstore.IdentityHash(identity), identity.Canonical, int64(2)}
		}
		times := benchtest.Medians(1,
			func(int) {
				store, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "import.db"), sqlite.Options{})
				require.NoError(b, err)
				entries := lists.Read(strings.NewReader(file.String()), lists.Hosts, lists.ReadOptions{})
				counts, err := lists.Import(b.Context(), asset.NewService(store, asset.Options{}), entries, lists.ImportOptions{})
				require.NoError(b, err)
				require.Equal(b, lists.Counts{Lines: size, Set: size}, counts)
				require.NoError(b, store.Close())
			},
			func(int) {
				bare := openBare(b, filledAllowlist(b, 0), storeSettings)
				for first := 0; first < size; first += asset.MaxItems {
					require.NoError(b, bare.register(rows[first:min(first+asset.MaxItems, size)]))
				}
			})
		benchtest.Figures(b, map[string]float64{"us/line": 1000 * times[0] / float64(size), "x/bare": times[1] / times[0]})
	}
}

func listedHost(i int) string { return fmt.Sprintf("host-%d.example-%d.com", i, i%1000) }

// register is allow without allowlist entries.
func (d *bareDriver) register(assets [][]driver.Value) error {
	if err := d.run("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	var first, last int64
	for i, one := range assets {
		id, err := insert(d.asset, one...)
		if err != nil {
			return err
		}
		if last = id; i == 0 {
			first = id
		}
	}
	if _, err := insert(d.changes, bareAt, first, last); err != nil {
		return err
	}
	return d.run("COMMIT")
}

// BenchmarkExport writes the BLOCKED assets of a database in each format. "x/bare" compares
// its rate with that of a single query through database/sql for the same columns, which
// writes nothing.
func BenchmarkExport(b *testing.B) {
	size := benchtest.Sized(listSize)
	path := filled(b, size,
		numbers+`INSERT INTO apguard_assets (id, type, identity_hash, canonical, status)
			SELECT i + 1, 1, randomblob(24), 'host-' || i || '.example.com', 2 FROM n`,
		numbers+`INSERT INTO apguard_changes (asset_id, type, from_status, to_status, changed_at, cause, actor, reference)
			SELECT i + 1, 1, 0, 2, 1600000000000 + i, 5, 0, '' FROM n`)
	store := open(b, path)
	service := asset.NewService(store, asset.Options{})
	source := func(filter asset.Filter) iter.Seq2[asset.Listed, error] { return service.All(b.Context(), filter, 0) }
	_, reader := sqlite.Pools(store)
	for _, format := range []lists.Format{lists.Domains, lists.CSV} {
		b.Run(string(format), func(b *testing.B) {
			for b.Loop() {
				times := benchtest.Medians(3,
					func(int) {
						summary, err := lists.Write(io.Discard, format, source, lists.WriteOptions{})
						require.NoError(b, err)
						require.Equal(b, int64(size), summary.Written)
					},
					func(int) { require.Equal(b, size, bareRows(b, reader)) })
				benchtest.Figures(b, map[string]float64{"us/asset": 1000 * times[0] / float64(size), "x/bare": times[1] / times[0]})
			}
		})
	}
}

// bareRows reads all BLOCKED assets with the times of their changes, and returns their number.
func bareRows(b *testing.B, reader *sql.DB) (count int) {
	b.Helper()
	rows, err := reader.QueryContext(b.Context(), `SELECT id, type, canonical, status, changed_at FROM apguard_assets WHERE status = 2 ORDER BY id`)
	require.NoError(b, err)
	defer rows.Close() //nolint:errcheck // rows.Err is checked
	var (
		id, kind, status, at int64
		canonical            string
	)
	for rows.Next() {
		require.NoError(b, rows.Scan(&id, &kind, &canonical, &status, &at))
		count++
	}
	require.NoError(b, rows.Err())
	return count
}
