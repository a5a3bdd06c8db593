package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
)

// ownedKey is a key and the slug of its organization, which is empty for none.
type ownedKey struct {
	slug string
	key  account.Key
}

// allKeys yields the keys of every organization, then those without one.
func allKeys(ctx context.Context, guard *apguard.Guard) iter.Seq2[ownedKey, error] {
	return func(yield func(ownedKey, error) bool) {
		for organization, err := range guard.Accounts.Organizations(ctx) {
			if err != nil {
				yield(ownedKey{}, err)
				return
			}
			for owned, err := range keysOf(ctx, guard.Keys, organization) {
				if !yield(owned, err) || err != nil {
					return
				}
			}
		}
		keysOf(ctx, guard.Keys, account.Organization{})(yield)
	}
}

// keysOf yields the keys of one organization.
func keysOf(ctx context.Context, service *account.KeyService, organization account.Organization) iter.Seq2[ownedKey, error] {
	return func(yield func(ownedKey, error) bool) {
		keys, err := service.List(ctx, organization.ID)
		if err != nil {
			yield(ownedKey{}, err)
			return
		}
		for _, key := range keys {
			if !yield(ownedKey{organization.Slug, key}, nil) {
				return
			}
		}
	}
}

// printKeys prints a table of the keys of the organization with a slug, or of all keys if it is empty.
func (p program) printKeys(ctx context.Context, guard *apguard.Guard, slug string) error {
	keys := allKeys(ctx, guard)
	if slug != "" {
		organization, err := findOrganization(ctx, guard.Accounts, slug)
		if err != nil {
			return err
		}
		keys = keysOf(ctx, guard.Keys, organization)
	}
	now := time.Now()
	// Only Flush can fail.
	table := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "FINGERPRINT\tORGANIZATION\tUSER\tSCOPES\tCREATED\tEXPIRES\tLAST USED\tSTATE\tNAME")
	for owned, err := range keys {
		if err != nil {
			return err
		}
		key := owned.key
		_, _ = fmt.Fprintln(table, strings.Join([]string{
			key.Fingerprint(),
			plain(owned.slug),
			number(key.UserID),
			joined(key.Scopes),
			minute(key.CreatedAt),
			minute(key.ExpiresAt),
			minute(key.LastUsedAt),
			state(key, now),
			plain(key.Name),
		}, "\t"))
	}
	return table.Flush()
}

// state returns the state of the key as one word.
func state(key account.Key, now time.Time) string {
	err := key.Usable(now)
	switch {
	case err == nil:
		return "active"
	case errors.Is(err, account.ErrRevokedKey):
		return "revoked"
	default:
		return "expired"
	}
}

// plain quotes a text that could be read as several columns or as a terminal's control
// sequence.
func plain(text string) string {
	quoted := strconv.Quote(text)
	switch {
	case text == "":
		return "-"
	case quoted != `"`+text+`"`, text == "-", strings.Contains(text, " "):
		return quoted
	default:
		return text
	}
}

func number(id int64) string {
	if id == 0 {
		return "-"
	}
	return strconv.FormatInt(id, 10)
}

// joined returns a list in one column.
func joined[T ~string](values []T) string {
	texts := make([]string, len(values))
	for i, value := range values {
		texts[i] = string(value)
	}
	return plain(strings.Join(texts, ","))
}

// minute returns the time to the minute, in UTC.
func minute(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.UTC().Format("2006-01-02T15:04Z")
}
