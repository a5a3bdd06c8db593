package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/urfave/cli/v3"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
)

// newKey has the values of the flags of a new key.
type newKey struct {
	organization, name string
	user               int64
	scopes             []string
	expires            time.Duration
}

// flags returns the flags of a new key.
func (k *newKey) flags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{
			Name: "scopes", Destination: &k.scopes, Config: cli.StringConfig{TrimSpace: true},
			Usage: "`SCOPES` of the key: all, or some of changelog,dispute,allowlist,reports,report:write,check,operator:read," +
				"operator:write,operator:admin; the last three are for operators, and all does not include them; " +
				"operator:admin makes keys over HTTP, but only with scopes that it has itself",
		},
		&cli.StringFlag{Name: "organization", Usage: "`SLUG` of the organization of the key", Destination: &k.organization},
		&cli.Int64Flag{
			Name: "user", Destination: &k.user, HideDefault: true,
			Usage: "`ID` of the user of the key, as users create prints it; operator:write and operator:admin need one",
		},
		&cli.StringFlag{Name: "name", Usage: "`TEXT` that tells keys apart", Destination: &k.name},
		&cli.DurationFlag{
			Name: "expires", Destination: &k.expires, HideDefault: true,
			Usage: "`TIME` until the key expires, such as 24h; without the flag, it never does",
		},
		dbFlag(),
	}
}

func (p program) createKey() *cli.Command {
	key := new(newKey)
	return &cli.Command{
		Name:        "create",
		Usage:       "create a key and print it, once",
		Description: "Only the key is written to the standard output.",
		Flags:       key.flags(),
		Action: p.onGuard(key.check, func(ctx context.Context, guard *apguard.Guard) error {
			request, err := key.request(ctx, guard.Accounts)
			if err != nil {
				return err
			}
			secret, err := guard.Keys.Create(ctx, request)
			if err != nil {
				return key.failure(err)
			}
			return p.showKey(ctx, guard.Keys, secret)
		}),
	}
}

func (p program) importKey() *cli.Command {
	key, secret := new(newKey), secret{}
	return &cli.Command{
		Name:  "import",
		Usage: "store a key that was made elsewhere",
		Description: `The key is in the environment variable APGUARD_KEY, or in the file that APGUARD_KEY_FILE names. It has at
least 32 characters.`,
		Flags: key.flags(),
		Action: p.onGuard(func(c *cli.Command) (err error) {
			if err := key.check(c); err != nil {
				return err
			}
			secret, err = keyToImport(p.env)
			return err
		}, func(ctx context.Context, guard *apguard.Guard) error {
			request, err := key.request(ctx, guard.Accounts)
			if err != nil {
				return err
			}
			if err := guard.Keys.Put(ctx, secret.value, request); err != nil {
				return key.failure(err)
			}
			return p.describeKey(ctx, guard.Keys, secret.value, "imported")
		}),
	}
}

// scopeAll stands for all scopes but those of operators.
const scopeAll = "all"

// check validates the flags.
func (k *newKey) check(c *cli.Command) error {
	err := cmp.Or(noArguments(c), checkGiven(c, "organization", "scopes", "user", "expires"))
	switch {
	case err != nil:
		return err
	case !k.validScopes():
		return errors.New("-scopes must be all, or some of changelog,dispute,allowlist,reports,report:write,check," +
			"operator:read,operator:write,operator:admin; all is without those of operators")
	case k.user == 0 && k.needsUser():
		return errors.New("operator:write and operator:admin need -user, the ID of the operator, who is recorded as the actor of each change; apguard users create creates one")
	}
	return nil
}

// checkGiven rejects an empty value, such as that of an unset shell variable, where it would give a key more
// access than intended.
func checkGiven(c *cli.Command, names ...string) error {
	for _, name := range names {
		if !c.IsSet(name) {
			continue
		}
		switch value := c.Value(name).(type) {
		case string:
			if value == "" {
				return fmt.Errorf("-%s must not be empty", name)
			}
		case []string:
			if len(value) == 1 && value[0] == "" {
				return fmt.Errorf("-%s must not be empty", name)
			}
		case int64:
			if value <= 0 {
				return fmt.Errorf("-%s must be above 0", name)
			}
		case time.Duration:
			if value <= 0 {
				return fmt.Errorf("-%s must be above 0", name)
			}
		}
	}
	return nil
}

func (k *newKey) validScopes() bool {
	return slices.Equal(k.scopes, []string{scopeAll}) || len(k.scopes) > 0 &&
		!slices.ContainsFunc(k.scopes, func(name string) bool { return !account.Scope(name).Valid() })
}

// needsUser reports whether a key with the scopes must have a user.
func (k *newKey) needsUser() bool {
	return slices.Contains(k.scopes, string(account.ScopeOperatorWrite)) ||
		slices.Contains(k.scopes, string(account.ScopeOperatorAdmin))
}

// request returns the request for the key.
func (k *newKey) request(ctx context.Context, accounts *account.Service) (account.KeyRequest, error) {
	request := account.KeyRequest{UserID: k.user, Name: k.name, Scopes: typed[account.Scope](k.scopes)}
	if k.organization != "" {
		organization, err := findOrganization(ctx, accounts, k.organization)
		if err != nil {
			return account.KeyRequest{}, err
		}
		request.OrganizationID = organization.ID
	}
	if k.expires > 0 {
		request.ExpiresAt = time.Now().Add(k.expires)
	}
	if slices.Equal(k.scopes, []string{scopeAll}) {
		request.Scopes = account.Scopes()
	}
	return request, nil
}

// failure returns the error for a key that was not stored.
func (k *newKey) failure(err error) error {
	if errors.Is(err, account.ErrUserNotFound) {
		return fmt.Errorf("unknown user %d; apguard users create creates one", k.user)
	}
	return err
}

// minImported is the minimum length of a key that is imported. A shorter one could be
// guessed.
const minImported = 32

// keyToImport returns the key of the environment.
func keyToImport(env environment) (secret, error) {
	key, err := env.key()
	if err == nil && len(key.value) < minImported {
		err = fmt.Errorf("%s must have at least %d characters", key.source, minImported)
	}
	if err != nil {
		return secret{}, err
	}
	return key, nil
}

// findOrganization returns the organization with the slug.
func findOrganization(ctx context.Context, accounts *account.Service, slug string) (account.Organization, error) {
	organization, err := accounts.OrganizationBySlug(ctx, slug)
	if errors.Is(err, account.ErrOrganizationNotFound) {
		return account.Organization{}, fmt.Errorf("unknown organization %q", slug)
	}
	return organization, err
}

// showKey writes only the new key to the standard output, for scripts, and its details to the standard error.
func (p program) showKey(ctx context.Context, keys *account.KeyService, secret string) error {
	if _, err := fmt.Fprintln(p.stdout, secret); err != nil {
		return err
	}
	return p.describeKey(ctx, keys, secret, "shown only once")
}

// describeKey writes the fingerprint and the expiry of a key, and what happened to it.
func (p program) describeKey(ctx context.Context, keys *account.KeyService, secret, what string) error {
	key, err := keys.Get(ctx, account.HashKey(secret))
	if err != nil {
		return err
	}
	expires := "does not expire"
	if !key.ExpiresAt.IsZero() {
		expires = "expires at " + minute(key.ExpiresAt)
	}
	_, _ = fmt.Fprintf(p.stderr, "The key %s %s. It is %s.\n", key.Fingerprint(), expires, what)
	return nil
}
