package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/metrics"
	"github.com/apguard/apguard/storage"
)

// Every database that a server can use says how busy it is.
func TestMetrics_Databases(t *testing.T) {
	t.Parallel()
	for name, newDatabase := range emptyDatabases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for reason, open := range map[string]func(database) (storage.Store, error){
				"a server":  func(d database) (storage.Store, error) { return d.open(t.Context()) },
				"a command": func(d database) (storage.Store, error) { return d.openExisting(t.Context()) },
			} {
				store, err := open(databaseOf(newDatabase(t)))
				require.NoError(t, err, reason)
				require.Contains(t, textOf(t, metrics.NewCounts(nil), metrics.Sources{Store: store}), "apguard_store_connections_max", reason)
				require.NoError(t, store.Close())
			}
		})
	}
}
