// Package sqlstore is the store on an SQL database, but for the database: every
// step of storage.Store is written here once, as statements that all databases
// know.
//
// An adapter adds its [Engine], which gives each step a connection, its [Conn],
// which runs statements with its driver and has the few that differ, and its
// [Dialect].
package sqlstore

import (
	"crypto/sha256"
	"errors"
	"strings"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/asset"
)

// Dialect is where the texts of statements differ.
type Dialect struct {
	Placeholders squirrel.PlaceholderFormat
	// Position names the function of two texts that returns where the second
	// stands in the first, counted from 1, and 0 when it does not.
	Position string
	// AnyOf returns the condition that the column has one of the values. The
	// values are one argument, as databases limit how many there may be.
	AnyOf func(column string, values []int64) squirrel.Sqlizer
	// Lock ends a query whose rows no other transaction may change until the end
	// of this one. It is empty where one transaction writes at a time.
	Lock string
	// Following is how followers are led along the changes.
	Following Following
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
		"apguard_reviews",
	}
}

// Hash returns the SHA-256 of a canonical form. It stands for the form in the
// index of identities, as the form itself can be too long for one.
func Hash(canonical string) []byte {
	sum := sha256.Sum256([]byte(canonical))
	return sum[:]
}

// errNoID: an identifier that the caller gave leaves no larger one.
var errNoID = errors.New("the largest identifier is taken")

// CheckID returns an error when an identifier that the database gave cannot be
// one of the service.
func CheckID(id int64) error {
	if !asset.ValidID(id) {
		return errNoID
	}
	return nil
}

// OrNull returns the identifier, or NULL when there is none.
func OrNull(id int64) any {
	if id == 0 {
		return nil
	}
	return id
}

func (d Dialect) contains(column, text string) squirrel.Sqlizer {
	return squirrel.Expr(d.Position+"("+column+", ?) > 0", text)
}

func (d Dialect) selectFrom(table string, columns ...string) squirrel.SelectBuilder {
	return squirrel.Select(columns...).From(table).PlaceholderFormat(d.Placeholders)
}

// anyRow is the query whether any of the Tables holds a row.
func anyRow() string {
	return "SELECT EXISTS (SELECT 1 FROM " + strings.Join(Tables(), ") OR EXISTS (SELECT 1 FROM ") + ")"
}
