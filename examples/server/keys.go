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

LIST is all, or a comma-separated list of changelog, dispute, allowlist and reports. TIME
is a duration such as 24h. Without -expires a key never expires. Without -grace the old
key is revoked. DB is as for the server, which must have been started on it once.
`

// keysCommand is a command on keys and the values of its flags.
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

// directory is the services that the commands on keys use.
type directory struct {
	accounts *account.Service
	keys     *account.KeyService
}

// runKeys runs a command on the keys of a database. A server may use the database at the
// same time.
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
	dir := directory{account.NewService(store), account.NewKeyService(store, account.KeyOptions{})}
	return command.run(ctx, dir, stdout, stderr)
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
		return c, usageError{errors.New("keys: unknown command; use create, list, rotate or revoke")}
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

// fingerprints matches the fingerprints that keys list shows.
var fingerprints = regexp.MustCompile(`^[0-9a-f]{12}$`)

// check reads the arguments after the flags and validates the command. Its errors do not
// contain the arguments, as one may be a key.
func (c *keysCommand) check(flags *flag.FlagSet) error {
	rest := flags.Args()
	if c.name == "rotate" || c.name == "revoke" {
		if len(rest) != 1 || !fingerprints.MatchString(rest[0]) {
			return errors.New("missing fingerprint; give that of one key after the flags, 12 digits as keys list shows it")
		}
		c.fingerprint, rest = rest[0], nil
	}
	if err := checkGiven(flags); err != nil {
		return err
	}
	switch {
	case len(rest) > 0:
		return errors.New("unexpected argument")
	case c.db == "memory":
		return errors.New("-db memory keeps no keys; use a file or a postgres:// URL")
	case c.name == "create" && c.scopes == "":
		return errors.New("-scopes must be all, or some of changelog,dispute,allowlist,reports,check")
	case isPostgres(c.db):
		return nil
	}
	if err := checkPath(c.db); err != nil {
		return err
	}
	if _, err := os.Stat(c.db); err != nil {
		return fmt.Errorf("-db: %w; start a server on it once to create it", err)
	}
	return nil
}

// checkGiven rejects an empty value, such as that of an unset shell variable, where it
// would give a key more access than intended.
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

func (c *keysCommand) run(ctx context.Context, dir directory, stdout, stderr io.Writer) error {
	switch c.name {
	case "create":
		return c.create(ctx, dir, stdout, stderr)
	case "list":
		return c.list(ctx, dir, stdout)
	}
	key, err := dir.findKey(ctx, c.fingerprint)
	if err != nil {
		return err
	}
	if c.name == "revoke" {
		_, err := dir.keys.Revoke(ctx, key.Hash)
		return err
	}
	secret, err := dir.keys.Rotate(ctx, key.Hash, c.grace)
	if err != nil {
		return err
	}
	return dir.show(ctx, secret, stdout, stderr)
}

func (c *keysCommand) create(ctx context.Context, dir directory, stdout, stderr io.Writer) error {
	request := c.request
	if c.organization != "" {
		organization, err := dir.findOrganization(ctx, c.organization)
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
	secret, err := dir.keys.Create(ctx, request)
	switch {
	case errors.Is(err, account.ErrUserNotFound):
		return fmt.Errorf("unknown user %d", request.UserID)
	case err != nil:
		return err
	}
	return dir.show(ctx, secret, stdout, stderr)
}

// findOrganization returns the organization with the slug.
func (d directory) findOrganization(ctx context.Context, slug string) (account.Organization, error) {
	organization, err := d.accounts.OrganizationBySlug(ctx, slug)
	if errors.Is(err, account.ErrOrganizationNotFound) {
		return account.Organization{}, fmt.Errorf("unknown organization %q", slug)
	}
	return organization, err
}

// show writes only the new key to stdout, for scripts, and its details to stderr.
func (d directory) show(ctx context.Context, secret string, stdout, stderr io.Writer) error {
	if _, err := fmt.Fprintln(stdout, secret); err != nil {
		return err
	}
	key, err := d.keys.Get(ctx, account.HashKey(secret))
	if err != nil {
		return err
	}
	expires := "does not expire"
	if !key.ExpiresAt.IsZero() {
		expires = "expires at " + minute(key.ExpiresAt)
	}
	_, _ = fmt.Fprintf(stderr, "The key %s %s. It is shown only once.\n", key.Fingerprint(), expires)
	return nil
}

// findKey returns the only key with the fingerprint.
func (d directory) findKey(ctx context.Context, fingerprint string) (account.Key, error) {
	var found []account.Key
	for owned, err := range d.allKeys(ctx) {
		switch {
		case err != nil:
			return account.Key{}, err
		case owned.key.Fingerprint() == fingerprint:
			found = append(found, owned.key)
		}
	}
	switch len(found) {
	case 0:
		return account.Key{}, fmt.Errorf("unknown fingerprint %s; use keys list to see all", fingerprint)
	case 1:
		return found[0], nil
	default:
		return account.Key{}, fmt.Errorf("ambiguous fingerprint %s: it matches %d keys", fingerprint, len(found))
	}
}
