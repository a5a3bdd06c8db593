package sqlite

import (
	"context"
	"database/sql"
	"sync"
	"sync/atomic"
	"time"
)

// Sizes of the write-ahead log, in pages. SQLite's own limit of 1,000 would copy the
// same pages again and again.
const (
	// checkpointPages start a checkpoint that runs concurrently with the writer.
	checkpointPages = 16_000
	// fewPages end it, as the writer copies the rest faster.
	fewPages = 1_000
	// tooManyPages bound the log. The writer copies them all, however long it takes.
	tooManyPages = 8 * checkpointPages
)

const (
	// maxPasses bounds how often a checkpoint follows pages written meanwhile.
	maxPasses = 5
	// maxRestarts bounds the attempts to restart the log. SQLite waits for the
	// marks of readers one after the other, and may wait in vain for a mark that a
	// newer reader has taken over. The next attempt reads the marks again.
	maxRestarts = 3
	// countRows is the number of rows written between two counts of the pages.
	countRows = 500
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

	// The limits above. Tests make them smaller.
	pages, fewPages, tooManyPages int64
	countRows                     int64

	rows    int64 // written since the last count; only the writer uses it
	tried   int64 // the size of the log at the last failed restart
	running atomic.Bool
	runs    sync.WaitGroup
}

func newCheckpoints(db *sql.DB) *checkpoints {
	return &checkpoints{
		db:           db,
		pages:        checkpointPages,
		fewPages:     fewPages,
		tooManyPages: tooManyPages,
		countRows:    countRows,
	}
}

// wait waits until no checkpoint is running.
func (c *checkpoints) wait() {
	if c != nil {
		c.runs.Wait()
	}
}

// after runs in the writer between two transactions. A checkpoint that fails loses
// nothing and is tried again after a later write.
func (c *checkpoints) after(rows int64) {
	if c.rows += rows; c.rows < c.countRows || c.running.Load() {
		return
	}
	c.rows = 0
	written, left, err := c.count()
	switch {
	case err != nil || written < c.pages || c.tried <= written && written < c.tried+c.pages:
	case left < c.pages || written >= c.tooManyPages:
		c.tried = 0
		if !c.restart() {
			c.tried = written
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
		if _, left, err := c.count(); err != nil || left < c.fewPages {
			return
		}
	}
}

// count returns the number of pages in the log, and how many of them are not copied
// yet.
func (c *checkpoints) count() (written, left int64, err error) {
	var (
		busy   bool
		copied int64
	)
	err = c.db.QueryRowContext(context.Background(), "PRAGMA wal_checkpoint(NOOP)").Scan(&busy, &written, &copied)
	return written, written - copied, err
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
