package sqlite_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/sqlite"
)

func TestOpen_Rules(t *testing.T) {
	t.Parallel()
	const asset = "INSERT INTO apguard_assets (identity_hash, type, status, canonical) VALUES (x'00', 1, 1, 'a.example')"
	for reason, test := range map[string]struct {
		statements string
		refused    *storage.RulesError
	}{
		"a new database":            {},
		"an empty one of old rules": {statements: "UPDATE apguard_rules SET version = 0"},
		"assets of old rules":       {asset + "; UPDATE apguard_rules SET version = 0", &storage.RulesError{Have: 0, Want: classify.Version}},
		"assets of newer rules":     {asset + "; UPDATE apguard_rules SET version = 999", &storage.RulesError{Have: 999, Want: classify.Version}},
		"no assets of newer rules":  {"UPDATE apguard_rules SET version = 999", &storage.RulesError{Have: 999, Want: classify.Version}},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			path := newFile(t)
			db := drivers()[0].open(t, path, testSettings)
			require.NoError(t, sqlite.Migrate(t.Context(), db))
			_, err := db.ExecContext(t.Context(), test.statements)
			require.NoError(t, err)

			for name, openStore := range map[string]func(sqlite.Options) (*sqlite.Store, error){
				"Open": func(opts sqlite.Options) (*sqlite.Store, error) { return sqlite.Open(t.Context(), path, opts) },
				"New": func(opts sqlite.Options) (*sqlite.Store, error) {
					require.NoError(t, sqlite.Migrate(t.Context(), db))
					return sqlite.New(t.Context(), db, opts)
				},
			} {
				store, err := openStore(sqlite.Options{})
				if test.refused == nil {
					require.NoError(t, err, name)
					require.NoError(t, store.Close())
					continue
				}
				var refused *storage.RulesError
				require.ErrorAs(t, err, &refused, name)
				require.Equal(t, test.refused, refused, name)
				store, err = openStore(sqlite.Options{Reclassify: true})
				if test.refused.Have > classify.Version {
					require.ErrorAs(t, err, &refused, name)
					continue
				}
				require.NoError(t, err, name)
				require.NoError(t, store.Close())
			}
		})
	}
}
