// Package sqlstore is what the stores on SQL databases share: the queries whose
// shape depends on a filter, how values stand in columns, and how rows are read.
//
// It runs nothing. A store hands over its [Dialect], runs what comes back on its
// own driver, and scans each row with one of the Scan functions.
package sqlstore

import (
	"crypto/sha256"
	"strings"

	"github.com/Masterminds/squirrel"
)

// Dialect is where the databases differ.
type Dialect struct {
	Placeholders squirrel.PlaceholderFormat
	// Position names the function of two texts that returns where the second
	// stands in the first, counted from 1, and 0 when it does not.
	Position string
	// AnyOf returns the condition that the column has one of the values. The
	// values are one argument, as databases limit how many there may be.
	AnyOf func(column string, values []int64) squirrel.Sqlizer
}

// Row is one row of a result; the rows of database/sql and of pgx have it.
type Row interface {
	Scan(dest ...any) error
}

// Tables are all tables with data of the service, each before those that it is
// referred to by.
func Tables() []string {
	return []string{
		"apguard_organizations",
		"apguard_groups",
		"apguard_users",
		"apguard_keys",
		"apguard_assets",
		"apguard_changes",
		"apguard_allowlist",
		"apguard_disputes",
		"apguard_dispute_notes",
		"apguard_reports",
		"apguard_proposals",
	}
}

// AnyRow returns the query whether any of the [Tables] holds a row.
func AnyRow() string {
	return "SELECT EXISTS (SELECT 1 FROM " + strings.Join(Tables(), ") OR EXISTS (SELECT 1 FROM ") + ")"
}

// Hash returns the SHA-256 of a canonical form. It stands for the form in the
// index of identities, as the form itself can be too long for one.
func Hash(canonical string) []byte {
	sum := sha256.Sum256([]byte(canonical))
	return sum[:]
}

func (d Dialect) contains(column, text string) squirrel.Sqlizer {
	return squirrel.Expr(d.Position+"("+column+", ?) > 0", text)
}

func (d Dialect) selectFrom(table string, columns ...string) squirrel.SelectBuilder {
	return squirrel.Select(columns...).From(table).PlaceholderFormat(d.Placeholders)
}
