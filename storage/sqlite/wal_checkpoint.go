package sqlite

import (
	"context"
	"database/sql"
	"sync"
	"sync/atomic"
	"time"
)

// When what is written ahead is moved into the database, in pages. SQLite's own
// limit of 1,000 makes it move the same pages again and again.
const (
	// checkpointPages are moved beside the writer.
	checkpointPages = 16_000
	// fewPages are so few that going after them beside the writer is not worth it.
	fewPages = 1_000
	// tooManyPages bound the file: the writer moves them, however long it takes.
	tooManyPages = 8 * checkpointPages
)

// maxPasses is how often a checkpoint goes after what was written meanwhile.
const maxPasses = 5

// maxRestarts is how often the writer tries to begin the file anew. SQLite waits for
// the places of readers one after the other, and may wait in vain for one that newer
// readers have taken over, which the next attempt knows.
const maxRestarts = 3

// lookRows is how many rows are written before the pages are counted again.
const lookRows = 500

// readersWait is how long each of these attempts waits for readers to go on from the
// file. Reading a page takes less.
const readersWait = 100 * time.Millisecond

// checkpoints move what is written ahead into the database file, on a connection
// of their own, so that writers do not wait. They are PASSIVE ones: they neither
// wait for readers nor keep them waiting, and do what they can.
//
// SQLite begins the write-ahead file anew when all of it has been moved and nobody
// reads from it at the moment of a write. Writers that never rest, or readers that
// relieve each other, would keep that from happening, so the writer itself moves
// the few pages that are left in the end, and waits a little for readers.
type checkpoints struct {
	db *sql.DB // has one connection

	// The constants, which are too large for tests.
	pages, fewPages, tooManyPages int64
	lookRows                      int64

	rows    int64 // written since the last look; the writer's own
	tried   int64 // how many pages there were when the file could not be begun anew
	running atomic.Bool
	runs    sync.WaitGroup
}

func newCheckpoints(db *sql.DB) *checkpoints {
	return &checkpoints{
		db:           db,
		pages:        checkpointPages,
		fewPages:     fewPages,
		tooManyPages: tooManyPages,
		lookRows:     lookRows,
	}
}

// wait waits until no checkpoint is under way.
func (c *checkpoints) wait() {
	if c != nil {
		c.runs.Wait()
	}
}

// after is called by the writer between two transactions.
//
// A checkpoint that fails loses nothing and is tried again after a later write.
func (c *checkpoints) after(rows int64) {
	if c.rows += rows; c.rows < c.lookRows || c.running.Load() {
		return
	}
	c.rows = 0
	written, left, err := c.look()
	switch {
	case err != nil || written < c.pages || c.tried <= written && written < c.tried+c.pages:
	case left < c.pages || written >= c.tooManyPages:
		c.tried = 0
		if !c.beginAnew() {
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

// catchUp moves pages until few are left, while others are written.
func (c *checkpoints) catchUp() {
	for range maxPasses {
		if err := c.move(); err != nil {
			return
		}
		if _, left, err := c.look(); err != nil || left < c.fewPages {
			return
		}
	}
}

// look returns how many pages are written ahead, and how many of them are left to
// be moved.
func (c *checkpoints) look() (written, left int64, err error) {
	var (
		busy  bool
		moved int64
	)
	err = c.db.QueryRowContext(context.Background(), "PRAGMA wal_checkpoint(NOOP)").Scan(&busy, &written, &moved)
	return written, written - moved, err
}

// move moves what can be moved.
func (c *checkpoints) move() error {
	_, err := c.db.ExecContext(context.Background(), "PRAGMA wal_checkpoint(PASSIVE)")
	return err
}

// beginAnew moves everything, so that the next write begins the file anew. It
// reports whether no reader has kept it from that.
func (c *checkpoints) beginAnew() bool {
	for range maxRestarts {
		var (
			busy           bool
			written, moved int64
		)
		err := c.db.QueryRowContext(context.Background(), "PRAGMA wal_checkpoint(RESTART)").Scan(&busy, &written, &moved)
		if err != nil || !busy {
			return err == nil
		}
	}
	return false
}
