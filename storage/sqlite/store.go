package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"sync"
	"time"

	"github.com/apguard/apguard/storage"
)

var _ storage.Store = (*Store)(nil)

// The waits between two attempts to write, while another store writes.
const (
	firstBusyWait = time.Millisecond
	lastBusyWait  = 20 * time.Millisecond
)

// Store is a store in one SQLite file. [Open] makes one. It is safe for
// concurrent use.
//
// Errors that a domain package names are returned as they are. Any other error
// begins with "sqlite:" and the name of the operation, and may be one of this
// package or storage.ErrClosed.
type Store struct {
	writer      *sql.DB // has one connection
	reader      *sql.DB
	busyTimeout time.Duration

	mu       sync.Mutex
	closed   bool
	underWay sync.WaitGroup // calls; none is added once closed is set

	closing    sync.Once
	closingErr error
}

// Close waits for calls under way, moves what is written ahead into the database
// file, and closes it. Later calls return storage.ErrClosed.
func (s *Store) Close() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.underWay.Wait()
	s.closing.Do(func() {
		// The writer goes last: it is the one that may tidy the files up.
		s.closingErr = errors.Join(s.reader.Close(), s.writer.Close())
	})
	return s.closingErr
}

// enter notes that a call begins. Without error, the call ends with
// s.underWay.Done.
func (s *Store) enter() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return storage.ErrClosed
	}
	s.underWay.Add(1)
	return nil
}

// read runs fn on the reading connections. Each statement of it sees the database
// at a moment of its own.
func read[T any](ctx context.Context, s *Store, operation string, fn func(db *sql.DB) (T, error)) (T, error) {
	var none T
	if err := s.enter(); err != nil {
		return none, failure(ctx, operation, err)
	}
	defer s.underWay.Done()
	result, err := fn(s.reader)
	if err != nil {
		return none, failure(ctx, operation, err)
	}
	return result, nil
}

// readOnce is like read, but all statements see the database at one moment.
func readOnce[T any](ctx context.Context, s *Store, operation string, fn func(tx *sql.Tx) (T, error)) (T, error) {
	return read(ctx, s, operation, func(db *sql.DB) (T, error) {
		var none T
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return none, err
		}
		defer tx.Rollback() //nolint:errcheck // there is nothing to undo
		return fn(tx)
	})
}

// write runs fn in a transaction, which is committed when fn returns no error.
//
// The end of ctx rolls the transaction back between two statements. A single
// statement is too short to be worth interrupting, so fn gets a context without
// end, which saves the driver much of its work.
func write[T any](ctx context.Context, s *Store, operation string, fn func(ctx context.Context, tx *transaction) (T, error)) (T, error) {
	var none T
	if err := s.enter(); err != nil {
		return none, failure(ctx, operation, err)
	}
	defer s.underWay.Done()
	tx, err := s.begin(ctx)
	if err != nil {
		return none, failure(ctx, operation, err)
	}
	defer tx.Rollback() //nolint:errcheck // after a commit there is nothing to undo
	result, err := fn(context.WithoutCancel(ctx), newTransaction(tx))
	if err != nil {
		return none, failure(ctx, operation, err)
	}
	if err := tx.Commit(); err != nil {
		return none, failure(ctx, operation, err)
	}
	return result, nil
}

// begin starts a writing transaction as soon as no other is under way.
func (s *Store) begin(ctx context.Context) (tx *sql.Tx, err error) {
	err = whileBusy(ctx, s.busyTimeout, func() error {
		tx, err = s.writer.BeginTx(ctx, nil)
		return err
	})
	return tx, err
}

// whileBusy repeats try while another store keeps the database locked, at most
// for the given time. SQLite would wait by itself, but not heed the context.
func whileBusy(ctx context.Context, limit time.Duration, try func() error) error {
	var deadline time.Time
	for wait := firstBusyWait; ; wait = min(2*wait, lastBusyWait) {
		err := try()
		switch {
		case !errors.Is(meaningOf(err), ErrBusy):
			return err
		case deadline.IsZero():
			deadline = time.Now().Add(limit)
		case time.Now().After(deadline):
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
	}
}
