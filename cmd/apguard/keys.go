package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/apguard/apguard/account"
)

const keysUsage = `Usage:
  server keys create -scopes LIST [-organization SLUG] [-user ID] [-name TEXT] [-expires TIME] [-db DB]
  server keys import (with the flags of create)
  server keys list   [-organization SLUG] [-db DB]
  server keys rotate [-grace TIME] [-db DB] FINGERPRINT
  server keys revoke [-db DB] FINGERPRINT

LIST is all, or a comma-separated list of changelog, dispute, allowlist, reports, check,
operator:read, operator:write and operator:admin. The last three are for operators: all does not
include them. operator:write and operator:admin need -user, the ID of a user that users create has
printed. operator:admin makes keys over HTTP, but only with scopes that it has itself. TIME is a
duration such as 24h. Without -expires a key never expires. Without -grace the old key is
revoked. A server that is running applies changes of keys within a second. The key to import
is in the environment variable APGUARD_KEY, or in the file that APGUARD_KEY_FILE names. DB is
as for the server, which must have been started on it once.
`

// keysCommand is a command on keys and the values of its flags.
type keysCommand struct {
	name         string
	db           database
	organization string
	request      account.KeyRequest
	scopes       string
	expires      time.Duration
	grace        time.Duration
	fingerprint  string
	// secret is the key to import.
	secret secret
}

// directory is the services that the commands on keys use.
type directory struct {
	accounts *account.Service
	keys     *account.KeyService
}

// runKeys runs a command on the keys of a database. A server may use the database at the
// same time.
func runKeys(ctx context.Context, args []string, env environment, stdout, stderr io.Writer) error {
	command, err := parseKeys(args, env, stderr)
	if err != nil {
		return err
	}
	return withDirectory(ctx, command.db, func(dir directory) error {
		return command.run(ctx, dir, stdout, stderr)
	})
}

// withDirectory calls a function with the services on a database.
func withDirectory(ctx context.Context, db database, use func(directory) error) (err error) {
	store, err := db.openExisting(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	return use(directory{account.NewService(store, account.Options{}), account.NewKeyService(store, account.KeyOptions{})})
}

func parseKeys(args []string, env environment, stderr io.Writer) (keysCommand, error) {
	var c keysCommand
	if len(args) > 0 {
		c.name, args = args[0], args[1:]
	}
	flags := newCommand("keys "+c.name, keysUsage, env, stderr)
	switch c.name {
	case "create", "import":
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
	default:
		return c, flags.unknown(c.name, "create, import, list, rotate or revoke")
	}
	var err error
	c.db, err = flags.parse(args, func() error { return c.check(flags.FlagSet, env) })
	return c, err
}

// fingerprints matches the fingerprints that keys list shows.
var fingerprints = regexp.MustCompile(`^[0-9a-f]{12}$`)

// check reads the arguments after the flags and validates the command. Its errors do not
// contain the arguments, as one may be a key.
func (c *keysCommand) check(flags *flag.FlagSet, env environment) error {
	rest := flags.Args()
	if c.name == "rotate" || c.name == "revoke" {
		if len(rest) != 1 || !fingerprints.MatchString(rest[0]) {
			return errors.New("missing fingerprint; give that of one key after the flags, 12 digits as keys list shows it")
		}
		c.fingerprint, rest = rest[0], nil
	}
	err := checkGiven(flags)
	switch {
	case err != nil:
		return err
	case len(rest) > 0:
		return errUnexpectedArgument
	case flags.Lookup("scopes") != nil && !validScopes(c.scopes):
		return errors.New("-scopes must be all, or some of changelog,dispute,allowlist,reports,check,operator:read,operator:write,operator:admin; all is without those of operators")
	case c.request.UserID == 0 && needsUser(c.scopes):
		return errors.New("operator:write and operator:admin need -user, the ID of the operator, who is recorded as the actor of each change; server users create creates one")
	}
	if c.name == "import" {
		c.secret, err = keyToImport(env)
	}
	return err
}

// minImported is the minimum length of a key that is imported. A shorter one could be
// guessed.
const minImported = 32

// keyToImport returns the key of the environment.
func keyToImport(env environment) (secret, error) {
	key, err := env.secret("APGUARD_KEY")
	switch {
	case err != nil:
		return secret{}, err
	case key == secret{}:
		return secret{}, errors.New("set APGUARD_KEY to the key, or APGUARD_KEY_FILE to the name of a file with it")
	case len(key.value) < minImported:
		return secret{}, fmt.Errorf("%s must have at least %d characters", key.source, minImported)
	}
	return key, nil
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
	case "create", "import":
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

// create creates a key and shows it, or imports one, which it does not show.
func (c *keysCommand) create(ctx context.Context, dir directory, stdout, stderr io.Writer) error {
	request, err := c.keyRequest(ctx, dir)
	if err != nil {
		return err
	}
	key := c.secret.value
	if c.name == "import" {
		err = dir.keys.Put(ctx, key, request)
	} else {
		key, err = dir.keys.Create(ctx, request)
	}
	switch {
	case errors.Is(err, account.ErrUserNotFound):
		return fmt.Errorf("unknown user %d; server users create creates one", request.UserID)
	case err != nil:
		return err
	case c.name == "import":
		return dir.describe(ctx, key, "imported", stderr)
	}
	return dir.show(ctx, key, stdout, stderr)
}

// validScopes reports whether a value of -scopes is valid.
func validScopes(list string) bool {
	names := slices.Collect(listed(list))
	return list == "all" || !slices.ContainsFunc(names, func(name string) bool { return !account.Scope(name).Valid() })
}

// needsUser reports whether a key with the scopes must have a user.
func needsUser(list string) bool {
	for name := range listed(list) {
		if name == string(account.ScopeOperatorWrite) || name == string(account.ScopeOperatorAdmin) {
			return true
		}
	}
	return false
}

// keyRequest returns the request for the key of the command.
func (c *keysCommand) keyRequest(ctx context.Context, dir directory) (account.KeyRequest, error) {
	request := c.request
	if c.organization != "" {
		organization, err := dir.findOrganization(ctx, c.organization)
		if err != nil {
			return account.KeyRequest{}, err
		}
		request.OrganizationID = organization.ID
	}
	if c.expires > 0 {
		request.ExpiresAt = time.Now().Add(c.expires)
	}
	request.Scopes = account.Scopes()
	if c.scopes != "all" {
		request.Scopes = nil
		for scope := range listed(c.scopes) {
			request.Scopes = append(request.Scopes, account.Scope(scope))
		}
	}
	return request, nil
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
	return d.describe(ctx, secret, "shown only once", stderr)
}

// describe writes the fingerprint and the expiry of a key, and what happened to it.
func (d directory) describe(ctx context.Context, secret, what string, stderr io.Writer) error {
	key, err := d.keys.Get(ctx, account.HashKey(secret))
	if err != nil {
		return err
	}
	expires := "does not expire"
	if !key.ExpiresAt.IsZero() {
		expires = "expires at " + minute(key.ExpiresAt)
	}
	_, _ = fmt.Fprintf(stderr, "The key %s %s. It is %s.\n", key.Fingerprint(), expires, what)
	return nil
}

// findKey returns the only key with the fingerprint.
func (d directory) findKey(ctx context.Context, fingerprint string) (account.Key, error) {
	key, err := d.keys.Find(ctx, fingerprint)
	switch {
	case errors.Is(err, account.ErrUnknownKey):
		return key, fmt.Errorf("unknown fingerprint %s; use keys list to see all", fingerprint)
	case errors.Is(err, account.ErrAmbiguousKey):
		return key, fmt.Errorf("ambiguous fingerprint %s: it matches several keys", fingerprint)
	}
	return key, err
}
