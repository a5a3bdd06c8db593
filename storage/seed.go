package storage

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/report"
)

// Seed is the initial content of an empty store, for JSON files written by people. The
// file sets the IDs of organizations, groups, users and reports. Assets, changes,
// proposals and reviews get IDs from 1 in the order of the file. Times are truncated
// to milliseconds, and must be in the years 1 to 9999 in UTC.
type Seed struct {
	Organizations []SeedOrganization `json:"organizations,omitempty"`
	Users         []account.User     `json:"users,omitempty"`
	Keys          []SeedKey          `json:"keys,omitempty"`
	Assets        []SeedAsset        `json:"assets,omitempty"`
	Reports       []SeedReport       `json:"reports,omitempty"`
	// Audit is recorded in the same step, unless it is zero or the seed is empty. No file has it.
	Audit audit.Entry `json:"-"`
}

// SeedOrganization is an organization with its groups.
type SeedOrganization struct {
	ID     int64       `json:"id"`
	Slug   string      `json:"slug"`
	Name   string      `json:"name"`
	Groups []SeedGroup `json:"groups,omitempty"`
}

// SeedGroup is a group of the organization that contains it.
type SeedGroup struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

// SeedKey is an API key in plain text. Only its hash is stored.
type SeedKey struct {
	Key string `json:"key"`
	// Organization is the slug of an organization in the seed, or empty for a key without
	// an organization.
	Organization string `json:"organization,omitempty"`
	// User is the ID of a user in the seed, or 0 for a key without a user.
	User int64 `json:"user,omitempty"`
	// Name is an optional label.
	Name   string          `json:"name,omitempty"`
	Scopes []account.Scope `json:"scopes"`
	// CreatedAt is optional. The zero time means unknown.
	CreatedAt time.Time `json:"createdAt,omitzero"`
	// ExpiresAt is optional and may be in the past. The zero time means never.
	ExpiresAt time.Time `json:"expiresAt,omitzero"`
}

// SeedAsset is an asset. If its status is not UNKNOWN, the changelog gets one change,
// from UNKNOWN to that status at ChangedAt.
type SeedAsset struct {
	Content string `json:"content"`
	// Status is UNKNOWN if empty.
	Status    asset.Status `json:"status,omitempty"`
	ChangedAt time.Time    `json:"changedAt,omitzero"`
}

// SeedReport is a report. Its status follows from its proposals.
type SeedReport struct {
	ID int64 `json:"id"`
	// Organization is the slug of an organization in the seed.
	Organization string `json:"organization"`
	Title        string `json:"title"`
	Description  string `json:"description"`
	BrandID      int64  `json:"brandId,omitempty"`
	// Reporter is the ID of a user, which need not be in the seed, or 0 if unknown.
	Reporter  int64     `json:"reporter,omitempty"`
	CreatedAt time.Time `json:"createdAt"`
	// Proposals are at most report.MaxProposals.
	Proposals []SeedProposal `json:"proposals,omitempty"`
}

// SeedProposal is a proposal. Its asset is registered as UNKNOWN unless the seed lists
// it. Its review does not change the status of an asset.
type SeedProposal struct {
	Content        string              `json:"content"`
	ProposedStatus asset.Status        `json:"proposedStatus"`
	ReviewStatus   report.ReviewStatus `json:"reviewStatus,omitempty"`
	ReviewedBy     int64               `json:"reviewedBy,omitempty"`
	ReviewedAt     time.Time           `json:"reviewedAt,omitzero"`
}

// ReadSeed reads a seed from JSON. Unknown names are errors, because most of them are
// misspellings. ReadSeed does not validate the values; [Seed.Records] does.
//
// The error is an [*asset.InputError] that names the line, or an error of the reader.
func ReadSeed(r io.Reader) (Seed, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return Seed{}, fmt.Errorf("read seed: %w", err)
	}
	var seed Seed
	if err := json.Unmarshal(text, &seed, json.RejectUnknownMembers(true)); err != nil {
		var issues asset.Issues
		issues.Add(seedPlace(text, err), seedMessage(err))
		return Seed{}, issues.Err()
	}
	return seed, nil
}

// seedPlace returns the line of err, and its field if it is known.
func seedPlace(text []byte, err error) string {
	var (
		offset  int64
		pointer jsontext.Pointer
	)
	var syntactic *jsontext.SyntacticError
	var semantic *json.SemanticError
	switch {
	case errors.As(err, &syntactic):
		offset, pointer = syntactic.ByteOffset, syntactic.JSONPointer
	case errors.As(err, &semantic):
		offset, pointer = semantic.ByteOffset, semantic.JSONPointer
	}
	offset = min(max(offset, 0), int64(len(text)))
	line := 1 + bytes.Count(text[:offset], []byte("\n"))
	if pointer == "" {
		return fmt.Sprintf("line %d", line)
	}
	return fmt.Sprintf("line %d (%s)", line, seedField(pointer))
}

// seedField formats a path like [Seed.Records], such as "users[0].email".
func seedField(pointer jsontext.Pointer) string {
	var field strings.Builder
	for token := range pointer.Tokens() {
		_, err := strconv.ParseUint(token, 10, 64)
		switch {
		case err == nil:
			field.WriteString("[" + token + "]")
		case field.Len() == 0:
			field.WriteString(token)
		default:
			field.WriteString("." + token)
		}
	}
	return field.String()
}

// seedMessage returns what the field must be, or the text of the JSON library.
func seedMessage(err error) string {
	var syntactic *jsontext.SyntacticError
	var semantic *json.SemanticError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "unexpected end of text"
	case errors.As(err, &syntactic) && syntactic.Err != nil:
		return syntactic.Err.Error()
	case errors.Is(err, json.ErrUnknownName):
		return "unknown field"
	case errors.As(err, &semantic) && semantic.GoType != nil:
		return "must be " + seedKind(semantic.GoType)
	default:
		return err.Error()
	}
}

// seedKind names the JSON values of a Go type.
func seedKind(part reflect.Type) string {
	switch {
	case part == reflect.TypeFor[time.Time]():
		return "an RFC 3339 time, such as \"2025-01-05T10:00:00Z\""
	case part.Kind() == reflect.String:
		return "a string"
	case part.Kind() == reflect.Bool:
		return "true or false"
	case part.Kind() == reflect.Slice:
		return "an array"
	case part.Kind() == reflect.Struct:
		return "an object"
	default:
		return "a whole number"
	}
}
