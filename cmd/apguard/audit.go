package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/audit/trail"
)

const auditUsage = `Usage:
  server audit [-kind KIND] [-user ID] [-limit N] [-db DB]

Lists who changed which key, organization, group, user or webhook, imported a list, or erased a
person, newest first. KIND is KEY, ORGANIZATION, GROUP, USER, WEBHOOK, IMPORT or ERASURE, and ID
that of the user who acted. N is the number of entries, 50 by default, or 0 for all. An
organization that was removed is shown by its ID. DB is as for the server, which must have been
started on it once.
`

// auditCommand has the values of the flags of server audit.
type auditCommand struct {
	db     database
	filter trail.Filter
	limit  int
}

// runAudit lists the audit trail of a database. A server may use the database at the same time.
func runAudit(ctx context.Context, args []string, env environment, stdout, stderr io.Writer) (err error) {
	c, err := parseAudit(args, env, stderr)
	if err != nil {
		return err
	}
	store, err := c.db.openExisting(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	return c.list(ctx, apguard.New(store, apguard.Options{}), stdout)
}

func parseAudit(args []string, env environment, stderr io.Writer) (auditCommand, error) {
	var c auditCommand
	flags := newCommand("audit", auditUsage, env, stderr)
	flags.StringVar((*string)(&c.filter.Kind), "kind", "", "")
	flags.Int64Var(&c.filter.UserID, "user", 0, "")
	flags.IntVar(&c.limit, "limit", trail.DefaultLimit, "")
	var err error
	c.db, err = flags.parse(args, func() error {
		switch {
		case flags.NArg() > 0:
			return errUnexpectedArgument
		case c.limit < 0:
			return errors.New("-limit must not be negative")
		}
		return trail.ListRequest{Filter: c.filter}.Validate()
	})
	return c, err
}

// list prints a table of the entries.
func (c auditCommand) list(ctx context.Context, guard *apguard.Guard, stdout io.Writer) error {
	// Only Flush can fail.
	table := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "ID\tTIME\tBY\tKIND\tACTION\tSUBJECT\tORGANIZATION\tUSER\tDETAIL")
	names := slugs{guard.Accounts, make(map[int64]string)}
	listed := 0
	for e, err := range guard.Audit.All(ctx, c.filter) {
		if err != nil {
			return err
		}
		organization, err := names.of(ctx, e.OrganizationID)
		if err != nil {
			return err
		}
		subject := e.Subject
		if id, err := strconv.ParseInt(e.Subject, 10, 64); err == nil && e.Kind == audit.KindOrganization {
			if subject, err = names.of(ctx, id); err != nil {
				return err
			}
		}
		_, _ = fmt.Fprintln(table, strings.Join([]string{
			strconv.FormatInt(e.ID, 10),
			e.At.UTC().Format(time.RFC3339),
			actorName(e.Actor),
			string(e.Kind),
			string(e.Action),
			plain(subject),
			plain(organization),
			number(e.UserID),
			plain(e.Detail),
		}, "\t"))
		if listed++; listed == c.limit {
			break
		}
	}
	return table.Flush()
}

// actorName names an actor, such as "user:7,key:0123456789ab".
func actorName(a audit.Actor) string {
	if a.UserID == 0 {
		return strings.ToLower(strings.ReplaceAll(string(a.Channel), "_", "-"))
	}
	name := "user:" + strconv.FormatInt(a.UserID, 10)
	if a.Key != "" {
		name += ",key:" + a.Key
	}
	return name
}

// slugs finds the slugs of organizations, and reads each of them once.
type slugs struct {
	accounts *account.Service
	found    map[int64]string
}

// of returns the slug of an organization, or its ID if it was removed. It is empty for 0.
func (s slugs) of(ctx context.Context, id int64) (string, error) {
	if !asset.ValidID(id) {
		return "", nil
	}
	if slug, known := s.found[id]; known {
		return slug, nil
	}
	organization, err := s.accounts.Organization(ctx, id)
	switch {
	case errors.Is(err, account.ErrOrganizationNotFound):
		organization.Slug = strconv.FormatInt(id, 10)
	case err != nil:
		return "", err
	}
	s.found[id] = organization.Slug
	return organization.Slug, nil
}
