package sqlite

import (
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/internal/sqlstore"
)

var _ storage.Store = (*Store)(nil)

// methods has the methods of storage.Store.
type methods = sqlstore.Store

// Store implements storage.Store on a SQLite database. [Open] and [New] return one.
// It is safe for concurrent use.
//
// Errors of the domain packages are returned unchanged. Every other error begins
// with "sqlite:" and the name of the operation, and may match an error of this
// package, storage.ErrClosed or the error of the context.
type Store struct {
	*methods
	engine *engine
}

func newStore(e *engine) *Store {
	return &Store{methods: sqlstore.New(e, dialect()), engine: e}
}

// Stats says how busy the store is. After [Open], the connections are those for reading: the one for
// writing has a queue, Writes. After [New], they are those of the pool of the host application.
func (s *Store) Stats() storage.Stats {
	pool := s.engine.reader.Stats()
	stats := storage.Stats{
		MaxConnections: pool.MaxOpenConnections,
		InUse:          pool.InUse,
		Idle:           pool.Idle,
		Waited:         pool.WaitDuration,
		Writes:         s.engine.writer.queue.stats(),
	}
	stats.Reads, _ = s.engine.slots.Queues()
	return stats
}
