package postgres_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/postgres"
)

func TestOpen_Rules(t *testing.T) {
	t.Parallel()
	const asset = `INSERT INTO apguard_assets (identity_hash, type, status, canonical) VALUES ('\x00', 1, 1, 'a.example')`
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
			dsn := newDatabase(t)
			db := newPool(t, dsn)
			require.NoError(t, postgres.Migrate(t.Context(), db))
			execute(t, dsn, test.statements)

			for name, openStore := range map[string]func(postgres.Options) (*postgres.Store, error){
				"Open": func(opts postgres.Options) (*postgres.Store, error) { return postgres.Open(t.Context(), dsn, opts) },
				"New": func(opts postgres.Options) (*postgres.Store, error) {
					require.NoError(t, postgres.Migrate(t.Context(), db))
					return postgres.New(t.Context(), db, opts)
				},
			} {
				store, err := openStore(postgres.Options{})
				if test.refused == nil {
					require.NoError(t, err, name)
					require.NoError(t, store.Close())
					continue
				}
				var refused *storage.RulesError
				require.ErrorAs(t, err, &refused, name)
				require.Equal(t, test.refused, refused, name)
				store, err = openStore(postgres.Options{Reclassify: true})
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

// Another program can reclassify the database, or restore an older one, while the store is open.
func TestPing_Rules(t *testing.T) {
	t.Parallel()
	for reason, version := range map[string]int{"newer rules": classify.Version + 1, "older rules": classify.Version - 1} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			dsn := newDatabase(t)
			store := open(t, dsn)
			require.NoError(t, store.Ping(t.Context()))

			execute(t, dsn, fmt.Sprint("UPDATE apguard_rules SET version = ", version))
			var refused *storage.RulesError
			require.ErrorAs(t, store.Ping(t.Context()), &refused)
			require.Equal(t, storage.RulesError{Have: version, Want: classify.Version}, *refused)

			execute(t, dsn, fmt.Sprint("UPDATE apguard_rules SET version = ", classify.Version))
			require.NoError(t, store.Ping(t.Context()))
		})
	}
}
