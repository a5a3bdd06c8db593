package sqlite

import (
	"context"
	"database/sql"
	"sync"
	"sync/atomic"
	"time"
)

// Sizes of the write-ahead log, in bytes. SQLite's own limit of 1,000 pages would copy the
// same pages again and again.
const (
	// checkpointBytes start a checkpoint that runs concurrently with the writer.
	checkpointBytes = 64 << 20
	// fewBytes end it, as the writer copies the rest faster.
	fewBytes = 4 << 20
	// tooManyBytes bound the log, unless a reader prevents it. The writer copies them all,
	// however long it takes.
	tooManyBytes = 8 * checkpointBytes
)

// frameHeader is what the log adds to a page, in bytes.
const frameHeader = 24

const (
	// maxPasses bounds how often a checkpoint follows pages written meanwhile.
	maxPasses = 5
	// maxRestarts bounds the attempts to restart the log. SQLite waits for the
	// marks of readers one after the other, and may wait in vain for a mark that a
	// newer reader has taken over. The next attempt reads the marks again.
	maxRestarts = 3
	// countBytes is about how many bytes are written between two measurements of the log.
	countBytes = 100 << 10
	// readersWait bounds each attempt. Reading a page takes less.
	readersWait = 100 * time.Millisecond
)

// checkpoints copy the write-ahead log into the database file, on a connection of
// their own so that the writer does not wait. They are PASSIVE: they copy what they
// can without waiting for readers or blocking them.
//
// SQLite restarts the log at its beginning once all of it is copied and no reader
// uses it. A continuous load of writes or overlapping readers would prevent that.
// So the writer itself copies the last pages and waits briefly for readers.
type checkpoints struct {
	db *sql.DB // has one connection
	// writing is the connection of the writer, which measures the log with it: the other
	// one may be busy with a checkpoint.
	writing *sql.DB
	// pageSize is set before the first write.
	pageSize int64

	// The limits above. Tests make them smaller.
	bytes, fewBytes, tooManyBytes int64
	countBytes                    int64

	written int64 // since the last measurement; only the writer uses it
	tried   int64 // the size of the log at the last failed restart
	running atomic.Bool
	runs    sync.WaitGroup
}

func newCheckpoints(db, writing *sql.DB) *checkpoints {
	return &checkpoints{
		db:           db,
		writing:      writing,
		bytes:        checkpointBytes,
		fewBytes:     fewBytes,
		tooManyBytes: tooManyBytes,
		countBytes:   countBytes,
	}
}

// prepare reads the size of pages.
func (c *checkpoints) prepare(ctx context.Context) error {
	return c.writing.QueryRowContext(ctx, "PRAGMA page_size").Scan(&c.pageSize)
}

// wait waits until no checkpoint is running.
func (c *checkpoints) wait() {
	if c != nil {
		c.runs.Wait()
	}
}

// after runs in the writer between two transactions. A checkpoint that fails loses
// nothing and is tried again after a later write.
func (c *checkpoints) after(bytes int64) {
	if c.written += bytes; c.written < c.countBytes {
		return
	}
	c.written = 0
	size, left, err := c.measure(c.writing)
	tooMany := size >= c.tooManyBytes
	switch {
	case err != nil || size < c.bytes || c.tried <= size && size < c.tried+c.bytes:
	case c.running.Load() && !tooMany:
	case left < c.bytes || tooMany:
		c.wait() // for a checkpoint that is slower than the writer
		c.tried = 0
		if !c.restart() {
			c.tried = size
		}
	default:
		c.running.Store(true)
		c.runs.Go(func() {
			defer c.running.Store(false)
			c.catchUp()
		})
	}
}

// catchUp copies pages until few are left, while the writer adds others.
func (c *checkpoints) catchUp() {
	for range maxPasses {
		if err := c.copyPages(); err != nil {
			return
		}
		if _, left, err := c.measure(c.db); err != nil || left < c.fewBytes {
			return
		}
	}
}

// measure returns the size of the log since its last restart, and how much of it is not
// copied yet.
func (c *checkpoints) measure(on *sql.DB) (size, left int64, err error) {
	var (
		busy           bool
		frames, copied int64
	)
	err = on.QueryRowContext(context.Background(), "PRAGMA wal_checkpoint(NOOP)").Scan(&busy, &frames, &copied)
	frame := c.pageSize + frameHeader
	return frames * frame, (frames - copied) * frame, err
}

// copyPages copies as many pages as readers allow.
func (c *checkpoints) copyPages() error {
	_, err := c.db.ExecContext(context.Background(), "PRAGMA wal_checkpoint(PASSIVE)")
	return err
}

// restart copies all pages, so that the next write restarts the log. It reports
// whether readers allowed that.
func (c *checkpoints) restart() bool {
	for range maxRestarts {
		var (
			busy            bool
			written, copied int64
		)
		err := c.db.QueryRowContext(context.Background(), "PRAGMA wal_checkpoint(RESTART)").Scan(&busy, &written, &copied)
		if err != nil || !busy {
			return err == nil
		}
	}
	return false
}
