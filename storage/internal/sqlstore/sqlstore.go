// Package sqlstore implements storage.Store once for all SQL databases. Each method is
// a step of portable statements.
//
// An adapter supplies an [Engine], which runs steps on connections, a [Conn], which
// runs statements with its driver and implements those that differ, and a [Dialect].
package sqlstore

import (
	"errors"
	"strings"
	"sync"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage"
)

// Dialect has the parts of statements that differ between databases.
type Dialect struct {
	Placeholders squirrel.PlaceholderFormat
	// Position is the name of the function that returns the position of its second
	// argument in its first, from 1, or 0 if there is none.
	Position string
	// Bytes returns the number of bytes of a text.
	Bytes func(column string) string
	// AnyOf returns the condition that the column has one of the values. It passes
	// the values as one argument, as databases limit the number of arguments.
	AnyOf func(column string, values []int64) squirrel.Sqlizer
	// JoinRow returns the join with the row of the table that has the ID in the column, under the
	// name. It looks up each ID, even with a plan from when the tables were small.
	JoinRow func(table, name, column string) string
	// LeftJoin returns the left join with the rows of the table, which has a name, that meet the
	// condition. It looks them up in the same way.
	LeftJoin func(table, condition string) string
	// ByHash returns the query for columns of the assets, named a, that have one of the hashes as
	// identity_hash. It passes many as one argument for the same reason.
	ByHash func(columns string, hashes [][]byte) squirrel.Sqlizer
	// InHashRanges returns the query for columns of the assets, named a, in each range of
	// identity_hash, but for no more than limit of them. The ranges include their ends.
	InHashRanges func(columns string, first, last [][]byte, limit int) squirrel.Sqlizer
	// InRange returns the condition that a row is in the range. The database reads the
	// range in an index with these columns, and nothing besides it.
	InRange func(IDRange) squirrel.Sqlizer
	// Reserved returns a column as it stands first in an index that only queries for this
	// expression use. A database that expects few rows could otherwise read the index for
	// another query, and skip rows that are not part of its result.
	Reserved func(column string) string
	// OrderedParts says that the database merges the parts of a union only if each has the
	// order of the union. Another database would then sort them.
	OrderedParts bool
	// ReusePlan, unless empty, is a statement that is queued before a query whose planning takes
	// longer than its execution. The database then uses one plan for all arguments.
	ReusePlan string
	// RenewPlan, unless empty, is a statement that is queued before a query whose execution takes
	// much longer than its planning. The database then plans for the size that the tables have now.
	RenewPlan string
	// Lock is the suffix of a query that locks its rows until the end of the
	// transaction. It is empty for a database with a single writer.
	Lock string
	// SkipLocked is like Lock, but the query omits rows that another transaction has
	// locked.
	SkipLocked string
	// CommitLocally, unless empty, makes a transaction not wait for other servers. It is for
	// a short step whose loss in a failover does no harm.
	CommitLocally string
	// AfterImport, unless empty, is run at the end of an import.
	AfterImport string
	// Feed has the dialect of the feed.
	Feed FeedDialect
}

// IDRange are rows that have the same values in some columns, with the IDs from First to
// the one before Below.
type IDRange struct {
	Columns      []string
	Values       []any
	ID           string // the column
	First, Below int64
}

// Tables returns all tables with data of the service, each before the tables that
// refer to it.
func Tables() []string {
	return []string{
		"apguard_organizations",
		"apguard_groups",
		"apguard_users",
		"apguard_keys",
		"apguard_assets",
		"apguard_decisions",
		"apguard_changes",
		"apguard_allowlist",
		"apguard_disputes",
		"apguard_dispute_notes",
		"apguard_dispute_events",
		"apguard_reports",
		"apguard_proposals",
		"apguard_reviews",
		"apguard_idempotency",
		"apguard_webhooks",
		"apguard_lists",
		"apguard_pending",
		"apguard_audit",
	}
}

// errNoID reports that an identifier of the caller leaves no larger one.
var errNoID = errors.New("out of identifiers")

// CheckID returns an error for an identifier of the database that is outside of the
// range of the service.
func CheckID(id int64) error {
	if !asset.ValidID(id) {
		return errNoID
	}
	return nil
}

// OrCanonical returns the submitted content of an asset as it is stored: nil, for
// NULL, if it is the canonical form.
func OrCanonical(content, canonical string) *string {
	if content == canonical {
		return nil
	}
	return &content
}

func (d Dialect) contains(column, text string) squirrel.Sqlizer {
	return squirrel.Expr(d.Position+"("+column+", ?) > 0", text)
}

func (d Dialect) selectFrom(table string, columns ...string) squirrel.SelectBuilder {
	return squirrel.Select(columns...).From(table).PlaceholderFormat(d.Placeholders)
}

// anyRow returns the query whether any of the tables has a row.
func anyRow() string {
	return "SELECT EXISTS (SELECT 1 FROM " + strings.Join(Tables(), ") OR EXISTS (SELECT 1 FROM ") + ")"
}

// Shutdown lets an engine close after its last step. The zero value is open.
type Shutdown struct {
	mu     sync.Mutex
	closed bool
	steps  sync.WaitGroup // not added to once closed is set
}

// Run runs a step. After Close it returns storage.ErrClosed instead.
func (s *Shutdown) Run(step func() error) error {
	end, err := s.Begin()
	if err != nil {
		return err
	}
	defer end()
	return step()
}

// Begin begins a step, and returns the function that ends it. After Close it returns
// storage.ErrClosed instead.
func (s *Shutdown) Begin() (end func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, storage.ErrClosed
	}
	s.steps.Add(1)
	return s.steps.Done, nil
}

// Close refuses further steps and waits for those that are running. It may be called
// more than once.
func (s *Shutdown) Close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.steps.Wait()
}
