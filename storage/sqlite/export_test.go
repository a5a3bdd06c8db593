package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/apguard/apguard/storage/internal/sqlstore"
)

// Dialect returns the dialect of the statements.
func Dialect() sqlstore.Dialect { return dialect() }

// Pools returns the connections of a store.
func Pools(s *Store) (writer, reader *sql.DB) { return s.engine.writer.db, s.engine.reader }

// MaxSharedSteps is the largest number of steps that share a transaction.
const MaxSharedSteps = maxSharedSteps

// Waiting returns the number of steps that wait for a transaction.
func Waiting(s *Store) int {
	q := &s.engine.writer.queue
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.waiting)
}

// SetCheckpointPages sets the number of pages that start a checkpoint, and scales the other
// limits. It returns the number of pages that bounds the write-ahead log. The store must not
// have written yet.
func SetCheckpointPages(s *Store, pages int64) (tooMany int64) {
	c := s.engine.checkpoints
	c.countRows = c.countRows * pages / c.pages
	c.fewPages = c.fewPages * pages / c.pages
	c.tooManyPages = c.tooManyPages * pages / c.pages
	c.pages = pages
	return c.tooManyPages
}

// SetReadersWait sets how long the writer waits for readers before the write-ahead log
// restarts.
func SetReadersWait(s *Store, limit time.Duration) error {
	_, err := s.engine.checkpoints.db.ExecContext(context.Background(), fmt.Sprintf("PRAGMA busy_timeout = %d", limit.Milliseconds()))
	return err
}

// LogPages returns the number of pages in the write-ahead log since its last restart.
func LogPages(s *Store) (int64, error) {
	written, _, err := s.engine.checkpoints.count()
	return written, err
}

// CheckDisk returns an error if the disk of a directory is full or read-only.
func CheckDisk(dir string) error { return checkDisk(dir) }
