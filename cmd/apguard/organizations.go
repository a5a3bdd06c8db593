package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"iter"
	"strings"
	"text/tabwriter"

	"github.com/apguard/apguard/account"
)

const organizationsUsage = `Usage:
  server organizations create -slug SLUG -name NAME [-group NAME ...] [-db DB]
  server organizations list   [-db DB]

Each -group creates a group of the allowlist. DB is as for the server, which must have
been started on it once.
`

// organizationsCommand is a command on organizations and the values of its flags.
type organizationsCommand struct {
	name         string
	db           database
	organization account.Organization
	// groups has the names of the groups.
	groups []string
}

// runOrganizations runs a command on the organizations of a database. A server may use the
// database at the same time.
func runOrganizations(ctx context.Context, args []string, env environment, stdout, stderr io.Writer) error {
	command, err := parseOrganizations(args, env, stderr)
	if err != nil {
		return err
	}
	return withDirectory(ctx, command.db, func(dir directory) error {
		if command.name == "create" {
			return command.create(ctx, dir, stdout)
		}
		return dir.printOrganizations(ctx, dir.accounts.Organizations(ctx), stdout)
	})
}

func parseOrganizations(args []string, env environment, stderr io.Writer) (organizationsCommand, error) {
	var c organizationsCommand
	if len(args) > 0 {
		c.name, args = args[0], args[1:]
	}
	flags := newCommand("organizations "+c.name, organizationsUsage, env, stderr)
	switch c.name {
	case "create":
		flags.StringVar(&c.organization.Slug, "slug", "", "")
		flags.StringVar(&c.organization.Name, "name", "", "")
		flags.Func("group", "", func(name string) error {
			c.groups = append(c.groups, name)
			return nil
		})
	case "list":
	default:
		return c, flags.unknown(c.name, "create or list")
	}
	var err error
	c.db, err = flags.parse(args, func() error { return c.check(flags.FlagSet) })
	return c, err
}

// check validates the command.
func (c *organizationsCommand) check(flags *flag.FlagSet) error {
	switch {
	case flags.NArg() > 0:
		return errUnexpectedArgument
	case c.name == "create" && c.organization.Slug == "":
		return errors.New("-slug must not be empty")
	case c.name == "create" && c.organization.Name == "":
		return errors.New("-name must not be empty")
	}
	for _, name := range c.groups {
		if name == "" {
			return errors.New("-group must not be empty")
		}
	}
	return nil
}

// create creates the organization and prints it.
//
// Its ID is random, so that commands that run at the same time do not choose the same
// one. It is stored after its groups. If the command fails before that, it can be run
// again, and no organization lacks a group.
func (c *organizationsCommand) create(ctx context.Context, dir directory, stdout io.Writer) error {
	organization := c.organization
	organization.ID = account.NewID()
	if err := organization.Validate(); err != nil {
		return err
	}
	if _, err := dir.accounts.OrganizationBySlug(ctx, organization.Slug); err == nil {
		return account.ErrSlugTaken
	}
	for _, name := range c.groups {
		if _, err := dir.accounts.PutGroup(ctx, account.Group{OrganizationID: organization.ID, Name: name}); err != nil {
			return err
		}
	}
	if err := dir.accounts.PutOrganization(ctx, organization); err != nil {
		return err
	}
	created := func(yield func(account.Organization, error) bool) { yield(organization, nil) }
	return dir.printOrganizations(ctx, created, stdout)
}

// printOrganizations prints a table of organizations, with a line for each group.
func (d directory) printOrganizations(ctx context.Context, organizations iter.Seq2[account.Organization, error], stdout io.Writer) error {
	// Only Flush can fail.
	table := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "ORGANIZATION\tNAME\tGROUP\tGROUP NAME")
	for organization, err := range organizations {
		if err != nil {
			return err
		}
		groups, err := d.accounts.Groups(ctx, organization.ID)
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
