package postgres

import (
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/internal/sqlstore"
)

var _ storage.Store = (*Store)(nil)

// methods has the methods of storage.Store.
type methods = sqlstore.Store

// Store implements storage.Store on a PostgreSQL database. [Open] and [New] return
// one. It is safe for concurrent use.
//
// Errors of the domain packages are returned unchanged. Every other error begins with
// "postgres:" and the name of the operation, and may match an error of this package,
// storage.ErrClosed or the error of the context.
type Store struct {
	*methods
	engine *engine
}

func newStore(e *engine) *Store {
	return &Store{methods: sqlstore.New(e, dialect()), engine: e}
}

// Stats says how busy the store is.
func (s *Store) Stats() storage.Stats {
	pool := s.engine.pool.Load().Stat()
	stats := storage.Stats{
		MaxConnections: int(pool.MaxConns()),
		InUse:          int(pool.AcquiredConns()),
		Idle:           int(pool.IdleConns()),
		Waited:         pool.EmptyAcquireWaitTime(),
	}
	stats.Reads, stats.Writes = s.engine.slots.Queues()
	return stats
}
