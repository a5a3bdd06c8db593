package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/apguard/apguard/account"
)

// ownedKey is a key with the slug of the organisation that it speaks for, which is
// empty for none.
type ownedKey struct {
	slug string
	key  account.Key
}

// keysOfAll yields the keys of every organisation, and then those of none.
func keysOfAll(ctx context.Context, accounts *account.Service) iter.Seq2[ownedKey, error] {
	return func(yield func(ownedKey, error) bool) {
		for organization, err := range accounts.Organizations(ctx) {
			if err != nil {
				yield(ownedKey{}, err)
				return
			}
			if !yieldKeys(ctx, accounts, organization, yield) {
				return
			}
		}
		yieldKeys(ctx, accounts, account.Organization{}, yield)
	}
}

// yieldKeys yields the keys of one organisation, and reports whether to go on.
func yieldKeys(ctx context.Context, accounts *account.Service, of account.Organization, yield func(ownedKey, error) bool) bool {
	keys, err := accounts.Keys(ctx, of.ID)
	if err != nil {
		yield(ownedKey{}, err)
		return false
	}
	for _, key := range keys {
		if !yield(ownedKey{of.Slug, key}, nil) {
			return false
		}
	}
	return true
}

// list prints a table of the keys of one organisation, or of all.
func (c *keysCommand) list(ctx context.Context, accounts *account.Service, stdout io.Writer) error {
	keys := keysOfAll(ctx, accounts)
	if c.organization != "" {
		organization, err := c.findOrganization(ctx, accounts)
		if err != nil {
			return err
		}
		keys = func(yield func(ownedKey, error) bool) { yieldKeys(ctx, accounts, organization, yield) }
	}
	now := time.Now()
	// The table fails at its end alone, when it is flushed.
	table := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
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
			plain(joinScopes(key.Scopes)),
			day(key.CreatedAt),
			day(key.ExpiresAt),
			day(key.LastUsedAt),
			state(key, now),
			plain(key.Name),
		}, "\t"))
	}
	return table.Flush()
}

// state says in a word what the key is good for.
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

// plain returns the text so that it fills one column, and no terminal takes it for a
// command.
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

func joinScopes(scopes []account.Scope) string {
	names := make([]string, len(scopes))
	for i, scope := range scopes {
		names[i] = string(scope)
	}
	return strings.Join(names, ",")
}

// day returns the moment to the minute, in UTC.
func day(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.UTC().Format("2006-01-02T15:04Z")
}
