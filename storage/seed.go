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
	"github.com/apguard/apguard/report"
)

// Seed is the first content of an empty store, as people write it in a JSON
// file. Identifiers are given, so that tests can name them; only assets,
// changes, proposals and reviews are numbered from 1 in the order of the seed. Times
// are kept in whole milliseconds and lie, in UTC, in the years 1 to 9999.
type Seed struct {
	Organizations []SeedOrganization `json:"organizations,omitempty"`
	Users         []SeedUser         `json:"users,omitempty"`
	Keys          []SeedKey          `json:"keys,omitempty"`
	Assets        []SeedAsset        `json:"assets,omitempty"`
	Reports       []SeedReport       `json:"reports,omitempty"`
}

// SeedOrganization is an organization with its groups.
type SeedOrganization struct {
	ID     int64       `json:"id"`
	Slug   string      `json:"slug"`
	Name   string      `json:"name"`
	Groups []SeedGroup `json:"groups,omitempty"`
}

// SeedGroup is a group of the organization that it stands in.
type SeedGroup struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

// SeedUser is a user.
type SeedUser struct {
	ID         int64  `json:"id"`
	FullName   string `json:"fullName"`
	Email      string `json:"email"`
	Automation bool   `json:"automation"`
}

// SeedKey is an API key in the clear; only its hash is stored.
type SeedKey struct {
	Key string `json:"key"`
	// Organization is the slug of an organization of the seed. Empty for a key
	// without organization.
	Organization string `json:"organization,omitempty"`
	// User is a user of the seed. 0 for a key without user.
	User int64 `json:"user,omitempty"`
	// Name is a label for people. It may be left out.
	Name   string          `json:"name,omitempty"`
	Scopes []account.Scope `json:"scopes"`
	// CreatedAt may be left out; it stays the zero time then.
	CreatedAt time.Time `json:"createdAt,omitzero"`
	// ExpiresAt may be left out; the key never expires then. It may have passed.
	ExpiresAt time.Time `json:"expiresAt,omitzero"`
}

// SeedAsset is an asset. With a status other than UNKNOWN it gets one change, from
// UNKNOWN at ChangedAt.
type SeedAsset struct {
	Content string `json:"content"`
	// Status may be left out and is UNKNOWN then.
	Status    asset.Status `json:"status,omitempty"`
	ChangedAt time.Time    `json:"changedAt,omitzero"`
}

// SeedReport is a report. Its status follows from its proposals.
type SeedReport struct {
	ID int64 `json:"id"`
	// Organization is the slug of an organization of the seed.
	Organization string `json:"organization"`
	Title        string `json:"title"`
	Description  string `json:"description"`
	BrandID      int64  `json:"brandId,omitempty"`
	// Reporter is a user, who need not be in the seed. 0 when not known.
	Reporter  int64          `json:"reporter,omitempty"`
	CreatedAt time.Time      `json:"createdAt"`
	Proposals []SeedProposal `json:"proposals,omitempty"`
}

// SeedProposal is a proposal. An asset that the seed does not list is registered
// as UNKNOWN. A review is kept as any other, but it changes no asset.
type SeedProposal struct {
	Content        string              `json:"content"`
	ProposedStatus asset.Status        `json:"proposedStatus"`
	ReviewStatus   report.ReviewStatus `json:"reviewStatus,omitempty"`
	ReviewedBy     int64               `json:"reviewedBy,omitempty"`
	ReviewedAt     time.Time           `json:"reviewedAt,omitzero"`
}

// ReadSeed reads a seed from JSON. A name that no field has is an error, as it is
// most likely a misspelt one.
//
// An error about the text is an [*asset.InputError] that names the line. Whether
// the seed makes sense is for [Seed.Records] to say.
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

// seedPlace returns the line, and the field if it is known, that err is about.
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

// seedField writes a place as [Seed.Records] does, such as "users[0].email".
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

// seedMessage returns what is wrong: what the field must be when it is something
// else, otherwise the words of the JSON library.
func seedMessage(err error) string {
	var syntactic *jsontext.SyntacticError
	var semantic *json.SemanticError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "the text ends too early"
	case errors.As(err, &syntactic) && syntactic.Err != nil:
		return syntactic.Err.Error()
	case errors.Is(err, json.ErrUnknownName):
		return "no field has this name"
	case errors.As(err, &semantic) && semantic.GoType != nil:
		return "must be " + seedKind(semantic.GoType)
	default:
		return err.Error()
	}
}

// seedKind names the JSON values that a part of a seed can have.
func seedKind(part reflect.Type) string {
	switch {
	case part == reflect.TypeFor[time.Time]():
		return "a time as RFC 3339 has it, such as \"2025-01-05T10:00:00Z\""
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
