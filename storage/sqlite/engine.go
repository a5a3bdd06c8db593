package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"strconv"
	"strings"
	"sync"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/storage/internal/sqlstore"
)

// engine implements sqlstore.Engine on pools of connections.
type engine struct {
	writer *writer
	reader *sql.DB
	// slots are those of reader.
	slots sqlstore.Slots
	// checkpoints is nil on a database of the host application.
	checkpoints *checkpoints
	// pools are closed by Close, in this order.
	pools []*sql.DB
	// file is not known on a database of the host application.
	file openFile

	running    sqlstore.Shutdown
	closing    sync.Once
	closingErr error
}

// Close waits for running steps and closes the pools.
func (e *engine) Close() error {
	e.running.Close()
	e.closing.Do(func() {
		e.writer.wait()
		e.checkpoints.wait()
		for _, pool := range e.pools {
			e.closingErr = errors.Join(e.closingErr, pool.Close())
		}
	})
	return e.closingErr
}

// during runs a function unless the engine is closed.
func (e *engine) during(ctx context.Context, operation sqlstore.Operation, run func() error) error {
	return failure(ctx, operation.Name, e.running.Run(run))
}

// reading is like during, for a step that reads. It waits for a slot.
func (e *engine) reading(ctx context.Context, operation sqlstore.Operation, run func() error) error {
	return e.during(ctx, operation, func() error { return e.slots.Run(ctx, operation.Kind, run) })
}

// Read implements sqlstore.Engine.
func (e *engine) Read(ctx context.Context, operation sqlstore.Operation, step sqlstore.Step) error {
	return e.reading(ctx, operation, func() error {
		if operation.Kind != sqlstore.Short {
			return step(ctx, &conn{on: e.reader})
		}
		on, err := e.reader.Conn(ctx) // the wait for one ends with the context
		if err != nil {
			return err
		}
		defer on.Close() //nolint:errcheck // returns it to the pool
		return step(ctx, &conn{on: on, short: true})
	})
}

// ReadOnce implements sqlstore.Engine.
func (e *engine) ReadOnce(ctx context.Context, operation sqlstore.Operation, step sqlstore.Step) error {
	return e.reading(ctx, operation, func() error {
		tx, err := beginOn(ctx, e.reader, "BEGIN DEFERRED")
		if err != nil {
			return err
		}
		defer tx.Close()   //nolint:errcheck // returns it to the pool
		defer rollBack(tx) //nolint:contextcheck // must also run after the context has ended
		return step(ctx, &conn{on: tx})
	})
}

// Write implements sqlstore.Engine.
func (e *engine) Write(ctx context.Context, operation sqlstore.Operation, step sqlstore.Step) error {
	return e.during(ctx, operation, func() error {
		return e.writer.do(ctx, step)
	})
}

func dialect() sqlstore.Dialect {
	return sqlstore.Dialect{
		Placeholders: squirrel.Question,
		Position:     "instr",
		Bytes:        func(column string) string { return "length(CAST(" + column + " AS BLOB))" }, // octet_length needs SQLite 3.43
		AnyOf:        anyOf,
		LeftJoin:     func(table, condition string) string { return " LEFT JOIN " + table + " ON " + condition },
		JoinRow: func(table, name, column string) string {
			return "JOIN " + table + " " + name + " ON " + name + ".id = " + column
		},
		ByHash:       byHash,
		InHashRanges: inHashRanges,
		InRange:      inRange,
		Reserved:     func(column string) string { return column },
		Feed:         feedDialect(),
	}
}

// anyOf passes the values as one JSON array.
func anyOf(column string, values []int64) squirrel.Sqlizer {
	array := []byte{'['}
	for i, value := range values {
		if i > 0 {
			array = append(array, ',')
		}
		array = strconv.AppendInt(array, value, 10)
	}
	return squirrel.Expr(column+" IN (SELECT value FROM json_each(?))", string(append(array, ']')))
}

const (
	// fewHashes is the largest number of hashes that byHash passes as arguments, which is
	// faster than one text and enough for the covers of an asset.
	fewHashes = 64
	// hashesStep divides their number, so that connections keep few statements.
	hashesStep = 4
)

// byHash passes a few hashes as arguments, with NULL for those that are missing, and joins
// them, as SQLite makes an index of those after IN. It passes more as one text, which the query
// cuts into pieces.
func byHash(columns string, hashes [][]byte) squirrel.Sqlizer {
	const size = sqlstore.IdentityHashSize
	if len(hashes) > fewHashes {
		return squirrel.Expr(`SELECT `+columns+` FROM apguard_assets a WHERE a.identity_hash IN (
			WITH RECURSIVE piece (start) AS (SELECT 1 UNION ALL SELECT start + ? FROM piece WHERE start < ?)
			SELECT substr(?, start, ?) FROM piece)`, size, size*(len(hashes)-1), bytes.Join(hashes, nil), size)
	}
	args := make([]any, (len(hashes)+hashesStep-1)/hashesStep*hashesStep)
	for i, hash := range hashes {
		args[i] = hash
	}
	return squirrel.Expr("WITH wanted (hash) AS (VALUES (?)"+strings.Repeat(", (?)", len(args)-1)+`)
		SELECT `+columns+` FROM wanted CROSS JOIN apguard_assets a WHERE a.identity_hash = hash`, args...)
}

// inHashRanges passes the ends as texts, as byHash does.
func inHashRanges(columns string, first, last [][]byte, limit int) squirrel.Sqlizer {
	const size = sqlstore.IdentityHashSize
	return squirrel.Expr(`WITH RECURSIVE
			piece (start) AS (SELECT 1 UNION ALL SELECT start + ? FROM piece WHERE start < ?),
			bounds (first, last) AS (SELECT substr(?, start, ?), substr(?, start, ?) FROM piece)
		SELECT `+columns+` FROM bounds CROSS JOIN apguard_assets a
		WHERE a.id IN (SELECT o.id FROM apguard_assets o WHERE o.identity_hash BETWEEN first AND last
			ORDER BY o.identity_hash LIMIT ?)`,
		size, size*(len(first)-1), bytes.Join(first, nil), size, bytes.Join(last, nil), size, limit)
}

// inRange has a condition for each column, which SQLite finds in an index that ends with
// the ID.
func inRange(ids sqlstore.IDRange) squirrel.Sqlizer {
	same := make(squirrel.And, len(ids.Columns))
	for i, column := range ids.Columns {
		same[i] = squirrel.Eq{column: ids.Values[i]}
	}
	return squirrel.And{same, squirrel.GtOrEq{ids.ID: ids.First}, squirrel.Lt{ids.ID: ids.Below}}
}
