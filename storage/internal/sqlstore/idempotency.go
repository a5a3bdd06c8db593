package sqlstore

import (
	"context"
	"errors"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/idempotency"
)

const (
	selectRecord = `SELECT fingerprint, answer, claimed_at FROM apguard_idempotency WHERE id = ?`

	insertRecord = `INSERT INTO apguard_idempotency (id, fingerprint, answer, claimed_at) VALUES (?, ?, ?, ?)`

	// deleteRecord leaves a record that another transaction has put in the place of an
	// expired one.
	deleteRecord = `DELETE FROM apguard_idempotency WHERE id = ? AND claimed_at = ?`
)

// once does the work of a command and stores its record. If the claim is zero, it only does
// the work.
//
// Two transactions may work for claims with the same ID at the same time. The one that
// inserts its record later violates the primary key, which is a conflict like any other: it
// is rolled back and retried, and then finds the record.
func once[T any](ctx context.Context, on session, claim idempotency.Claim, record func(T) idempotency.Record, work func() (T, error)) (T, error) {
	if claim.IsZero() {
		return work()
	}
	var none T
	expired, err := on.checkClaim(ctx, claim)
	if err != nil {
		return none, err
	}
	done, err := work()
	if errors.As(err, new(ContractError)) {
		// The other transaction may have caused the error, and be committed now.
		if _, repeat := on.checkClaim(ctx, claim); repeat != nil {
			err = repeat
		}
	}
	if err != nil {
		return none, err
	}
	return done, on.keep(ctx, record(done), expired)
}

// writeOnce is write for a command with a claim, which may be zero.
//
// A repetition is committed like the command that it repeats: it has locked the record. Otherwise it
// could be answered from a commit that is not yet as durable as commits have to be, because the
// database was restarted while that commit waited for a standby.
func writeOnce[T any](
	ctx context.Context, s *Store, operation string, claim idempotency.Claim, record func(T) idempotency.Record,
	step func(ctx context.Context, on session) (T, error),
) (T, error) {
	var repeated *idempotency.ReplayError
	done, err := write(ctx, s, operation, func(ctx context.Context, on session) (T, error) {
		repeated = nil
		done, err := once(ctx, on, claim, record, func() (T, error) { return step(ctx, on) })
		if errors.As(err, &repeated) {
			return done, nil
		}
		return done, err
	})
	if err == nil && repeated != nil {
		return done, repeated
	}
	return done, err
}

// checkClaim returns why the command of a claim must not be executed. If it must, checkClaim
// returns the time of the expired record, or nil if there is no record.
func (s session) checkClaim(ctx context.Context, claim idempotency.Claim) (*time.Time, error) {
	var fingerprint []byte
	stored := idempotency.Record{ID: claim.ID()}
	err := s.get(ctx, selectRecord+s.dialect.Lock, []any{stored.ID[:]}, &fingerprint, &stored.Answer, (*timeColumn)(&stored.At))
	switch {
	case errors.Is(err, errNoRow):
		return nil, nil
	case err != nil:
		return nil, err
	}
	copy(stored.Fingerprint[:], fingerprint)
	if err := claim.Check(stored); err != nil {
		return nil, ContractError{err}
	}
	return &stored.At, nil
}

// keep stores the record of an executed command, in the place of one that expired.
func (s session) keep(ctx context.Context, record idempotency.Record, expired *time.Time) error {
	if expired != nil {
		if err := s.exec(ctx, deleteRecord, record.ID[:], Millis(*expired)); err != nil {
			return err
		}
	}
	return s.exec(ctx, insertRecord, record.ID[:], record.Fingerprint[:], record.Answer, Millis(record.At))
}

// PruneIdempotency implements storage.Store.
func (s *Store) PruneIdempotency(ctx context.Context, before time.Time, limit int) (int, error) {
	return write(ctx, s, "prune idempotency records", func(ctx context.Context, on session) (int, error) {
		old, err := collect(ctx, on, s.dialect.OldRecords(before, limit), func(row Row) (id []byte, err error) {
			err = row.Scan(&id)
			return id, err
		})
		if err != nil || len(old) == 0 {
			return 0, err
		}
		return len(old), on.deleteWhere(ctx, "apguard_idempotency", squirrel.Eq{"id": old})
	})
}

// OldRecords returns the query for old records, the oldest first. It skips those that another
// transaction is deleting or replacing.
func (d Dialect) OldRecords(before time.Time, limit int) squirrel.SelectBuilder {
	return d.selectFrom("apguard_idempotency", "id").
		Where(squirrel.Lt{"claimed_at": ceilMillis(before)}).
		OrderBy("claimed_at").
		Limit(uint64(max(limit, 0))).
		Suffix(d.SkipLocked)
}
