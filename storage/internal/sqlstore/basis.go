package sqlstore

import (
	"database/sql"
	"time"

	"github.com/apguard/apguard/asset"
)

// BasisColumns are the columns of the basis of a status, in assets and in changes. since is NULL if it is
// changed_at.
const BasisColumns = `source, reason, since, note`

// Values of source that are neither operators nor the ID of a list.
const (
	organizations = -2
	nothing       = -3
)

// SourceCode returns the source of a basis: operators, organizations, the ID of the list, or nothing.
func SourceCode(basis asset.Basis) int64 {
	switch basis.By {
	case asset.SourceOperator:
		return operators
	case asset.SourceOrganization:
		return organizations
	case asset.SourceList:
		return basis.ListID
	default:
		return nothing
	}
}

// since returns the value of since, which is nil for changedAt.
func since(basis asset.Basis, changedAt time.Time) any {
	if basis.Since.Equal(changedAt) {
		return nil
	}
	return Millis(basis.Since)
}

// basisOf returns the columns of scannedBasis of the table with the name.
func basisOf(name string) string {
	return name + ".source, " + name + ".reason, COALESCE(" + name + ".since, " + name + ".changed_at), " + name + ".note"
}

// listOf returns the column with the name of the list that is the source of the table with the name, or NULL.
func listOf(name string) string {
	return "CASE WHEN " + name + ".source > 0 THEN (SELECT l.name FROM apguard_lists l WHERE l.id = " + name + ".source) END"
}

// scannedBasis holds the columns of basisOf.
type scannedBasis struct {
	source, reason, since int64
	note                  string
}

func (s *scannedBasis) dest() []any { return []any{&s.source, &s.reason, &s.since, &s.note} }

func (s *scannedBasis) value() (basis asset.Basis, err error) {
	switch s.source {
	case nothing:
		return asset.Basis{}, nil
	case operators:
		basis.By = asset.SourceOperator
	case organizations:
		basis.By = asset.SourceOrganization
	default:
		basis.By, basis.ListID = asset.SourceList, s.source
	}
	basis.Note, basis.Since = s.note, Time(s.since)
	basis.Reason, err = reasonCodes.value(s.reason)
	return basis, err
}

// namedBasis holds the columns of basisOf and that of listOf.
type namedBasis struct {
	scannedBasis
	list sql.NullString
}

func (s *namedBasis) dest() []any { return append(s.scannedBasis.dest(), &s.list) }

func (s *namedBasis) value() (asset.Basis, error) {
	basis, err := s.scannedBasis.value()
	basis.List = s.list.String
	return basis, err
}
