package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/apguard/apguard/account"
)

const keysUsage = `Usage:
  server keys create -scopes LIST [-organization SLUG] [-user ID] [-name TEXT] [-expires TIME] [-db DB]
  server keys list   [-organization SLUG] [-db DB]
  server keys rotate [-grace TIME] [-db DB] FINGERPRINT
  server keys revoke [-db DB] FINGERPRINT

LIST is all, or some of changelog,dispute,allowlist,reports. TIME is such as 24h. A key
without -expires lives for ever; one that is rotated without -grace is revoked. DB is
as for the server, which must have been started on it once.
`

// keysCommand is one of the commands on keys, with the values of its flags.
type keysCommand struct {
	name         string
	db           string
	organization string
	request      account.KeyRequest
	scopes       string
	expires      time.Duration
	grace        time.Duration
	fingerprint  string
}

// runKeys carries out a command on the keys of a database, also while a server
// runs on it.
func runKeys(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	command, err := parseKeys(args, stderr)
	if err != nil {
		return err
	}
	store, err := openExisting(ctx, command.db)
	if err != nil {
		return fmt.Errorf("-db %s: %w", databaseName(command.db), err)
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	return command.run(ctx, account.NewService(store, account.Options{}), stdout, stderr)
}

func parseKeys(args []string, stderr io.Writer) (keysCommand, error) {
	var c keysCommand
	if len(args) > 0 {
		c.name, args = args[0], args[1:]
	}
	flags := flag.NewFlagSet("server keys "+c.name, flag.ContinueOnError)
	flags.SetOutput(io.Discard) // main prints the error
	flags.StringVar(&c.db, "db", defaultDB, "")
	switch c.name {
	case "create":
		flags.StringVar(&c.organization, "organization", "", "")
		flags.Int64Var(&c.request.UserID, "user", 0, "")
		flags.StringVar(&c.request.Name, "name", "", "")
		flags.StringVar(&c.scopes, "scopes", "", "")
		flags.DurationVar(&c.expires, "expires", 0, "")
	case "list":
		flags.StringVar(&c.organization, "organization", "", "")
	case "rotate":
		flags.DurationVar(&c.grace, "grace", 0, "")
	case "revoke":
	case "-h", "-help", "--help":
		_, _ = io.WriteString(stderr, keysUsage)
		return c, flag.ErrHelp
	default:
		return c, usageError{errors.New("keys: want create, list, rotate or revoke")}
	}
	err := flags.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		_, _ = io.WriteString(stderr, keysUsage)
		return c, err
	}
	if err == nil {
		err = c.check(flags)
	}
	if err != nil {
		return c, usageError{fmt.Errorf("keys %s: %w", c.name, err)}
	}
	return c, nil
}

// fingerprints are what the list of keys shows.
var fingerprints = regexp.MustCompile(`^[0-9a-f]{12}$`)

// check takes what follows the flags, and says what is wrong with the command, if
// anything. It repeats no argument, as somebody may have given a key.
func (c *keysCommand) check(flags *flag.FlagSet) error {
	rest := flags.Args()
	if c.name == "rotate" || c.name == "revoke" {
		if len(rest) != 1 || !fingerprints.MatchString(rest[0]) {
			return errors.New("want the fingerprint of one key after the flags, 12 digits as keys list shows them")
		}
		c.fingerprint, rest = rest[0], nil
	}
	if err := checkGiven(flags); err != nil {
		return err
	}
	switch {
	case len(rest) > 0:
		return errors.New("there is an argument too many")
	case c.db == "memory":
		return errors.New("-db memory has no keys that last")
	case c.name == "create" && c.scopes == "":
		return errors.New("-scopes must be all, or some of changelog,dispute,allowlist,reports")
	case isPostgres(c.db):
		return nil
	}
	if err := checkPath(c.db); err != nil {
		return err
	}
	if _, err := os.Stat(c.db); err != nil {
		return errors.New("-db is no file that can be read; a server makes it at its first start")
	}
	return nil
}

// checkGiven refuses a flag that is given and says nothing, as one from a variable
// of the shell that is not set: a key must not get more than was meant.
func checkGiven(flags *flag.FlagSet) (err error) {
	flags.Visit(func(f *flag.Flag) {
		switch f.Name {
		case "organization", "scopes":
			if f.Value.String() == "" {
				err = fmt.Errorf("-%s must not be empty", f.Name)
			}
		case "user", "expires":
			if value := f.Value.String(); value == "0" || value == "0s" || strings.HasPrefix(value, "-") {
				err = fmt.Errorf("-%s must be above 0", f.Name)
			}
		}
	})
	return err
}

func (c *keysCommand) run(ctx context.Context, accounts *account.Service, stdout, stderr io.Writer) error {
	switch c.name {
	case "create":
		return c.create(ctx, accounts, stdout, stderr)
	case "list":
		return c.list(ctx, accounts, stdout)
	}
	key, err := findKey(ctx, accounts, c.fingerprint)
	if err != nil {
		return err
	}
	if c.name == "revoke" {
		_, err := accounts.RevokeKey(ctx, key.Hash)
		return err
	}
	secret, err := accounts.RotateKey(ctx, key.Hash, c.grace)
	if err != nil {
		return err
	}
	return show(ctx, accounts, secret, stdout, stderr)
}

func (c *keysCommand) create(ctx context.Context, accounts *account.Service, stdout, stderr io.Writer) error {
	request := c.request
	if c.organization != "" {
		organization, err := c.findOrganization(ctx, accounts)
		if err != nil {
			return err
		}
		request.OrganizationID = organization.ID
	}
	if c.expires > 0 {
		request.ExpiresAt = time.Now().Add(c.expires)
	}
	request.Scopes = account.Scopes()
	if c.scopes != "all" {
		request.Scopes = nil
		for scope := range strings.SplitSeq(c.scopes, ",") {
			request.Scopes = append(request.Scopes, account.Scope(scope))
		}
	}
	secret, err := accounts.CreateKey(ctx, request)
	switch {
	case errors.Is(err, account.ErrNotFound): // the organisation was there
		return fmt.Errorf("-user %d: %w", request.UserID, err)
	case err != nil:
		return err
	}
	return show(ctx, accounts, secret, stdout, stderr)
}

// findOrganization returns the organisation that the flag names.
func (c *keysCommand) findOrganization(ctx context.Context, accounts *account.Service) (account.Organization, error) {
	organization, err := accounts.OrganizationBySlug(ctx, c.organization)
	if err != nil {
		return account.Organization{}, fmt.Errorf("-organization %s: %w", c.organization, err)
	}
	return organization, nil
}

// show writes a new key alone to stdout, so that a script can take it, and what is to
// be known of it to stderr.
func show(ctx context.Context, accounts *account.Service, secret string, stdout, stderr io.Writer) error {
	if _, err := fmt.Fprintln(stdout, secret); err != nil {
		return err
	}
	key, err := accounts.Key(ctx, account.HashKey(secret))
	if err != nil {
		return err
	}
	expires := "does not expire"
	if !key.ExpiresAt.IsZero() {
		expires = "expires at " + day(key.ExpiresAt)
	}
	_, _ = fmt.Fprintf(stderr, "The key %s %s. It is shown only once.\n", key.Fingerprint(), expires)
	return nil
}

// findKey returns the one key with the fingerprint.
func findKey(ctx context.Context, accounts *account.Service, fingerprint string) (account.Key, error) {
	var found []account.Key
	for owned, err := range keysOfAll(ctx, accounts) {
		switch {
		case err != nil:
			return account.Key{}, err
		case owned.key.Fingerprint() == fingerprint:
			found = append(found, owned.key)
		}
	}
	switch len(found) {
	case 0:
		return account.Key{}, fmt.Errorf("no key has the fingerprint %s; keys list shows all", fingerprint)
	case 1:
		return found[0], nil
	default:
		return account.Key{}, fmt.Errorf("%d keys have the fingerprint %s", len(found), fingerprint)
	}
}
