package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/urfave/cli/v3"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/client"
	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/feed/hashes"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/lists/fetch"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/webhook/deliver"
)

// slowTime is how long an operation that may take minutes may send nothing.
const slowTime = 15 * time.Minute

// guardFlags are the flags of rules that apply to a database.
type guardFlags struct {
	protected                     string
	privateWebhooks, privateLists bool
	pruneAge                      time.Duration
}

func protectedFlags(g *guardFlags) []cli.Flag { return []cli.Flag{protectedFlag(&g.protected)} }

func webhookFlags(g *guardFlags) []cli.Flag {
	return []cli.Flag{privateWebhooksFlag(&g.privateWebhooks)}
}

func listsFlags(g *guardFlags) []cli.Flag { return []cli.Flag{privateListsFlag(&g.privateLists)} }

func pruneFlags(g *guardFlags) []cli.Flag { return []cli.Flag{pruneAgeFlag(&g.pruneAge)} }

// pruneAgeFlag is the flag for the age from which on records are pruned.
func pruneAgeFlag(to *time.Duration) cli.Flag {
	return &cli.DurationFlag{
		Name: "prune-age", Destination: to,
		Usage: "`TIME` for which changes, and disputes and reports that are closed, are kept: younger ones are not pruned; 0 is none",
		Validator: func(age time.Duration) error {
			if age < 0 {
				return errors.New("must not be negative")
			}
			return nil
		},
	}
}

// target answers the requests of a command.
type target struct {
	*client.Client
	// server is false for a database.
	server bool
	// failure returns why a request failed in this process, or nil.
	failure func() error
	close   func() error
}

// target returns the server or the database of the command line.
func (p program) target(ctx context.Context, c *cli.Command, o operation, guard guardFlags) (target, error) {
	if c.IsSet(flagServer) {
		t, err := p.serverTarget(c, o)
		if err != nil {
			err = wrongUsage(c, err)
		}
		return t, err
	}
	check := func(c *cli.Command) error {
		switch {
		case c.IsSet(flagKeyFile):
			return errors.New("-key-file must not be given without -server")
		case o.decides && c.Int64(flagAs) <= 0:
			return errors.New("-as must be the ID of the user who acts, as users list shows it; users create creates one")
		case o.organization && c.String(flagOrganization) == "":
			return errors.New("-organization must be the slug of the organization that acts, as organizations list shows it")
		}
		return nil
	}
	db, err := p.existingDatabase(c, check)
	if err != nil {
		return target{}, err
	}
	store, err := db.openExisting(ctx)
	if err != nil {
		return target{}, err
	}
	t, err := databaseTarget(ctx, c, store, o, guard)
	if err != nil {
		err = errors.Join(err, store.Close())
	}
	return t, err
}

// serverTarget returns the server of the command line.
func (p program) serverTarget(c *cli.Command, o operation) (target, error) {
	for _, name := range slices.Concat([]string{flagDB}, flagNames(o.actorFlags()), guardFlagNames(o)) {
		if c.IsSet(name) {
			return target{}, errServerAndDatabase
		}
	}
	env := p.env
	if c.IsSet(flagKeyFile) {
		env = func(name string) (string, bool) { return c.String(flagKeyFile), name == "APGUARD_KEY_FILE" }
	}
	key, err := env.key()
	if err != nil {
		return target{}, fmt.Errorf("-server: %w", err)
	}
	options := client.Options{Key: key.value}
	if o.slow {
		options.Timeout = slowTime
	}
	asked, err := client.New(c.String(flagServer), options)
	if err != nil {
		return target{}, fmt.Errorf("-server: %w", err)
	}
	return target{asked, true, func() error { return nil }, func() error { return nil }}, nil
}

func guardFlagNames(o operation) []string {
	if o.guarded == nil {
		return nil
	}
	return flagNames(o.guarded(new(guardFlags)))
}

// databaseTarget returns a store as a target, which closes it.
func databaseTarget(ctx context.Context, c *cli.Command, store storage.Store, o operation, flags guardFlags) (target, error) {
	protected, err := protectedNames(flags.protected)
	if err != nil {
		return target{}, err
	}
	guard := apguard.New(store, apguard.Options{
		Protected: protected, PrivateWebhooks: flags.privateWebhooks, PrivateLists: flags.privateLists,
		PruneAge: flags.pruneAge,
	})
	who, err := newKeyboard(ctx, guard.Accounts, c, o)
	if err != nil {
		return target{}, err
	}
	failed := new(lastFailure)
	api, err := newLocalAPI(ctx, guard, o, who, failed)
	if err != nil {
		return target{}, err
	}
	local, err := client.New("http://database", client.Options{
		HTTPClient: &http.Client{Transport: inProcess{api}}, Timeout: slowTime, Retries: -1,
	})
	return target{local, false, failed.get, store.Close}, err
}

// newLocalAPI returns the API that answers the operation in this process.
func newLocalAPI(ctx context.Context, guard *apguard.Guard, o operation, who keyboard, failed *lastFailure) (http.Handler, error) {
	options := httpapi.Options{CommandLine: true, Timeout: slowTime, RefusalDelay: -1, Observer: failed}
	if o.operators {
		options.TestWebhook = deliver.New(guard.Webhooks, deliver.Options{}).Test
		options.FetchList = fetch.New(guard.Lists, fetch.Options{}).FetchNow
		return httpapi.NewOperator(guard, who, options)
	}
	if o.call == callHashes {
		options.Hashes = hashes.New(hashes.Options{})
		replica := feed.NewReplica(feed.FromServices(guard.Assets, guard.Feed), feed.Options{Views: []feed.View{options.Hashes}})
		if err := replica.Refresh(ctx); err != nil {
			return nil, err
		}
	}
	return httpapi.New(guard, who, options)
}

// keyboard is the person who can reach the database, and acts as a user and an organization.
type keyboard struct{ principal account.Principal }

// Authenticate implements [httpapi.Authenticator].
func (k keyboard) Authenticate(*http.Request) (account.Principal, error) { return k.principal, nil }

// newKeyboard returns who acts, by the flags.
func newKeyboard(ctx context.Context, accounts *account.Service, c *cli.Command, o operation) (keyboard, error) {
	p := account.Principal{Scopes: administratorScopes()}
	if c.IsSet(flagAs) {
		user, err := accounts.User(ctx, c.Int64(flagAs))
		switch {
		case errors.Is(err, account.ErrUserNotFound):
			return keyboard{}, fmt.Errorf("-as: unknown user %d; users create creates one", c.Int64(flagAs))
		case err != nil:
			return keyboard{}, err
		case user.Deactivated:
			return keyboard{}, fmt.Errorf("-as: user %d is deactivated", user.ID)
		}
		p.UserID, p.Email = user.ID, user.Email
	}
	if slug := c.String(flagOrganization); slug != "" && o.hasOrganization() {
		organization, err := findOrganization(ctx, accounts, slug)
		if err == nil && organization.Deactivated {
			err = fmt.Errorf("organization %q is deactivated", slug)
		}
		if err != nil {
			return keyboard{}, fmt.Errorf("-organization: %w", err)
		}
		p.OrganizationID, p.OrganizationSlug = organization.ID, organization.Slug
	}
	return keyboard{p}, nil
}

// lastFailure observes why a request failed, which its response does not say.
type lastFailure struct{ err atomic.Pointer[error] }

// Observe implements [httpapi.Observer].
func (f *lastFailure) Observe(_ context.Context, info httpapi.RequestInfo) {
	if info.Err != nil {
		f.err.Store(&info.Err)
	}
}

func (f *lastFailure) get() error {
	if err := f.err.Load(); err != nil {
		return *err
	}
	return nil
}

// findOrganizations replaces the slugs of organizations among the values by their IDs.
func (t target) findOrganizations(ctx context.Context, o operation, values map[string]any) error {
	for _, f := range o.fields {
		slug, given := values[f.name].(string)
		if f.kind != kindOrganization || !given {
			continue
		}
		id, err := strconv.ParseInt(slug, 10, 64)
		if err != nil {
			id, err = t.organizationID(ctx, slug)
		}
		if err != nil {
			return err
		}
		values[f.name] = id
	}
	return nil
}

// organizationID returns the ID of the organization with a slug.
func (t target) organizationID(ctx context.Context, slug string) (int64, error) {
	query := url.Values{"limit": {"100"}}
	for last := int64(0); ; {
		var page struct {
			Organizations []struct {
				ID   int64  `json:"id"`
				Slug string `json:"slug"`
			} `json:"organizations"`
			NextCursor *int64 `json:"nextCursor"`
		}
		response, err := t.Do(ctx, client.Request{Method: http.MethodGet, Path: "/organization/list", Query: query})
		if err != nil {
			return 0, err
		}
		page.NextCursor = nil
		err = json.UnmarshalRead(io.LimitReader(response.Body, client.MaxBody), &page)
		if err = errors.Join(err, response.Body.Close()); err != nil {
			return 0, err
		}
		for _, found := range page.Organizations {
			if found.Slug == slug {
				return found.ID, nil
			}
		}
		if page.NextCursor == nil || *page.NextCursor <= last { // a server that repeats itself
			return 0, fmt.Errorf("unknown organization %q", slug)
		}
		last = *page.NextCursor
		query.Set("cursor", strconv.FormatInt(*page.NextCursor, 10))
	}
}

// explain returns an error of a request as one of the command. key is its idempotency key, or empty.
func (t target) explain(c *cli.Command, o operation, key string, err error) error {
	var failed *client.Error
	if !errors.As(err, &failed) {
		return err
	}
	if cause := t.failure(); cause != nil {
		return cause
	}
	asks := "caller"
	if o.operators {
		asks = "operator-caller"
	}
	switch {
	case failed.Status == 0:
		err = fmt.Errorf("the server cannot be reached: %w", failed.Err)
	case failed.Err != nil:
		err = fmt.Errorf("the response of the server cannot be used: %w", failed.Err)
	case errors.Is(failed, client.ErrInvalid):
		return wrongUsage(c, errors.New("invalid input: "+t.issuesOf(failed, o)))
	case errors.Is(failed, client.ErrUnauthorized):
		err = fmt.Errorf("the server refuses the key: it is unknown, expired or revoked, or lacks a scope, see %s", asks)
	case errors.Is(failed, client.ErrForbidden):
		err = fmt.Errorf("the key lacks a scope, a user or an organization, see %s: %s", asks, plainMessage(failed.Message))
	case failed.Act != nil:
		return negativeError(fmt.Sprintf("nothing was changed: another operator must approve act %d, see pending", failed.Act.ID))
	case o.stopped && failed.Status == http.StatusConflict:
		return negativeError("nothing was changed: " + plainMessage(failed.Message))
	case failed.Status == http.StatusTooManyRequests, failed.Status == http.StatusServiceUnavailable:
		err = fmt.Errorf("the server did not answer in time or has too much to do: %s", plainMessage(failed.Message))
	default:
		err = errors.New(plainMessage(failed.Message))
	}
	if failed.OutcomeUnknown {
		err = fmt.Errorf("%w; the request may have been executed", err)
		if key != "" {
			err = fmt.Errorf("%w: repeat it with -%s %s", err, flagIdempotencyKey, key)
		}
	}
	return fmt.Errorf("%s: %w", o.name, err)
}

// issuesOf returns what is wrong with a request.
func (t target) issuesOf(failed *client.Error, o operation) string {
	if len(failed.Issues) == 0 {
		return plainMessage(failed.Message)
	}
	messages := make([]string, len(failed.Issues))
	for i, issue := range failed.Issues {
		messages[i] = o.aboutFlag(issue.Message)
		if private := guardFlagNames(o); strings.HasPrefix(issue.Message, "url: must not have") && !t.server && len(private) > 0 {
			messages[i] += "; -" + private[0] + " allows it"
		}
	}
	return strings.Join(messages, "; ")
}

// aboutFlag returns a message about a field, such as "reason: must be ...", as one about its flag.
func (o operation) aboutFlag(message string) string {
	message = plainMessage(message)
	about, what, found := strings.Cut(message, ": ")
	for _, f := range o.fields {
		if found && f.isFlag() && strings.TrimPrefix(f.name, o.batch+".") == about {
			return "-" + f.flag + " " + what
		}
	}
	return message
}
