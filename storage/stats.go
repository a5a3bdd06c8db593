package storage

import "time"

// Stats says how busy a store with a database is, for metrics. Adapters with connections have a
// method Stats, which asks no database.
type Stats struct {
	// MaxConnections is the size of the pool of connections, or 0 if it has no limit. InUse and
	// Idle of them are open.
	MaxConnections, InUse, Idle int
	// Waited is how long calls have waited for the pool to give them a connection, in all. It
	// starts at 0 again when an adapter replaces its pool.
	Waited time.Duration
	// Reads and Writes are the calls that wait for their turn before they use the pool.
	Reads, Writes Queue
}

// Queue describes calls that wait for their turn.
type Queue struct {
	// Waiting is the number of calls that wait now.
	Waiting int
	// Waited is how long calls have waited since the store was opened, in all. Calls that wait
	// now are not included.
	Waited time.Duration
}
