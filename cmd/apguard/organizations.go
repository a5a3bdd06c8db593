package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v3"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
)

func (p program) createOrganization() *cli.Command {
	var (
		organization account.Organization
		groups       []string
	)
	return &cli.Command{
		Name:  "create",
		Usage: "create an organization, with groups for its allowlist",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "slug", Usage: "unique `SLUG`, such as acme", Destination: &organization.Slug},
			&cli.StringFlag{Name: "name", Usage: "full `NAME`", Destination: &organization.Name},
			&cli.StringSliceFlag{Name: "group", Usage: "`NAME` of a group of the allowlist", Destination: &groups},
			dbFlag(),
		},
		DisableSliceFlagSeparator: true,
		Action: p.onGuard(func(c *cli.Command) error {
			if slices.Contains(groups, "") {
				return errors.New("-group must not be empty")
			}
			return cmp.Or(noArguments(c), needs(c, "slug", "name"))
		}, func(ctx context.Context, guard *apguard.Guard) error {
			return p.putOrganization(ctx, guard.Accounts, organization, groups)
		}),
	}
}

// putOrganization creates an organization with groups and prints it.
//
// Its ID is random, so that commands that run at the same time do not choose the same
// one. It is stored after its groups. If the command fails before that, it can be run
// again, and no organization lacks a group.
func (p program) putOrganization(ctx context.Context, accounts *account.Service, organization account.Organization, groups []string) error {
	organization.ID = account.NewID()
	if err := organization.Validate(); err != nil {
		return err
	}
	if _, err := accounts.OrganizationBySlug(ctx, organization.Slug); err == nil {
		return account.ErrSlugTaken
	}
	for _, name := range groups {
		if _, err := accounts.PutGroup(ctx, account.Group{OrganizationID: organization.ID, Name: name}); err != nil {
			return err
		}
	}
	if err := accounts.PutOrganization(ctx, organization); err != nil {
		return err
	}
	created := func(yield func(account.Organization, error) bool) { yield(organization, nil) }
	return p.printOrganizations(ctx, accounts, created)
}

// printOrganizations prints a table of organizations, with a line for each group.
func (p program) printOrganizations(ctx context.Context, accounts *account.Service, organizations iter.Seq2[account.Organization, error]) error {
	// Only Flush can fail.
	table := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "ORGANIZATION\tNAME\tGROUP\tGROUP NAME")
	for organization, err := range organizations {
		if err != nil {
			return err
		}
		groups, err := accounts.Groups(ctx, organization.ID)
		if err != nil {
			return err
		}
		if len(groups) == 0 {
			groups = []account.Group{{}}
		}
		for _, group := range groups {
			_, _ = fmt.Fprintln(table, strings.Join([]string{
				plain(organization.Slug), plain(organization.Name), number(group.ID), plain(group.Name),
			}, "\t"))
		}
	}
	return table.Flush()
}
