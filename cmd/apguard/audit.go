package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/urfave/cli/v3"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/audit/trail"
)

// audit returns the command that lists the audit trail.
func (p program) audit() *cli.Command {
	var (
		filter trail.Filter
		limit  int
	)
	return &cli.Command{
		Name:  "audit",
		Usage: "list who administered what",
		Description: `Lists who changed which key, organization, group, user or webhook, imported a list, or erased a
person, newest first. An organization that was removed is shown by its ID.`,
		Flags: []cli.Flag{
			&cli.StringFlag{
				Name: "kind", Destination: (*string)(&filter.Kind),
				Usage: "`KIND` of entries: KEY, ORGANIZATION, GROUP, USER, WEBHOOK, IMPORT or ERASURE",
			},
			&cli.Int64Flag{Name: "user", Usage: "`ID` of the user who acted", Destination: &filter.UserID, HideDefault: true},
			&cli.IntFlag{
				Name: "limit", Value: trail.DefaultLimit, Destination: &limit,
				Usage: "`NUMBER` of entries, or 0 for all",
			},
			dbFlag(),
		},
		Action: p.onGuard(func(c *cli.Command) error {
			if limit < 0 {
				return errors.New("-limit must not be negative")
			}
			return cmp.Or(noArguments(c), trail.ListRequest{Filter: filter}.Validate())
		}, func(ctx context.Context, guard *apguard.Guard) error {
			return p.printAudit(ctx, guard, filter, limit)
		}),
	}
}

// printAudit prints a table of at most limit entries, or of all if it is 0.
func (p program) printAudit(ctx context.Context, guard *apguard.Guard, filter trail.Filter, limit int) error {
	// Only Flush can fail.
	table := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "ID\tTIME\tBY\tKIND\tACTION\tSUBJECT\tORGANIZATION\tUSER\tDETAIL")
	names := slugs{guard.Accounts, make(map[int64]string)}
	listed := 0
	for e, err := range guard.Audit.All(ctx, filter) {
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
		if listed++; listed == limit {
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
