//go:build cgo

package sqlite_test

import (
	"context"
	"database/sql"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/internal/benchtest"
	"github.com/apguard/apguard/storage/internal/sqlstore"
)

// noLists are no external lists.
type noLists struct{}

func (noLists) CheckLists(context.Context, asset.Identity) ([]dispute.ListVerdict, error) {
	return nil, nil
}

// BenchmarkCheck compares a check with a bare look-up by key in the same file, and a batch
// with as many single checks. In "hosts", every link of a batch has another host. In
// "paths", a batch has the links of ten hosts.
func BenchmarkCheck(b *testing.B) {
	path := filled(b, benchtest.Sized(1_000_000), numbers+`INSERT INTO apguard_assets (id, type, identity_hash, canonical, status)
		SELECT i + 1, 1, randomblob(20), 'host-' || i || '.example.com', 2 FROM n`)
	service := check.NewService(open(b, path), noLists{})
	db, err := sql.Open("sqlite3", "file:"+path+"?_cache_size=-65536")
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, db.Close()) })
	lookup, err := db.PrepareContext(b.Context(), sqlstore.SelectAsset)
	require.NoError(b, err)

	for name, link := range map[string]func(round, i int) string{
		"hosts": func(round, i int) string {
			return fmt.Sprintf("https://login.host-%d-%d.com/account/verify?id=7", round, i)
		},
		"paths": func(round, i int) string { return fmt.Sprintf("https://host-%d-%d.com/post/%d", round, i%10, i) },
	} {
		b.Run(name, func(b *testing.B) {
			links := func(round int) []string {
				contents := make([]string, check.MaxContents)
				for i := range contents {
					contents[i] = link(round, i)
				}
				return contents
			}
			bare := func(round int) {
				for _, content := range links(round) {
					identity := asset.Identity{Type: asset.TypeURL, Canonical: content}
					var id, status int64
					err := lookup.QueryRowContext(b.Context(), sqlstore.IdentityHash(identity)).Scan(&id, &status)
					require.ErrorIs(b, err, sql.ErrNoRows)
				}
			}
			single := func(round int) {
				for _, content := range links(round) {
					_, err := service.Check(b.Context(), content)
					require.NoError(b, err)
				}
			}
			batch := func(round int) {
				_, err := service.CheckBatch(b.Context(), links(round))
				require.NoError(b, err)
			}
			took := benchtest.Medians(benchtest.Rounds, bare, single, batch)
			benchtest.Figures(b, map[string]float64{
				"µs/check":     took[1],
				"x-lookup":     took[1] / took[0],
				"ms/batch":     took[2],
				"batch-faster": took[1] / took[2],
			})
		})
	}
}
