package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v3"
)

// The flags that commands of operations have beside those of their fields.
const (
	flagJSON           = "json"
	flagServer         = "server"
	flagKeyFile        = "key-file"
	flagAs             = "as"
	flagOrganization   = "organization"
	flagLimit          = "limit"
	flagCursor         = "cursor"
	flagFile           = "file"
	flagIdempotencyKey = "idempotency-key"
	flagOutput         = "o"
)

// operationGroups returns the commands of all operations, with others in the same groups.
func (p program) operationGroups() []*cli.Command {
	groups := []*cli.Command{
		group("status", "set, withdraw and explain the statuses of assets"),
		group("dispute", "handle disputes"),
		group("report", "file and review reports"),
		group("allowlist", "manage the allowlist of an organization"),
		group("assets", "list assets"),
		group("organizations", "manage organizations"),
		group("groups", "manage the groups of organizations' allowlists"),
		group("users", "manage users"),
		group("keys", "manage API keys", p.importKey()),
		group("lists", "keep lists in sync with files"),
		group("pending", "approve or reject what takes a second operator"),
		group("webhooks", "manage receivers of changes and disputes"),
	}
	about := map[string]string{
		"keys": "A server that is running applies changes of keys within a second.",
		"lists": `A list holds the statuses of its last file, and withdraws those that are gone from it. What operators decide counts
more. A running server fetches the files of lists with a URL. For decisions of operators that stay, see import.`,
		"webhooks": "A webhook receives the events after its creation.",
	}
	for _, o := range operations() {
		name, sub, grouped := strings.Cut(o.name, " ")
		if !grouped {
			groups = append(groups, p.operation(o, name))
			continue
		}
		i := slices.IndexFunc(groups, func(c *cli.Command) bool { return c.Name == name })
		groups[i].Commands = append(groups[i].Commands, p.operation(o, sub))
		groups[i].Description = about[name]
	}
	return groups
}

// operation returns the command of an operation.
func (p program) operation(o operation, name string) *cli.Command {
	c := &cli.Command{Description: o.about}
	var local cli.ActionFunc
	if o.local != nil {
		c = o.local(p)
		local = c.Action
	}
	known := flagNames(c.Flags)
	c.Name, c.Usage = name, o.usage
	if c.ArgsUsage == "" {
		c.ArgsUsage = o.argumentsUsage()
	}
	guard := new(guardFlags)
	for _, f := range o.newFlags(guard) {
		if !slices.Contains(known, f.Names()[0]) {
			c.Flags = append(c.Flags, f)
		}
	}
	c.Action = func(ctx context.Context, c *cli.Command) error {
		if local != nil && !goesThroughAPI(c, known) && (o.localFlag == "" || c.IsSet(o.localFlag)) {
			return local(ctx, c)
		}
		return p.call(ctx, c, o, *guard)
	}
	return c
}

// flagNames returns the names of the flags.
func flagNames(flags []cli.Flag) []string {
	var names []string
	for _, f := range flags {
		names = append(names, f.Names()...)
	}
	return names
}

// goesThroughAPI reports whether a command with a local action was given a flag that this does not know.
func goesThroughAPI(c *cli.Command, known []string) bool {
	return slices.ContainsFunc(flagNames(c.Flags), func(name string) bool { return c.IsSet(name) && !slices.Contains(known, name) })
}

// newFlags returns the flags of an operation.
func (o operation) newFlags(guard *guardFlags) []cli.Flag {
	var flags []cli.Flag
	for _, f := range o.fields {
		switch {
		case f.isFlag():
			flags = append(flags, f.newFlag())
		case f.kind == kindContents:
			flags = append(flags, &cli.StringFlag{
				Name: flagFile, TakesFile: true, Usage: "`FILE` with a content a line, or - for the standard input, beside the arguments",
			})
		}
	}
	if o.paged() {
		flags = append(flags, &cli.IntFlag{
			Name: flagLimit, Value: o.limit, HideDefault: o.limit == 0, Usage: "`NUMBER` of records at most, or 0 for all",
		})
	}
	if o.cursor != "" {
		flags = append(flags, &cli.StringFlag{Name: flagCursor, Usage: "`CURSOR` to continue from, as the command printed it"})
	}
	if o.key {
		flags = append(flags, &cli.StringFlag{
			Name: flagIdempotencyKey, Usage: "`KEY` of the request, with which it can be repeated without a second effect; without the flag, a new one",
		})
	}
	if o.raw {
		flags = append(flags, &cli.StringFlag{
			Name: flagOutput, TakesFile: true, Usage: "`FILE` to write, whole or not at all; without the flag, the standard output",
		})
	} else {
		flags = append(flags, &cli.BoolFlag{Name: flagJSON, Usage: "print a JSON object a record, as the API returns it"})
	}
	if o.guarded != nil {
		flags = append(flags, o.guarded(guard)...)
	}
	flags = append(append(flags, dbFlag()), o.actorFlags()...)
	server := "such as https://apguard.example.com/api/v2"
	if o.operators {
		server = "with the operators' API, such as http://127.0.0.1:8081/operator"
	}
	return append(flags,
		&cli.StringFlag{
			Name: flagServer, Usage: "base `URL` of a server to ask instead of a database, " + server + "; its key is in " +
				"the environment variable APGUARD_KEY, or in the file that APGUARD_KEY_FILE names",
		},
		&cli.StringFlag{Name: flagKeyFile, TakesFile: true, Usage: "`FILE` with the key for the server"})
}

// actorFlags returns the flags that say who acts on a database.
func (o operation) actorFlags() []cli.Flag {
	var flags []cli.Flag
	if o.acts() {
		flags = append(flags, &cli.Int64Flag{
			Name: flagAs, HideDefault: true, Usage: "`ID` of the user who acts on a database; the key for a server has a user",
		})
	}
	if o.hasOrganization() {
		flags = append(flags, &cli.StringFlag{
			Name: flagOrganization, Usage: "`SLUG` of the organization that acts on a database; the key for a server has an organization",
		})
	}
	return flags
}

// checkLocal returns an error for a flag of the local action that the operation does not have.
func (o operation) checkLocal(c *cli.Command) error {
	if o.local == nil {
		return nil
	}
	own := flagNames(o.newFlags(new(guardFlags)))
	for _, name := range flagNames(c.Flags) {
		if c.IsSet(name) && !slices.Contains(own, name) {
			return fmt.Errorf("-%s works only on a database, and not with -json or -as; -help lists the other flags", name)
		}
	}
	return nil
}

var errServerAndDatabase = errors.New("-server must not be given with -db, -as, -organization, or a flag of the rules of a database")
