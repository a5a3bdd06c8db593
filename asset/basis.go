package asset

import "time"

// Basis says what gives an asset its status, for everybody who may see the status: not which
// organization it is, or which operator. It is zero if nothing is held on the asset; see [Held].
type Basis struct {
	// By is the kind of the source that counts.
	By Source `json:"by,omitzero"`
	// ListID and List are the ID and the name of the list, if By is [SourceList]. The name is empty if the
	// list was removed, and in a [Held].
	ListID int64  `json:"-"`
	List   string `json:"list,omitzero"`
	// Reason and Note are those of the decision. A note may also be empty because a copy does not have it.
	Reason Reason `json:"reason,omitzero"`
	Note   string `json:"note,omitzero"`
	// Since is when the decision was taken, in UTC and with whole milliseconds. For organizations, it is
	// that of the newest entry when their entries began to count. Later entries do not move it, so it
	// tells nothing about them.
	Since time.Time `json:"since,omitzero"`
}

// Known is an asset with the basis of its status.
type Known struct {
	Asset
	Basis
}

// Source is a kind of source of the status of an asset. The zero value is no source.
type Source string

// The sources.
const (
	// SourceOperator is the operators, whose decision is one.
	SourceOperator Source = "OPERATOR"
	// SourceOrganization is the organizations that have the asset on their allowlists.
	SourceOrganization Source = "ORGANIZATION"
	// SourceList is a list that is kept in sync with a file; see package lists.
	SourceList Source = "LIST"
)

// Valid reports whether s is one of the sources.
func (s Source) Valid() bool {
	return s == SourceOperator || s == SourceOrganization || s == SourceList
}

// equal reports whether both are the same, apart from the name of the list.
func (b Basis) equal(other Basis) bool {
	sameTime := b.Since.Equal(other.Since)
	b.Since, b.List, other.List = other.Since, "", ""
	return sameTime && b == other
}
