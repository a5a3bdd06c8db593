package main

import (
	"strconv"

	"github.com/apguard/apguard/storage"
)

// busyStore is a store that can say how busy it is. Those with a database can.
type busyStore interface {
	storage.Store
	Stats() storage.Stats
}

// storeText returns how busy the store is. It is empty for a store in memory.
func storeText(store storage.Store) []byte {
	busy, ok := store.(busyStore)
	if !ok {
		return nil
	}
	stats := busy.Stats()
	var page page
	page.family("apguard_store_connections", "gauge", "Open connections of the pool to the database, by state.")
	page.sample("apguard_store_connections", strconv.Itoa(stats.Idle), "state", "idle")
	page.sample("apguard_store_connections", strconv.Itoa(stats.InUse), "state", "in_use")
	page.family("apguard_store_connections_max", "gauge", "Size of the pool of connections.")
	page.sample("apguard_store_connections_max", strconv.Itoa(stats.MaxConnections))
	page.family("apguard_store_connection_wait_seconds_total", "counter", "Time that calls have waited for the pool to give them a connection.")
	page.sample("apguard_store_connection_wait_seconds_total", decimal(stats.Waited.Seconds()))

	page.family("apguard_store_calls_waiting", "gauge", "Calls that wait for their turn to read or write.")
	page.sample("apguard_store_calls_waiting", strconv.Itoa(stats.Reads.Waiting), "kind", "read")
	page.sample("apguard_store_calls_waiting", strconv.Itoa(stats.Writes.Waiting), "kind", "write")
	page.family("apguard_store_call_wait_seconds_total", "counter", "Time that calls have waited for their turn. Its rate is how many wait on average.")
	page.sample("apguard_store_call_wait_seconds_total", decimal(stats.Reads.Waited.Seconds()), "kind", "read")
	page.sample("apguard_store_call_wait_seconds_total", decimal(stats.Writes.Waited.Seconds()), "kind", "write")
	return page.text
}
