package postgres

import (
	"context"

	"github.com/apguard/apguard/storage/internal/sqlstore"
)

// Ping implements storage.Store. It reads in a transaction that may write, which a standby
// server refuses with [ErrReadOnly]. A read-only store only reads.
//
// Ping does not know how much space the server has. A server that cannot write its log
// ends, and then Ping fails. Before that, only calls that need more space fail.
func (s *Store) Ping(ctx context.Context) error {
	if s.engine.readOnly {
		return s.methods.Ping(ctx)
	}
	return s.engine.Write(ctx, sqlstore.Operation{Name: "ping", Kind: sqlstore.Short}, sqlstore.Ping)
}
