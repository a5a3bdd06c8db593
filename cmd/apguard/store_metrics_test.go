package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
)

// measuredStore is a store that is as busy as a test wants.
type measuredStore struct {
	storage.Store
	stats storage.Stats
}

func (s measuredStore) Stats() storage.Stats { return s.stats }

func TestStoreText(t *testing.T) {
	t.Parallel()
	require.Equal(t, map[string]float64{
		`apguard_store_connections{state="idle"}`:             1,
		`apguard_store_connections{state="in_use"}`:           2,
		`apguard_store_connections_max`:                       4,
		`apguard_store_connection_wait_seconds_total`:         0.5,
		`apguard_store_calls_waiting{kind="read"}`:            5,
		`apguard_store_calls_waiting{kind="write"}`:           6,
		`apguard_store_call_wait_seconds_total{kind="read"}`:  7,
		`apguard_store_call_wait_seconds_total{kind="write"}`: 8,
	}, scrape(t, string(storeText(measuredStore{stats: storage.Stats{
		MaxConnections: 4, InUse: 2, Idle: 1, Waited: time.Second / 2,
		Reads:  storage.Queue{Waiting: 5, Waited: 7 * time.Second},
		Writes: storage.Queue{Waiting: 6, Waited: 8 * time.Second},
	}}))))
	require.Empty(t, storeText(memory.New()))
}

// Every database that a server can use says how busy it is.
func TestStoreText_Databases(t *testing.T) {
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
				require.NotEmpty(t, storeText(store), reason)
				require.NoError(t, store.Close())
			}
		})
	}
}
