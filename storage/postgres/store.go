package postgres

import (
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/internal/sqlstore"
)

var _ storage.Store = (*Store)(nil)

// methods are those of storage.Store.
type methods = sqlstore.Store

// Store is a storage.Store in one PostgreSQL database. [Open] and [New] make one.
// It is safe for concurrent use.
//
// Errors that a domain package names are returned as they are. Any other error
// begins with "postgres:" and the name of the operation, and may be one of this
// package or storage.ErrClosed.
type Store struct {
	*methods
	engine *engine
}

func newStore(e *engine) *Store {
	return &Store{methods: sqlstore.New(e, dialect()), engine: e}
}
