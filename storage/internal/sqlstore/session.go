package sqlstore

import (
	"context"
	"errors"
	"iter"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/step"
	"github.com/apguard/apguard/storage"
)

var _ storage.Store = (*Store)(nil)

// Store implements storage.Store on an engine.
type Store struct {
	engine  Engine
	dialect Dialect
}

// New returns the store on the engine.
func New(engine Engine, dialect Dialect) *Store {
	return &Store{engine: engine, dialect: dialect}
}

// Close closes the engine.
func (s *Store) Close() error { return s.engine.Close() }

// session is the connection of one step.
type session struct {
	Conn
	dialect Dialect
	// changed counts the changes that the step has recorded, by their To. Nil counts none.
	changed map[asset.Status]int
}

// RecordChanges implements Conn.
func (s session) RecordChanges(ctx context.Context, changes []RecordedChange) error {
	for i := range changes {
		s.countChange(&changes[i].Change)
	}
	return s.Conn.RecordChanges(ctx, changes)
}

func (s session) countChange(change *asset.Change) {
	if s.changed != nil && change.OfStatus() {
		s.changed[change.To]++
	}
}

// run is a method of the engine that runs a step.
type run func(ctx context.Context, operation Operation, step Step) error

// result runs a step that returns a value.
func result[T any](ctx context.Context, s *Store, run run, operation Operation, step func(ctx context.Context, on session) (T, error)) (T, error) {
	var got T
	err := run(ctx, operation, func(ctx context.Context, on Conn) (err error) {
		got, err = step(ctx, session{Conn: on, dialect: s.dialect})
		return err
	})
	if err != nil {
		var none T
		return none, err
	}
	return got, nil
}

func short(name string) Operation   { return Operation{Name: name, Kind: Short} }
func listing(name string) Operation { return Operation{Name: name, Kind: List} }

func read[T any](ctx context.Context, s *Store, operation Operation, step func(ctx context.Context, on session) (T, error)) (T, error) {
	return result(ctx, s, s.engine.Read, operation, step)
}

// list is a step that returns the rows of a query.
func list[T any](ctx context.Context, s *Store, operation string, query squirrel.Sqlizer, scan func(Row) (T, error)) ([]T, error) {
	return read(ctx, s, listing(operation), func(ctx context.Context, on session) ([]T, error) {
		return collect(ctx, on, query, scan)
	})
}

// page is a step that returns a page of the rows of a query. The query has the limit of
// rowLimit.
func page[T step.PageItem](ctx context.Context, s *Store, operation string, limit int, query squirrel.Sqlizer, scan func(Row) (T, error)) (step.Page[T], error) {
	return read(ctx, s, listing(operation), func(ctx context.Context, on session) (step.Page[T], error) {
		return readPage(ctx, on, limit, query, scan)
	})
}

func readOnce[T any](ctx context.Context, s *Store, operation Operation, step func(ctx context.Context, on session) (T, error)) (T, error) {
	return result(ctx, s, s.engine.ReadOnce, operation, step)
}

// write runs a step that writes, and reports the changes that it has recorded.
func write[T any](ctx context.Context, s *Store, operation string, step func(ctx context.Context, on session) (T, error)) (T, error) {
	count := storage.ChangeCounter(ctx)
	var changed map[asset.Status]int
	got, err := result(ctx, s, s.engine.Write, Operation{Name: operation, Kind: Write}, func(ctx context.Context, on session) (T, error) {
		if count != nil {
			changed = make(map[asset.Status]int) // a step may run again
		}
		on.changed = changed
		return step(ctx, on)
	})
	if err == nil {
		for to, n := range changed {
			count(to, n)
		}
	}
	return got, err
}

// do runs a step that writes and returns no value.
func (s *Store) do(ctx context.Context, operation string, step func(ctx context.Context, on session) error) error {
	_, err := write(ctx, s, operation, func(ctx context.Context, on session) (struct{}, error) { return struct{}{}, step(ctx, on) })
	return err
}

// errNoRow reports that a query for a single row found none.
var errNoRow = errors.New("no row")

// exec runs a statement with question marks as placeholders.
func (s session) exec(ctx context.Context, statement string, args ...any) error {
	_, err := s.change(ctx, statement, args...)
	return err
}

// queue is exec for a statement that may run later; see Conn.
func (s session) queue(ctx context.Context, statement string, args ...any) error {
	statement, err := s.dialect.Placeholders.ReplacePlaceholders(statement)
	if err != nil {
		return err
	}
	return s.Queue(ctx, statement, args...)
}

// set queues a statement of the dialect that changes a setting, unless it is empty.
func (s session) set(ctx context.Context, statement string) error {
	if statement == "" {
		return nil
	}
	return s.Queue(ctx, statement)
}

// queueBuilt is queue for a statement of squirrel.
func (s session) queueBuilt(ctx context.Context, statement squirrel.Sqlizer) error {
	text, args, err := statement.ToSql()
	if err != nil {
		return err
	}
	return s.queue(ctx, text, args...)
}

// change is exec that returns the number of rows written.
func (s session) change(ctx context.Context, statement string, args ...any) (int64, error) {
	statement, err := s.dialect.Placeholders.ReplacePlaceholders(statement)
	if err != nil {
		return 0, err
	}
	return s.Exec(ctx, statement, args...)
}

// insert runs an INSERT with question marks as placeholders. It returns the
// identifier of the new row, or 0 after ON CONFLICT DO NOTHING.
func (s session) insert(ctx context.Context, statement string, args ...any) (int64, error) {
	statement, err := s.dialect.Placeholders.ReplacePlaceholders(statement)
	if err != nil {
		return 0, err
	}
	id, err := s.Insert(ctx, statement, args...)
	if err != nil || id == 0 {
		return 0, err
	}
	return id, CheckID(id)
}

// get runs a query with question marks as placeholders and scans its single row. It
// returns errNoRow if there is none.
func (s session) get(ctx context.Context, query string, args []any, dest ...any) error {
	_, err := collectOne(ctx, s, squirrel.Expr(query, args...), func(row Row) (struct{}, error) {
		return struct{}{}, row.Scan(dest...)
	})
	return err
}

// collectOne returns the single row of a query. It returns errNoRow if there is none.
func collectOne[T any](ctx context.Context, s session, query squirrel.Sqlizer, scan func(Row) (T, error)) (T, error) {
	found, err := collect(ctx, s, query, scan)
	if err == nil && len(found) == 0 {
		err = errNoRow
	}
	if err != nil {
		var none T
		return none, err
	}
	return found[0], nil
}

// collect runs a query, whose placeholders may be question marks, and returns the scanned
// rows.
func collect[T any](ctx context.Context, s session, query squirrel.Sqlizer, scan func(Row) (T, error)) ([]T, error) {
	var all []T
	for one, err := range scanned(ctx, s, query, scan) {
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

// readPage is like collect, for the rows of a page. The query has the limit of rowLimit.
func readPage[T step.PageItem](ctx context.Context, s session, limit int, query squirrel.Sqlizer, scan func(Row) (T, error)) (step.Page[T], error) {
	return step.ReadPage(limit, scanned(ctx, s, query, scan))
}

// rowLimit returns the limit of the query for a page. One row more than the page has tells
// that there are more.
func rowLimit(limit int) uint64 {
	return uint64(max(limit, 0)) + 1
}

// scanned runs a query, whose placeholders may be question marks, and yields the scanned
// rows. An error comes last.
func scanned[T any](ctx context.Context, s session, query squirrel.Sqlizer, scan func(Row) (T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		rows, err := s.rows(ctx, query)
		if err != nil {
			yield(none, err)
			return
		}
		defer rows.Close() //nolint:errcheck // rows.Err returns the error
		for rows.Next() {
			one, err := scan(rows)
			if !yield(one, err) || err != nil {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(none, err)
		}
	}
}

// rows runs a query, whose placeholders may be question marks. The caller closes the rows.
func (s session) rows(ctx context.Context, query squirrel.Sqlizer) (Rows, error) {
	text, args, err := query.ToSql()
	if err != nil {
		return nil, err
	}
	text, err = s.dialect.Placeholders.ReplacePlaceholders(text)
	if err != nil {
		return nil, err
	}
	return s.Query(ctx, text, args...)
}
