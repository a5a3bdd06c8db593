package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/apguard/apguard/storage/internal/schema"
	"github.com/apguard/apguard/storage/internal/sqlstore"
)

// Dialect returns the dialect of the statements.
func Dialect() sqlstore.Dialect { return dialect() }

// HostTx returns the engine of [InTx].
func HostTx(tx *sql.Tx) sqlstore.Engine { return hostTx{tx} }

// Pools returns the connections of a store.
func Pools(s *Store) (writer, reader *sql.DB) { return s.engine.writer.db, s.engine.reader }

// Read runs a step of a kind that reads.
func Read(ctx context.Context, s *Store, kind sqlstore.Kind, step sqlstore.Step) error {
	return s.engine.Read(ctx, sqlstore.Operation{Name: "test", Kind: kind}, step)
}

// MaxSharedSteps is the largest number of steps that share a transaction.
const MaxSharedSteps = maxSharedSteps

// SetSharedBytes sets the number of bytes after which a transaction takes no further step.
func SetSharedBytes(s *Store, bytes int64) { s.engine.writer.sharedBytes = bytes }

// SetCheckpointBytes sets the size of the write-ahead log that starts a checkpoint, and scales
// the other limits. It returns the size that bounds the log. The store must not have written
// yet.
func SetCheckpointBytes(s *Store, bytes int64) (tooMany int64) {
	c := s.engine.checkpoints
	c.countBytes = c.countBytes * bytes / c.bytes
	c.fewBytes = c.fewBytes * bytes / c.bytes
	c.tooManyBytes = c.tooManyBytes * bytes / c.bytes
	c.bytes = bytes
	return c.tooManyBytes
}

// CheckpointDB returns the pool of the connection for checkpoints.
func CheckpointDB(s *Store) *sql.DB { return s.engine.checkpoints.db }

// SetReadersWait sets how long the writer waits for readers before the write-ahead log
// restarts.
func SetReadersWait(s *Store, limit time.Duration) error {
	_, err := s.engine.checkpoints.db.ExecContext(context.Background(), fmt.Sprintf("PRAGMA busy_timeout = %d", limit.Milliseconds()))
	return err
}

// LogBytes returns the size of the write-ahead log since its last restart.
func LogBytes(s *Store) (int64, error) {
	size, _, err := s.engine.checkpoints.measure(s.engine.reader)
	return size, err
}

// CheckDisk returns an error if the disk of a directory is full or read-only.
func CheckDisk(dir string) error { return checkDisk(dir) }

// Schema returns the schema of a database.
func Schema(db *sql.DB) (*schema.Schema, error) { return schemaOf(db) }
